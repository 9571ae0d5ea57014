//! What every thread did and when, from the events of a trace: the recorded lane.
//!
//! A thread is unknown until something tells of it. Then it runs, waits or is blocked. A trace may lack switches: filters
//! leave some out. So a CPU's thread is taken from every line, and what lies between two lines that do not fit is unknown,
//! not nothing.

use crate::burst::{Bursts, Then};
use crate::event::{Event, IDLE, Kind, Pid, State};
use crate::names::Names;
use crate::read::Sink;
use serde::Serialize;
use std::collections::BTreeMap;

/// Switches from which on a thread was followed by a recorder that left others out.
const FOLLOWED: u64 = 20;

/// What a thread does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Doing {
    /// The trace does not tell.
    Unknown,
    /// It has a CPU.
    Runs,
    /// It could run and has no CPU.
    Waits,
    /// It sleeps: for a time, or for another thread.
    Sleeps,
    /// It waits for a device or a lock (`D`).
    Blocked,
    /// It has ended.
    Ended,
}

/// A time in which a thread does one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stretch {
    /// Beginning, in ns of the trace's clock.
    pub from: u64,
    /// End.
    pub to: u64,
    /// Who.
    pub pid: Pid,
    /// The CPU that it has, or where it was last.
    pub cpu: u16,
    /// What it does.
    pub doing: Doing,
}

/// What is known of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Its latest priority, as the kernel numbers it.
    pub prio: Option<i32>,
    /// Time with a CPU, in ns.
    pub ran: u64,
    /// Time that the kernel accounted, where the trace tells it.
    pub accounted: u64,
    /// Time in a queue.
    pub waited: u64,
    /// Time asleep or blocked.
    pub blocked: u64,
    /// Time of which the trace tells nothing.
    pub unknown: u64,
    /// How often it lost its CPU and could have gone on.
    pub preempted: u64,
    /// How often it left its CPU to sleep or to wait.
    pub left: u64,
    /// How often it ran on another CPU than before.
    pub moves: u64,
    /// How often it came to each CPU.
    pub cpus: BTreeMap<u16, u64>,
    /// When the trace first tells of it.
    pub first: u64,
    /// Whether the trace saw it begin.
    pub has_begun: bool,
    /// Whether it ended.
    pub has_ended: bool,
    /// Its life in bursts.
    pub bursts: Bursts,
    doing: Doing,
    since: u64,
    cpu: u16,
    /// It was woken before it had left its CPU.
    early: Option<Waker>,
    exits: bool,
    doubt: Option<Doubt>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Waker {
    at: u64,
    by: Option<Pid>,
}

/// A time at whose end a thread had a CPU, without a line that says since when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Doubt {
    from: u64,
    to: u64,
    /// What it did before.
    doing: Doing,
    /// Where its stretch is, if stretches are wanted.
    stretch: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Cpu {
    on: Option<Pid>,
    /// Since when.
    from: u64,
    /// The latest line that says so.
    seen: u64,
    /// Whether any line has told of it.
    is_known: bool,
    /// When the first line told of it, if it idled then.
    idle_first: Option<u64>,
}

/// A time in which a CPU had nothing to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Idle {
    /// The CPU.
    pub cpu: u16,
    /// Beginning, in ns of the trace's clock.
    pub from: u64,
    /// End.
    pub to: u64,
}

/// Collects what threads did.
#[derive(Clone, Debug, Default)]
pub struct Lane {
    threads: BTreeMap<Pid, Thread>,
    cpus: Vec<Cpu>,
    /// All stretches, if they are wanted.
    stretches: Option<Vec<Stretch>>,
    /// When CPUs idled, if stretches are wanted.
    idle: Vec<Idle>,
    /// How long threads waited each time, in ns.
    delays: Vec<u64>,
    begin: Option<u64>,
    end: u64,
    /// Switches whose beginning is missing in the trace.
    missing: u64,
    switches: u64,
}

impl Lane {
    /// Begins to collect; with all stretches, for a timeline.
    #[must_use]
    pub fn with_stretches() -> Self {
        Self {
            stretches: Some(Vec::new()),
            ..Self::default()
        }
    }

    /// Threads by number, without the idle one.
    #[must_use]
    pub fn threads(&self) -> &BTreeMap<Pid, Thread> {
        &self.threads
    }

    /// Stretches, if they were wanted. [`Lane::close`] adds the last ones and puts all in order of their beginnings.
    #[must_use]
    pub fn stretches(&self) -> &[Stretch] {
        self.stretches.as_deref().unwrap_or_default()
    }

