//! Channels: how threads wait for each other. A channel counts tokens (messages, items, free places). A thread that
//! takes from an empty channel blocks until another thread posts.
//!
//! As in a kernel, a post wakes as many waiters as it brings tokens, first come first woken. A woken thread checks
//! again once it runs: a thread that ran before it may have taken its token. Then it blocks again, at the end of the
//! line. A waiter that dies passes its wake-up on. Threads of a group can also meet: all block until the last of them
//! arrives.

use super::lines::{Key, LENDS, MEETING, PORTS, Wait};
use super::pause::Stop;
use super::{Kernel, TaskState};
use crate::{Context, Sim};
use sim_contract::flags::{EnqueueFlags, SwitchReason};
use sim_ground::ids::{CpuId, TaskId};
use sim_trace::{TraceKind, TraceRecord};
use sim_workload::{Channel, ENDED};
use std::collections::BTreeMap;

impl Sim {
    pub(crate) fn key(&self, task: TaskId, channel: Channel) -> Key {
        let group = self.kernel.infos[task.index()].group;
        match channel.port {
            0 => (u32::from(group.0), channel.number),
            port => (PORTS + u32::from(port), channel.number),
        }
    }

    /// The running task posts tokens.
    pub(crate) fn post(
        &mut self,
        cpu: CpuId,
        task: TaskId,
        channel: Channel,
        tokens: u32,
        sync: bool,
    ) {
        let flags = if sync {
            EnqueueFlags::SyncWakeup
        } else {
            EnqueueFlags::Wakeup
        };
        let key = self.key(task, channel);
        self.settle(cpu);
        let line = self.kernel.channels.entry(key).or_default();
        line.tokens = line.tokens.saturating_add(u64::from(tokens));
        self.wake_waiters(Context::task_on(cpu), key, tokens as usize, flags);
    }

    /// A child has ended. If its parent waits for its children, the parent learns of it.
    pub(crate) fn tell_parent(&mut self, context: Context, parent: TaskId) {
        let group = self.kernel.infos[parent.index()].group;
        if !self.plan.groups[group.index()].waits() {
            return;
        }
        if let Some(cpu) = context.cpu {
            self.settle(cpu);
        }
        let key = self.key(parent, ENDED);
        self.kernel.channels.entry(key).or_default().tokens += 1;
        self.wake_waiters(context, key, 1, EnqueueFlags::Wakeup);
    }

    pub(crate) fn wake_waiters(
        &mut self,
        context: Context,
        key: Key,
        most: usize,
        flags: EnqueueFlags,
    ) {
        let Some(line) = self.kernel.channels.get_mut(&key) else {
            return;
        };
        let n = most.min(line.blocked.len());
        let woken: Vec<TaskId> = line.blocked.drain(..n).collect();
        for task in woken {
            self.wake(context, task, flags);
        }
        if let Some(cpu) = context.cpu {
            self.arm_ticks(cpu);
        }
    }

    /// The running task takes tokens. Returns whether it goes on; otherwise it has blocked.
    pub(crate) fn take(&mut self, cpu: CpuId, task: TaskId, channel: Channel, most: u32) -> bool {
        let key = self.key(task, channel);
        self.task_mut(task).wait = Some(Wait { key, most });
        self.go_on(cpu, task)
    }

    /// The running task checks whether what it waited for is there now. Returns whether it goes on; otherwise it has
    /// blocked again.
    pub(crate) fn go_on(&mut self, cpu: CpuId, task: TaskId) -> bool {
        let Some(wait) = self.task(task).wait else {
            return true;
        };
        let line = self.kernel.channels.entry(wait.key).or_default();
        if line.tokens == 0 {
            line.blocked.push(task);
            self.block(cpu, task);
            return false;
        }
        let taken = line.tokens.min(u64::from(wait.most));
        line.tokens -= taken;
        let t = self.task_mut(task);
        t.wait = None;
        t.taken = u32::try_from(taken).unwrap_or(u32::MAX);
        true
    }

    /// The running task meets the others of its group. Returns whether it goes on because it is the last; otherwise it
    /// has blocked.
    pub(crate) fn meet(&mut self, cpu: CpuId, task: TaskId) -> bool {
        let group = self.kernel.infos[task.index()].group;
        let key = (u32::from(group.0), MEETING);
        let alive = self.kernel.group_alive[group.index()];
        self.gather(cpu, task, key, alive)
    }

