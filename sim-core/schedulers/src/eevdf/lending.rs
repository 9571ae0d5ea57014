//! What a change of class does to a fair task that borrows priority.
//!
//! | item | kernel function @ 6.12.117 |
//! |---|---|
//! | `ends_delay` | `rt_mutex_setprio`, `dequeue_task` with `DEQUEUE_DELAYED` |
//! | `sleeper_changes_class` | `switched_from_fair`, `detach_task_cfs_rq`; `switched_to_fair`, `attach_task_cfs_rq` |
//! | `put_running`, `comes_back` | `put_prev_task`, `enqueue_task`, `set_next_task` |

use super::Eevdf;
use super::queue::Entry;
use crate::linux::lending::Lending;
use crate::linux::machine::load::LoadTracking;
use sim_contract::cx::Cx;
use sim_ground::ids::TaskId;

impl Lending for Eevdf {
    fn fair_waiters_alike(&self) -> bool {
        true
    }

    fn is_on_queue(&self, task: TaskId) -> bool {
        !self.st.task(task).real_time && self.st.se(task).on_rq
    }

    fn ends_delay(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        let se = self.st.task(task).se;
        if self.st.ent(se).delayed {
            self.complete_delayed(cx, se);
        }
    }

    fn sleeper_changes_class(&mut self, task: TaskId, leaves: bool, now: u64) {
        let t = self.st.task(task);
        let (se, cpu) = (t.se, t.cpu);
        if leaves {
            self.remove_avg(se, now);
            return;
        }
        // It may have changed its CPU meanwhile.
        self.attach_to(task, cpu);
        let queue = self.st.ent(se).queue;
        self.enqueue_avg(queue, se, now);
    }

    fn put_running(&mut self, task: TaskId, now: u64) {
        self.put_fair(task, now);
    }

    fn comes_back(&mut self, cx: &mut Cx<'_>, task: TaskId, runs: bool) {
        let now = cx.now.0;
        let t = self.st.task(task);
        let (se, cpu) = (t.se, t.cpu);
        self.attach_to(task, cpu);
        self.enqueue_task(task, Entry::Other, now);
        if runs {
            let protects = !self.st.tun.later().protect_at_pick_only;
            self.set_path_again(se, now, protects);
        }
    }

    fn queue_again(&mut self, cx: &mut Cx<'_>, task: TaskId) {
        self.change(cx, task, |_| {});
    }
}