    /// When CPUs idled for sure, if stretches were wanted; in order of CPU and time.
    #[must_use]
    pub fn idle(&self) -> &[Idle] {
        &self.idle
    }

    /// How long each wait for a CPU took, in ns.
    #[must_use]
    pub fn delays(&self) -> &[u64] {
        &self.delays
    }

    /// First and last time.
    #[must_use]
    pub fn span(&self) -> (u64, u64) {
        (self.begin.unwrap_or(0), self.end)
    }

    /// Number of switches.
    #[must_use]
    pub fn switches(&self) -> u64 {
        self.switches
    }

    /// How often a thread was on a CPU without a line that says since when.
    #[must_use]
    pub fn missing(&self) -> u64 {
        self.missing
    }

    /// Nothing more comes: what threads do lasts until the last event.
    pub fn close(&mut self) {
        self.close_at(self.end);
    }

    /// Nothing more comes: what threads do lasts until a later time.
    pub fn close_at(&mut self, at: u64) {
        self.end = self.end.max(at);
        let (begin, end) = self.span();
        let is_whole = self.missing == 0;
        let strangers = self.threads.values_mut().filter(|t| !t.is_followed());
        for stranger in strangers.filter(|_| !is_whole) {
            // What ended it may be among the lines that a filter left out.
            if matches!(
                stranger.doing,
                Doing::Waits | Doing::Sleeps | Doing::Blocked
            ) {
                stranger.doing = Doing::Unknown;
            }
        }
        for i in 0..self.cpus.len() {
            if let Some(first) = self.cpus[i].idle_first.filter(|_| is_whole) {
                // Nobody was switched from there before.
                self.idled(i, begin, first);
            }
            // Nothing says that it left. Where switches are missing, a stranger may have, and an idle CPU may have been used.
            let on = self.cpus[i].on.and_then(|pid| self.threads.get(&pid));
            if is_whole || on.is_some_and(Thread::is_followed) {
                self.cpus[i].seen = end;
            }
        }
        for i in 0..self.cpus.len() {
            self.leave(i, end, None);
        }
        self.idle.sort_unstable();
        let pids: Vec<Pid> = self.threads.keys().copied().collect();
        for pid in pids {
            let thread = self.thread(pid, end);
            let (doing, cpu) = (thread.doing, thread.cpu);
            if !thread.has_begun && thread.first > begin {
                thread.unknown += thread.first - begin;
            }
            self.turn(pid, doing, end, cpu);
        }
        if let Some(stretches) = &mut self.stretches {
            stretches.retain(|stretch| stretch.from < stretch.to);
            // Mostly in order already.
            stretches.sort();
        }
    }

    fn thread(&mut self, pid: Pid, at: u64) -> &mut Thread {
        self.threads.entry(pid).or_insert_with(|| Thread::new(at))
    }

    /// A thread does something else from now on.
    fn turn(&mut self, pid: Pid, doing: Doing, at: u64, cpu: u16) {
        let thread = self.threads.entry(pid).or_insert_with(|| Thread::new(at));
        let length = at.saturating_sub(thread.since);
        match thread.doing {
            Doing::Unknown => thread.unknown += length,
            Doing::Runs => {
                thread.ran += length;
                thread.bursts.ran(length);
            }
            Doing::Waits => {
                thread.waited += length;
                if doing == Doing::Runs {
                    self.delays.push(length);
                }
            }
            Doing::Sleeps | Doing::Blocked => thread.blocked += length,
            Doing::Ended => {}
        }
        if length > 0
            && let Some(stretches) = &mut self.stretches
        {
            stretches.push(Stretch {
                from: thread.since,
                to: at,
                pid,
                cpu: thread.cpu,
                doing: thread.doing,
            });
        }
        thread.since = thread.since.max(at);
        (thread.doing, thread.cpu) = (doing, cpu);
    }

    /// A thread has a CPU from now on.
    fn enter(&mut self, i: usize, pid: Pid, at: u64, is_sure: bool) {
        let before = self.cpus[i].seen;
        self.cpus[i] = Cpu {
            on: Some(pid),
            from: at,
            seen: at,
            is_known: true,
            ..self.cpus[i]
        };
        if pid == IDLE {
            return;
        }
        let cpu = u16::try_from(i).unwrap_or(u16::MAX);
        let thread = self.thread(pid, at);
        if matches!(thread.doing, Doing::Sleeps | Doing::Blocked) {
            // Nobody told who woke it.
            let length = at.saturating_sub(thread.since);
            thread.bursts.woken_after(length, None);
        }
        if !is_sure {
            // It came to the CPU at some time since the last line about it, and about the CPU.
            let (doing, last) = (thread.doing, thread.cpu);
            let known = before.clamp(thread.since, at.max(thread.since));
            self.turn(pid, doing, known, last);
            let stretch = self.stretches().len();
            let thread = self.thread(pid, at);
            thread.doing = Doing::Unknown;
            thread.doubt = Some(Doubt {
                from: thread.since,
                to: at,
                doing,
                stretch,
            });
        }
        let thread = self.thread(pid, at);
        if thread.cpus.is_empty() || thread.cpu != cpu {
            thread.moves += u64::from(!thread.cpus.is_empty());
        }
        *thread.cpus.entry(cpu).or_default() += 1;
        thread.early = None;
        self.turn(pid, Doing::Runs, at, cpu);
    }

