//! What a change of class does to a fair task that borrows priority.
//!
//! | item | kernel function |
//! |---|---|
//! | `sleeper_changes_class` | `switched_from_fair`, `switched_to_fair`; since 2.6.37 they make the vruntime of a sleeper relative, and absolute again |
//! | `put_running`, `comes_back` | `put_prev_task`, `enqueue_task`, `set_curr_task` |
//!
//! 2.6.34 leaves the vruntime of a sleeper as it is. A task that borrowed while it slept, and is fair again before it
//! sleeps again, is queued with it twice over: a fault of that release.

use super::Cfs;
use super::entity::NONE;
use super::era::{LoadMetric, RelativeVruntime};
use super::queue::Entry;
use crate::linux::lending::Lending;
use sim_contract::cx::Cx;
use sim_ground::ids::TaskId;

impl Lending for Cfs {
    fn fair_waiters_alike(&self) -> bool {
        self.is_shared()
    }

    fn is_on_queue(&self, task: TaskId) -> bool {
        !self.st.task(task).real_time && self.st.se(task).on_rq
    }

    fn ends_delay(&mut self, _: &mut Cx<'_>, _: TaskId) {}

    fn sleeper_changes_class(&mut self, task: TaskId, leaves: bool, now: u64) {
        let t = self.st.task(task);
        let (se, cpu) = (t.se, t.cpu);
        if !leaves {
            // It may have changed its CPU meanwhile.
            self.attach_to(task, cpu);
        }
        let q = self.st.ent(se).queue;
        if self.era.relative == RelativeVruntime::AtMigration {
            if leaves {
                let policy = sim_contract::flags::Policy::Normal;
                self.place(q, se, false, policy, now);
            }
            let min = self.st.queue(q).min_vruntime;
            let ent = self.st.ent_mut(se);
            ent.vruntime = if leaves {
                ent.vruntime.wrapping_sub(min)
            } else {
                ent.vruntime.wrapping_add(min)
            };
        }
        if self.era.load == LoadMetric::Instant {
            return;
        }
        if leaves {
            self.remove_avg(se, now);
        } else {
            self.enqueue_avg(q, se, now);
        }
    }

    fn put_running(&mut self, task: TaskId, now: u64) {
        self.put_fair(task, now);
    }

    fn comes_back(&mut self, cx: &mut Cx<'_>, task: TaskId, runs: bool) {
        let now = cx.now.0;
        let t = self.st.task(task);
        let (mut e, cpu) = (t.se, t.cpu);
        self.attach_to(task, cpu);
        let policy = cx.task(task).policy;
        self.enqueue_task(task, Entry::Other, policy, now);
        if runs {
            while e != NONE {
                self.set_next(self.st.ent(e).queue, e, now);
                e = self.st.ent(e).parent;
            }
        }
    }

    fn queue_again(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        self.change(cx, task, |_| {});
    }
}
