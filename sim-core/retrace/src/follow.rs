//! A pass over the events of a trace: which hooks each of them means, and what the rules say.

use crate::host::Host;
use crate::judge::{Pending, Ticked, standings};
use crate::record::{Record, is_fair};
use crate::verdict::{About, Control, Count, Disagreement, NEAR_NS};
use sim_contract::Asked;
use sim_contract::decision::Decision;
use sim_contract::flags::{DequeueFlags, EnqueueFlags, SwitchReason};
use sim_ground::ids::{CpuId, TaskId};
use sim_import::{Event, Kind, Pid, State};
use std::collections::{BTreeMap, BTreeSet};

/// What a thread of interest does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doing {
    Sleeps,
    Waits,
    Runs,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Thread {
    pub(crate) task: TaskId,
    pub(crate) cpu: CpuId,
    pub(crate) doing: Doing,
    nice: i8,
    slice: u64,
    /// Its end has begun.
    ends: bool,
}

/// A slice that threads ask for, which no trace tells.
pub(crate) type Slices = Vec<(crate::record::Pattern, u64)>;

/// What came out of a pass.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) picks: Count,
    /// Picks of the first of the trace, which settle how threads begin, and are not counted.
    pub(crate) settling: Count,
    /// By how much these are off together, in ns.
    pub(crate) off: u64,
    /// Picks where there was nobody else.
    pub(crate) alone: u64,
    /// Ticks that let the running thread go on while others waited.
    pub(crate) goes_on: Count,
    pub(crate) preempts: Count,
    /// Right ones of each control: among the picks, and where a thread goes on.
    pub(crate) controls: [[u64; 2]; 2],
    pub(crate) disagreements: Vec<Disagreement>,
    /// The last event that was followed.
    pub(crate) until: usize,
    /// Times that the trace did something that the state did not know: a switch is missing.
    pub(crate) mended: u64,
}

/// Controls that are asked in the same pass.
pub(crate) const ALONGSIDE: [Control; 2] = [Control::SmallestVruntime, Control::NoEligibility];

pub(crate) struct Follow<'a> {
    pub(crate) record: &'a Record,
    slices: &'a Slices,
    pub(crate) host: Host,
    pub(crate) threads: BTreeMap<Pid, Thread>,
    /// Threads that have left the group because they end.
    ended: BTreeSet<Pid>,
    /// Wake-ups that have begun: the CPU, and the event at which the thread is queued.
    waking: Vec<(CpuId, usize)>,
    pub(crate) pending: Vec<Pending>,
    pub(crate) ticked: Vec<Ticked>,
    /// Threads that have called `sched_yield` and were not charged there yet.
    yielding: BTreeSet<Pid>,
    /// CPUs that the rules made reschedule, which has not happened yet.
    asked: BTreeSet<CpuId>,
    /// Picks that are not counted, because they settled how threads begin.
    pub(crate) settles: u64,
    pub(crate) out: Outcome,
}

impl<'a> Follow<'a> {
    pub(crate) fn new(record: &'a Record, slices: &'a Slices, host: Host, settles: u64) -> Self {
        Self {
            record,
            slices,
            host,
            threads: BTreeMap::new(),
            ended: BTreeSet::new(),
            waking: Vec::new(),
            pending: Vec::new(),
            ticked: Vec::new(),
            yielding: BTreeSet::new(),
            asked: BTreeSet::new(),
            settles,
            out: Outcome::default(),
        }
    }

    /// Follows the events to the end, or until so many picks have been asked.
    pub(crate) fn run(&mut self, picks: Option<u64>) {
        let record = self.record;
        for (at, event) in record.events.iter().enumerate() {
            self.event(at, event);
            self.out.until = at;
            let asked = self.out.picks.all() + self.out.settling.all();
            if picks.is_some_and(|picks| asked >= picks) {
                return;
            }
        }
    }