    /// Whoever has a CPU leaves it. Without a state the trace does not tell what it does then, or when it left.
    fn leave(&mut self, i: usize, at: u64, state: Option<State>) {
        let cpu = self.cpus[i];
        self.cpus[i].on = None;
        if cpu.on == Some(IDLE) {
            // Without a switch that ends it, nothing is known but what the last line said.
            let to = if state.is_some() { at } else { cpu.seen };
            self.idled(i, cpu.from, to);
        }
        let Some(pid) = cpu.on.filter(|pid| *pid != IDLE) else {
            return;
        };
        let number = u16::try_from(i).unwrap_or(u16::MAX);
        let thread = self.thread(pid, at);
        thread.doubt = None;
        let Some(state) = state else {
            if thread.doing == Doing::Runs {
                self.turn(pid, Doing::Unknown, cpu.seen, number);
            }
            return;
        };
        let has_ended = state == State::Ended || thread.exits && !state.waits();
        let doing = match state {
            _ if has_ended => Doing::Ended,
            State::Runnable | State::Yields | State::Preempted => Doing::Waits,
            State::Blocked => Doing::Blocked,
            _ => Doing::Sleeps,
        };
        self.turn(pid, doing, at, number);
        let thread = self.thread(pid, at);
        match doing {
            Doing::Ended => {
                thread.has_ended = true;
                thread.bursts.end(Then::Exit);
            }
            Doing::Waits => {
                thread.preempted += u64::from(state != State::Yields);
                if state == State::Yields {
                    thread.left += 1;
                    thread.bursts.end(Then::Yield);
                }
            }
            _ => {
                thread.left += 1;
                thread.bursts.blocks(state == State::Blocked);
                if let Some(waker) = thread.early.take() {
                    self.wake(pid, at.max(waker.at), waker.by);
                }
            }
        }
    }

    /// A CPU had nothing to do.
    fn idled(&mut self, i: usize, from: u64, to: u64) {
        if self.stretches.is_some() && from < to {
            let cpu = u16::try_from(i).unwrap_or(u16::MAX);
            self.idle.push(Idle { cpu, from, to });
        }
    }

    /// A thread wakes and waits for a CPU.
    fn wake(&mut self, pid: Pid, at: u64, by: Option<Pid>) {
        // Where the waker is in its own life.
        let point = by.filter(|by| *by != pid).and_then(|by| {
            let waker = self.threads.get(&by)?;
            (waker.doing == Doing::Runs)
                .then(|| waker.bursts.point(by, at.saturating_sub(waker.since)))
        });
        let thread = self.thread(pid, at);
        let (cpu, length) = (thread.cpu, at.saturating_sub(thread.since));
        match thread.doing {
            Doing::Runs => thread.early = Some(Waker { at, by }),
            Doing::Waits => {}
            Doing::Sleeps | Doing::Blocked => {
                thread.bursts.woken_after(length, point);
                thread.bursts.wakes(at, point.is_some());
                self.turn(pid, Doing::Waits, at, cpu);
            }
            Doing::Unknown | Doing::Ended => self.turn(pid, Doing::Waits, at, cpu),
        }
    }

    /// What a line says of its own CPU: who has it.
    fn see(&mut self, i: usize, pid: Pid, at: u64) {
        let cpu = self.cpus[i];
        if cpu.on == Some(pid) {
            self.cpus[i].seen = at;
            return;
        }
        self.missing += u64::from(cpu.on.is_some() && pid != IDLE);
        self.leave(i, at, None);
        self.enter(i, pid, at, false);
        if !cpu.is_known && pid == IDLE {
            self.cpus[i].idle_first = Some(at);
        }
    }