    /// The running task blocks until another thread wakes it.
    pub(crate) fn block(&mut self, cpu: CpuId, task: TaskId) {
        self.ledger.record(
            TraceRecord::new(self.clock.now(), TraceKind::Sleep)
                .cpu(Some(cpu))
                .task(Some(task)),
        );
        self.reschedule(cpu, SwitchReason::Block);
    }

    /// A thread has ended: it leaves its line and its wake-up goes to the next. The threads of its group that meet may
    /// have waited only for this one.
    pub(crate) fn leave_channels(&mut self, context: Context, task: TaskId) {
        if let Some(wait) = self.task_mut(task).wait.take()
            && let Some(line) = self.kernel.channels.get_mut(&wait.key)
        {
            match line.blocked.iter().position(|t| *t == task) {
                Some(at) => {
                    line.blocked.remove(at);
                    if wait.most == LENDS {
                        self.lend_along(context, wait.key);
                    }
                }
                None if line.tokens > 0 => {
                    self.wake_waiters(Context::OUTSIDE, wait.key, 1, EnqueueFlags::Wakeup);
                }
                None => {}
            }
        }
        self.leave_locks(task);
        let group = self.kernel.infos[task.index()].group;
        let key = (u32::from(group.0), MEETING);
        let there = self
            .kernel
            .channels
            .get(&key)
            .map_or(0, |l| l.blocked.len());
        if there > 0 && there >= self.kernel.group_alive[group.index()] as usize {
            self.wake_for_good(Context::OUTSIDE, key, usize::MAX);
        }
    }

    /// Whether every blocked task sleeps and waits in exactly one line, for something that is not there, and no task
    /// that could go on is left waiting.
    pub(crate) fn channels_hold(&self) -> bool {
        channels_fit(&self.kernel)
    }
}

/// Whether the lines of a state and what its tasks wait for agree.
pub(super) fn channels_fit(st: &Kernel) -> bool {
    use TaskState::{Queued, Running, Sleeping};
    let mut blocked = vec![0_u32; st.tasks.len()];
    let mut awake: BTreeMap<Key, u64> = BTreeMap::new();
    for (key, line) in &st.channels {
        for task in &line.blocked {
            let Some(t) = st.tasks.get(task.index()) else {
                return false;
            };
            if t.state != Sleeping || t.wait.is_none_or(|w| w.key != *key) {
                return false;
            }
            blocked[task.index()] += 1;
        }
    }
    for (t, lines) in st.tasks.iter().zip(&blocked) {
        // A task that was woken while it was stopped looks again when it resumes.
        let sleeps = t.state == Sleeping && t.stop != Stop::Held;
        let wanted = u32::from(sleeps && t.wait.is_some());
        if *lines != wanted {
            return false;
        }
        if let Some(wait) = t.wait
            && (matches!(t.state, Running | Queued) || t.stop == Stop::Held)
        {
            *awake.entry(wait.key).or_default() += 1;
        }
    }
    // A task may be blocked while there are tokens only if others ahead of it were woken for them.
    st.channels
        .iter()
        .all(|(key, line)| line.tokens == 0 || line.blocked.is_empty() || awake.contains_key(key))
        && st.group_alive.iter().all(|n| *n as usize <= st.tasks.len())
}

impl Sim {
    /// A random sleeping task of the same group ([`sim_workload::Phase::WakePeer`]). A task that was woken and is only
    /// stopped does not count.
    pub(crate) fn sleeping_peer(&mut self, task: TaskId) -> Option<TaskId> {
        let group = self.kernel.infos[task.index()].group;
        let sleeping: Vec<TaskId> = (0..self.kernel.tasks.len())
            .map(TaskId::new)
            .filter(|t| {
                self.kernel.infos[t.index()].group == group
                    && self.task(*t).state == TaskState::Sleeping
                    && self.task(*t).stop != Stop::Held
            })
            .collect();
        let i = self
            .kernel
            .peer_rng
            .below(u32::try_from(sleeping.len()).unwrap_or(0));
        sleeping.get(i as usize).copied()
    }
}