    fn event(&mut self, at: usize, event: &Event) {
        let cpu = CpuId(event.cpu);
        self.host.wait_until(cpu, event.at);
        self.settle_wakeups(event);
        self.settle_ticks(event);
        match event.kind {
            Kind::Switch {
                prev,
                prev_prio,
                prev_state,
                next,
                next_prio,
            } => {
                self.new_nice(at);
                let prev = (self.is_member(prev) && is_fair(prev_prio)).then_some(prev);
                let next = (self.is_member(next) && is_fair(next_prio)).then_some(next);
                self.switch(at, event, [prev, next], prev_state);
            }
            Kind::Runtime { pid, ns } if self.is_member(pid) => {
                self.runtime(at, event, pid, ns);
            }
            Kind::Fork { parent, child } if self.record.is_member(child) => {
                let of = self.threads.get(&parent).map(|t| t.task);
                self.begin(child, cpu, of);
            }
            Kind::Waking { pid, target, .. } if self.sleeps(pid) => {
                match self.record.queued_at.get(&at) {
                    Some(queued) => self.waking_begins(*queued),
                    None => self.wake(at, event, pid, target),
                }
            }
            Kind::Wakeup { pid, target, .. } => {
                self.waking.retain(|(_, queued)| *queued != at);
                if self.sleeps(pid) {
                    self.wake(at, event, pid, target);
                }
            }
            Kind::WakeupNew { pid, target, .. } if self.record.is_member(pid) => {
                let to = CpuId(target.unwrap_or(event.cpu));
                self.host.wait_until(to, event.at);
                let thread = self.known(pid, to);
                self.new_nice(at);
                self.queue(pid, thread, to, EnqueueFlags::New);
            }
            Kind::Exit { pid } => {
                if let Some(thread) = self.threads.get_mut(&pid) {
                    thread.ends = true;
                }
            }
            Kind::Yield { pid, returns } => {
                if returns {
                    self.yielding.remove(&pid);
                } else {
                    self.yielding.insert(pid);
                }
            }
            Kind::Migrate { pid, from, to } => self.migrate(pid, [from, to].map(CpuId)),
            _ => {}
        }
        self.new_nice(at);
    }

    pub(crate) fn is_member(&self, pid: Pid) -> bool {
        self.record.is_member(pid) && !self.ended.contains(&pid)
    }

    fn sleeps(&self, pid: Pid) -> bool {
        let doing = self.threads.get(&pid).map(|t| t.doing);
        self.is_member(pid) && doing.is_none_or(|d| d == Doing::Sleeps)
    }

    /// A thread, which begins now if nothing was known of it.
    fn known(&mut self, pid: Pid, cpu: CpuId) -> Thread {
        match self.threads.get(&pid) {
            Some(thread) => *thread,
            None => self.begin(pid, cpu, None),
        }
    }

    /// A thread begins; it is not queued.
    pub(crate) fn begin(&mut self, pid: Pid, cpu: CpuId, parent: Option<TaskId>) -> Thread {
        let nice = self.record.first_nice.get(&pid).copied().unwrap_or(0);
        let task = self.host.begin(cpu, nice, parent);
        let thread = Thread {
            task,
            cpu,
            doing: Doing::Sleeps,
            nice,
            slice: 0,
            ends: false,
        };
        self.threads.insert(pid, thread);
        thread
    }

    /// The slice that the options give to a thread of this name. A thread asks for it itself, so it has run before.
    fn new_slice(&mut self, at: usize, pid: Pid) {
        let name = self.record.name(pid, at);
        let found = self.slices.iter().find(|(p, _)| p.fits(name));
        let Some(thread) = self.threads.get_mut(&pid) else {
            return;
        };
        if let Some((_, ns)) = found
            && thread.slice != *ns
        {
            thread.slice = *ns;
            let (cpu, task) = (thread.cpu, thread.task);
            self.host.ask_slice(cpu, task, *ns);
        }
    }

    fn new_nice(&mut self, at: usize) {
        let Some((pid, nice)) = self.record.nices.get(&at) else {
            return;
        };
        if let Some(thread) = self.threads.get_mut(pid)
            && thread.nice != *nice
        {
            thread.nice = *nice;
            let Thread {
                task, cpu, doing, ..
            } = *thread;
            self.host.renice(cpu, task, *nice, doing == Doing::Waits);
        }
    }

    fn runtime(&mut self, at: usize, event: &Event, pid: Pid, ns: u64) {
        let cpu = CpuId(event.cpu);
        self.must_run(cpu, pid);
        self.host.advance(cpu, ns);
        self.new_slice(at, pid);
        // Between the two events of a wake-up the scheduler itself knows when to charge.
        let wakes = self
            .waking
            .iter()
            .any(|(c, queued)| *c == cpu && *queued > at);
        if !wakes {
            self.new_nice(at);
            let asks = self.host.charge(cpu);
            if asks {
                self.asked.insert(cpu);
            }
            if event.context.irq == Some(true) {
                self.tick(event, asks);
            } else if self.yielding.remove(&pid)
                && let Some(thread) = self.threads.get(&pid)
            {
                // The kernel charges a thread that yields, unless it is alone on its CPU; then a yield changes nothing.
                self.host.yields(cpu, thread.task);
            }
        }
        if self.threads.get(&pid).is_some_and(|t| t.ends) {
            self.leaves_group(cpu, pid);
        }
    }

