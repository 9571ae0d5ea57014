//! What threads wait for: times, and each other without tokens: conditions, barriers, locks, devices, and children.
//!
//! Here a wake-up is final. Whoever is woken has what it waited for, and does not look again, as it does at a channel
//! ([`super::channels`]). The lines are the same.

use super::lines::{CHILDREN, Key, Wait};
use crate::clockwork::Event;
use crate::{Context, Sim};
use sim_contract::flags::{EnqueueFlags, SwitchReason};
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::time::SimSpan;
use sim_trace::{TraceKind, TraceRecord};
use sim_workload::{Channel, WakeVia};

impl Sim {
    /// The running task blocks in a line until another thread wakes it there.
    fn block_in_line(&mut self, cpu: CpuId, task: TaskId, key: Key) {
        self.kernel
            .channels
            .entry(key)
            .or_default()
            .blocked
            .push(task);
        self.task_mut(task).wait = Some(Wait { key, most: 0 });
        self.block(cpu, task);
    }

    /// Wakes the first of a line, at most that many. They have what they waited for.
    pub(crate) fn wake_for_good(&mut self, context: Context, key: Key, most: usize) {
        let line = self.kernel.channels.get(&key);
        let first: Vec<TaskId> =
            line.map_or_else(Vec::new, |l| l.blocked.iter().copied().take(most).collect());
        for task in first {
            self.task_mut(task).wait = None;
        }
        self.wake_waiters(context, key, most, EnqueueFlags::Wakeup);
    }

    /// The running task blocks until another thread signals the condition.
    pub(crate) fn await_signal(&mut self, cpu: CpuId, task: TaskId, channel: Channel) {
        let key = self.key(task, channel);
        self.block_in_line(cpu, task, key);
    }

    /// The running task wakes those that wait for the condition.
    pub(crate) fn signal_condition(
        &mut self,
        cpu: CpuId,
        task: TaskId,
        channel: Channel,
        most: u32,
    ) {
        let key = self.key(task, channel);
        self.settle(cpu);
        self.wake_for_good(Context::task_on(cpu), key, most as usize);
    }

    /// The running task comes to a barrier. Returns whether it goes on because it is the last; otherwise it has blocked.
    pub(crate) fn meet_at(
        &mut self,
        cpu: CpuId,
        task: TaskId,
        channel: Channel,
        threads: u32,
    ) -> bool {
        let key = self.key(task, channel);
        self.gather(cpu, task, key, threads)
    }

    /// The running task waits in a line until so many are there. Returns whether it is the last, so that all go on.
    pub(crate) fn gather(&mut self, cpu: CpuId, task: TaskId, key: Key, threads: u32) -> bool {
        let there = self
            .kernel
            .channels
            .get(&key)
            .map_or(0, |l| l.blocked.len());
        if there + 1 < threads as usize {
            self.block_in_line(cpu, task, key);
            return false;
        }
        self.settle(cpu);
        self.wake_for_good(Context::task_on(cpu), key, usize::MAX);
        true
    }

    /// The running task takes a lock. Returns whether it goes on; otherwise it has blocked.
    pub(crate) fn lock(&mut self, cpu: CpuId, task: TaskId, channel: Channel, lends: bool) -> bool {
        let key = self.key(task, channel);
        let line = self.kernel.channels.entry(key).or_default();
        if line.holder.is_none() {
            line.holder = Some(task);
            return true;
        }
        if lends && sim_contract::lending::lends(&self.params) {
            self.block_and_lend(cpu, task, key);
        } else {
            self.block_in_line(cpu, task, key);
        }
        false
    }

    /// The running task hands a lock over. A lock that it does not hold stays as it is.
    pub(crate) fn unlock(&mut self, cpu: CpuId, task: TaskId, channel: Channel) {
        let key = self.key(task, channel);
        self.settle(cpu);
        self.hand_over(Context::task_on(cpu), task, key);
    }