    /// The kernel accounts for a run. Where the switch to it is missing, that says since when it goes on.
    fn accounted(&mut self, pid: Pid, ns: u64, at: u64) {
        let thread = self.thread(pid, at);
        thread.accounted = thread.accounted.saturating_add(ns);
        let Some(doubt) = thread.doubt.take() else {
            return;
        };
        let begin = at.saturating_sub(ns).clamp(doubt.from, doubt.to);
        let (before, run) = (begin - doubt.from, doubt.to - begin);
        thread.unknown -= before + run;
        thread.ran += run;
        thread.bursts.ran(run);
        match doubt.doing {
            Doing::Waits => thread.waited += before,
            Doing::Sleeps | Doing::Blocked => thread.blocked += before,
            _ => thread.unknown += before,
        }
        let cpu = thread.cpu;
        if doubt.doing == Doing::Waits {
            self.delays.push(before);
        }
        if let Some(stretches) = &mut self.stretches
            && let Some(stretch) = stretches.get_mut(doubt.stretch)
            && stretch.pid == pid
        {
            (stretch.to, stretch.doing) = (begin, doubt.doing);
            stretches.push(Stretch {
                from: begin,
                to: doubt.to,
                pid,
                cpu,
                doing: Doing::Runs,
            });
        }
    }
}

impl Thread {
    fn new(at: u64) -> Self {
        Self {
            prio: None,
            ran: 0,
            accounted: 0,
            waited: 0,
            blocked: 0,
            unknown: 0,
            preempted: 0,
            left: 0,
            moves: 0,
            cpus: BTreeMap::new(),
            first: at,
            has_begun: false,
            has_ended: false,
            bursts: Bursts::default(),
            doing: Doing::Unknown,
            since: at,
            cpu: 0,
            early: None,
            exits: false,
            doubt: None,
        }
    }

    /// Whether nothing says that it would have gone on running when the trace ended: it slept, or nothing is known of it.
    #[must_use]
    pub fn is_asleep(&self) -> bool {
        match self.doing {
            Doing::Runs => false,
            Doing::Waits => self.bursts.open_run() == 0,
            _ => true,
        }
    }

    /// Switches away from a CPU.
    #[must_use]
    pub fn switches(&self) -> u64 {
        self.preempted + self.left + u64::from(self.has_ended)
    }

    /// Whether a trace without some of the switches has this thread's beginning, or so many switches of it, that a filter
    /// let it through. Others were met by chance.
    #[must_use]
    pub fn is_followed(&self) -> bool {
        self.switches() >= FOLLOWED || self.has_begun
    }
}

impl Sink for Lane {
    fn event(&mut self, event: &Event, _names: &Names) {
        let at = event.at;
        self.begin.get_or_insert(at);
        self.end = at;
        let i = usize::from(event.cpu);
        if self.cpus.len() <= i {
            self.cpus.resize(i + 1, Cpu::default());
        }
        if let Kind::Lost { .. } = event.kind {
            self.leave(i, at, None);
            return;
        }
        self.see(i, event.context.pid, at);
        let by = event.context.thread();
        match event.kind {
            Kind::Switch {
                prev,
                prev_prio,
                prev_state,
                next,
                next_prio,
            } => {
                self.switches += 1;
                self.see(i, prev, at);
                self.leave(i, at, Some(prev_state));
                self.enter(i, next, at, true);
                for (pid, prio) in [(prev, prev_prio), (next, next_prio)] {
                    if pid != IDLE {
                        self.thread(pid, at).prio = Some(prio);
                    }
                }
            }
            Kind::Waking { pid, prio, .. }
            | Kind::Wakeup {
                pid,
                prio,
                twin: false,
                ..
            } if pid != IDLE => {
                self.wake(pid, at, by);
                self.thread(pid, at).prio = Some(prio);
            }
            Kind::Wakeup { pid, .. } if pid != IDLE => {
                // It was not asleep: the wake-up is over before it left its CPU.
                self.thread(pid, at).early = None;
            }
            Kind::WakeupNew { pid, prio, .. } if pid != IDLE => {
                let thread = self.thread(pid, at);
                thread.prio = Some(prio);
                thread.has_begun |= thread.cpus.is_empty();
                self.wake(pid, at, by);
            }
            Kind::Fork { parent, child } => {
                let point = self.threads.get(&parent).map(|thread| {
                    let since = if thread.doing == Doing::Runs {
                        thread.since
                    } else {
                        at
                    };
                    thread.bursts.point(parent, at.saturating_sub(since))
                });
                let thread = self.thread(child, at);
                thread.has_begun = true;
                thread.bursts.born(point);
            }
            Kind::Exit { pid } if pid != IDLE => self.thread(pid, at).exits = true,
            Kind::Runtime { pid, ns } if pid != IDLE => self.accounted(pid, ns, at),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