    /// A thread that ends leaves the group of its session first (`sched_autogroup_exit_task`): the kernel charges it once
    /// more for that. From then on it is one of the others.
    fn leaves_group(&mut self, cpu: CpuId, pid: Pid) {
        if let Some(thread) = self.threads.remove(&pid) {
            self.ended.insert(pid);
            self.host.dequeue(cpu, thread.task, DequeueFlags::Exit);
            self.leave_to_others(cpu, SwitchReason::Exit);
            self.host.end(cpu, thread.task);
        }
    }

    /// A thread runs, as an event says; if that is not known, a switch is missing.
    fn must_run(&mut self, cpu: CpuId, pid: Pid) {
        let thread = self.known(pid, cpu);
        if self.host.running(cpu) == Some(thread.task) {
            return;
        }
        self.out.mended += 1;
        self.settle_running(cpu);
        self.take(cpu, pid, SwitchReason::Resched);
    }

    /// What the state took for running on a CPU waits.
    fn settle_running(&mut self, cpu: CpuId) {
        let running = self.host.running(cpu);
        for thread in self.threads.values_mut() {
            if Some(thread.task) == running {
                thread.doing = Doing::Waits;
            }
        }
    }

    /// A CPU gets a thread. If it does not wait there, it is queued first: its wake-up or its move is missing.
    fn take(&mut self, cpu: CpuId, pid: Pid, why: SwitchReason) -> Option<(Asked, Decision)> {
        let thread = self.known(pid, cpu);
        let mut answer = self.host.take(cpu, thread.task, why);
        if answer.is_none() {
            self.out.mended += 1;
            if thread.doing == Doing::Sleeps {
                self.host.enqueue(cpu, thread.task, EnqueueFlags::Wakeup);
            } else {
                self.host.move_to(thread.cpu, cpu, thread.task);
            }
            self.host.take(cpu, thread.task, why);
        }
        if let Some(thread) = self.threads.get_mut(&pid) {
            (thread.cpu, thread.doing) = (cpu, Doing::Runs);
        }
        if answer.is_some() && thread.doing != Doing::Waits {
            answer = None;
        }
        answer
    }

    fn switch(&mut self, at: usize, event: &Event, [prev, next]: [Option<Pid>; 2], state: State) {
        let cpu = CpuId(event.cpu);
        self.asked.remove(&cpu);
        let mut why = SwitchReason::Resched;
        match prev {
            Some(prev) => {
                self.must_run(cpu, prev);
                let flags = match state {
                    state if state.waits() => None,
                    State::Ended => Some(DequeueFlags::Exit),
                    _ => Some(DequeueFlags::Sleep),
                };
                let thread = self.known(prev, cpu);
                if let Some(flags) = flags {
                    self.host.dequeue(cpu, thread.task, flags);
                    why = if flags == DequeueFlags::Exit {
                        SwitchReason::Exit
                    } else {
                        SwitchReason::Block
                    };
                }
                if let Some(thread) = self.threads.get_mut(&prev) {
                    thread.doing = if flags.is_some() {
                        Doing::Sleeps
                    } else {
                        Doing::Waits
                    };
                }
            }
            None if self.host.running(cpu).is_some() => {
                self.out.mended += 1;
                self.settle_running(cpu);
                self.host.give_away(cpu, SwitchReason::Resched);
            }
            None => {}
        }
        self.host.wait_until(cpu, event.at);
        match next {
            Some(next) => self.pick(at, event, next, why),
            None => self.leave_to_others(cpu, why),
        }
        if let Some(prev) = prev.filter(|_| why == SwitchReason::Exit)
            && let Some(thread) = self.threads.remove(&prev)
        {
            self.host.end(cpu, thread.task);
        }
    }

    /// Others get a CPU. If nobody waits there any more, the kernel's next look at the group finds only those who sleep and
    /// still count: they leave. The trace does not show when; it is taken to be at once.
    fn leave_to_others(&mut self, cpu: CpuId, why: SwitchReason) {
        let was = self.host.running(cpu).is_some();
        self.host.give_away(cpu, why);
        let mut here = self.threads.values().filter(|t| t.cpu == cpu);
        if was && here.all(|t| t.doing == Doing::Sleeps) {
            self.host.empty(cpu);
        }
    }