    fn hand_over(&mut self, context: Context, task: TaskId, key: Key) {
        let Some(line) = self.kernel.channels.get_mut(&key) else {
            return;
        };
        if line.holder == Some(task) {
            line.holder = line.blocked.first().copied();
            self.return_loans(context, key, task);
            self.wake_for_good(context, key, 1);
        }
    }

    /// A thread has ended: whoever waits for its locks has them now.
    pub(crate) fn leave_locks(&mut self, task: TaskId) {
        let held = self
            .kernel
            .channels
            .iter()
            .filter(|(_, line)| line.holder == Some(task));
        let keys: Vec<Key> = held.map(|(key, _)| *key).collect();
        for key in keys {
            self.hand_over(Context::OUTSIDE, task, key);
        }
    }

    /// The running task has a device serve a request, and sleeps until it is served.
    pub(crate) fn request_io(&mut self, cpu: CpuId, task: TaskId, device: Channel, ns: u64) {
        let key = self.key(task, device);
        let now = self.clock.now().0;
        let line = self.kernel.channels.entry(key).or_default();
        line.busy_until_ns = line.busy_until_ns.max(now).saturating_add(ns);
        let wait = line.busy_until_ns - now;
        // The device interrupts the CPU that asked.
        self.sleep(cpu, task, wait, WakeVia::Interrupt(cpu));
    }

    /// The running task sleeps for a time.
    pub(crate) fn sleep(&mut self, cpu: CpuId, task: TaskId, ns: u64, via: WakeVia) {
        let now = self.clock.now();
        let (at, wake_cpu) = match via {
            WakeVia::Interrupt(on) => (now + SimSpan(ns), on),
            WakeVia::Timer | WakeVia::TickTimer => self.sched.timed_sleep(now, cpu, task, ns),
        };
        let at = if via == WakeVia::TickTimer {
            self.next_tick(wake_cpu, at)
        } else {
            at
        };
        let t = self.task_mut(task);
        t.wake_cpu = wake_cpu;
        t.wake_by_timer = !matches!(via, WakeVia::Interrupt(_));
        let by_timer = t.wake_by_timer;
        self.clock.schedule(Event::Wake(task), at);
        if by_timer {
            self.hardware.note_timer(&self.clock, wake_cpu, task, at);
        }
        self.ledger.record(
            TraceRecord::new(now, TraceKind::Sleep)
                .cpu(Some(cpu))
                .task(Some(task)),
        );
        self.reschedule(cpu, SwitchReason::Block);
    }

    /// The running task sleeps until a time. Returns whether it goes on, because that has passed.
    pub(crate) fn sleep_until(&mut self, cpu: CpuId, task: TaskId, at_ns: u64) -> bool {
        let now = self.clock.now().0;
        let account = &mut self.task_mut(task).account;
        account.deadlines += 1;
        account.deadlines_missed += u64::from(at_ns < now);
        if at_ns <= now {
            return true;
        }
        self.sleep(cpu, task, at_ns - now, WakeVia::Timer);
        false
    }

    fn has_children(&self, parent: TaskId) -> bool {
        let tasks = self.kernel.tasks.iter().zip(&self.kernel.infos);
        tasks
            .into_iter()
            .any(|(t, info)| info.parent == Some(parent) && t.account.exited_at_ns.is_none())
    }

    /// The running task waits for its children. Returns whether it goes on, because none is left.
    pub(crate) fn wait_for_children(&mut self, cpu: CpuId, task: TaskId) -> bool {
        if !self.has_children(task) {
            return true;
        }
        self.block_in_line(cpu, task, (CHILDREN, task.0));
        false
    }

    /// A child has ended. If its parent waits for its last one, it goes on.
    pub(crate) fn tell_waiting_parent(&mut self, context: Context, parent: TaskId) {
        let key = (CHILDREN, parent.0);
        let waits = self
            .kernel
            .channels
            .get(&key)
            .is_some_and(|l| !l.blocked.is_empty());
        if waits && !self.has_children(parent) {
            if let Some(cpu) = context.cpu {
                self.settle(cpu);
            }
            self.wake_for_good(context, key, 1);
        }
    }
}