    /// The kernel chose: the rules are asked.
    fn pick(&mut self, at: usize, event: &Event, next: Pid, why: SwitchReason) {
        let cpu = CpuId(event.cpu);
        let waiting = self.threads.values();
        let waiting = waiting.filter(|t| t.cpu == cpu && t.doing == Doing::Waits);
        let choice = waiting.count() > 1;
        let answer = self.take(cpu, next, why);
        let Some((asked, decision)) = answer else {
            return;
        };
        if !choice {
            self.out.alone += 1;
            return;
        }
        let took = self.threads.get(&next).map(|t| t.task);
        let off = (Some(asked.own) != took).then_some(asked.against_ns);
        if self.out.settling.all() < self.settles {
            self.out.settling.add(off);
            self.out.off = self.out.off.saturating_add(off.unwrap_or(0));
            return;
        }
        self.out.picks.add(off);
        for (right, control) in self.out.controls.iter_mut().zip(ALONGSIDE) {
            right[0] += u64::from(control.choice(&asked.queue) == took);
        }
        if let Some(off_by_ns) = off {
            let names = self.names(at);
            let disagreement = Disagreement {
                at_ns: event.at,
                cpu: event.cpu,
                about: About::Pick,
                took: self.record.name(next, at).to_owned(),
                rules: names.get(asked.own.index()).cloned().unwrap_or_default(),
                off_by_ns: Some(off_by_ns),
                near: off_by_ns <= NEAR_NS,
                queue: standings(&asked.queue, &names),
                decision: Some(decision),
                names,
            };
            self.out.disagreements.push(disagreement);
        }
    }

    /// Names of all tasks, by number.
    pub(crate) fn names(&self, at: usize) -> Vec<String> {
        let mut names = Vec::new();
        for (pid, thread) in &self.threads {
            let i = thread.task.index();
            if names.len() <= i {
                names.resize(i + 1, "other".to_owned());
            }
            names[i] = self.record.name(*pid, at).to_owned();
        }
        names
    }

    fn waking_begins(&mut self, queued: usize) {
        let target = match self.record.events[queued].kind {
            Kind::Wakeup { target, .. } => target,
            _ => None,
        };
        let cpu = CpuId(target.unwrap_or(self.record.events[queued].cpu));
        self.waking.push((cpu, queued));
    }

    fn wake(&mut self, at: usize, event: &Event, pid: Pid, target: Option<u16>) {
        self.new_nice(at);
        let before = self.threads.get(&pid).map(|t| t.cpu);
        let to = target.map(CpuId).or(before).unwrap_or(CpuId(event.cpu));
        self.host.wait_until(to, event.at);
        let thread = self.known(pid, to);
        // A sleeper that still counts waits in the queue of its CPU. Its move is missing.
        if thread.cpu != to {
            self.out.mended += 1;
            self.host.move_to(thread.cpu, to, thread.task);
        }
        let running = self.host.running(to);
        let (asks, decision) = self.queue(pid, thread, to, EnqueueFlags::Wakeup);
        let Some(running) = running else {
            return;
        };
        let again = asks && self.wins_again(to, running);
        // One that is already about to leave cannot be preempted.
        let leaves = self.asked.contains(&to);
        if asks && !again {
            self.asked.insert(to);
        }
        if !leaves {
            self.pending.push(Pending {
                woken: pid,
                cpu: to,
                at: event.at,
                running,
                asks,
                again,
                queue: self.host.queue(to),
                decision,
            });
        }
    }

    /// Whether a pick would choose what runs on a CPU.
    fn wins_again(&self, cpu: CpuId, running: TaskId) -> bool {
        let queue = self.host.queue(cpu);
        let mut entities = queue.lines.iter().take(1).flat_map(|l| &l.entities);
        let next = entities.find(|e| e.next);
        next.is_some_and(|e| e.task == Some(running.0))
    }

    /// A thread is queued; whether what runs there must leave, and why.
    fn queue(
        &mut self,
        pid: Pid,
        thread: Thread,
        to: CpuId,
        flags: EnqueueFlags,
    ) -> (bool, Option<Decision>) {
        let answer = self.host.enqueue(to, thread.task, flags);
        if let Some(thread) = self.threads.get_mut(&pid) {
            (thread.cpu, thread.doing) = (to, Doing::Waits);
        }
        let decision = answer.why.and_then(|why| self.host.decision(why));
        (answer.value, decision)
    }

    fn migrate(&mut self, pid: Pid, [from, to]: [CpuId; 2]) {
        let Some(thread) = self.threads.get_mut(&pid) else {
            return;
        };
        if thread.doing == Doing::Runs {
            return;
        }
        thread.cpu = to;
        let task = thread.task;
        self.host.move_to(from, to, task);
    }
}
