//! Whether a snapshot may be a kernel of a run: all its indices are in range, and counts agree with what they count.

use super::channels::channels_fit;
use super::jobs::jobs_fit;
use super::pause::Stop;
use super::{Kernel, Task, TaskState};
use sim_contract::cx::TaskInfo;
use sim_ground::ids::{CpuId, CpuMask, TaskId};
use sim_ground::time::SimTime;

impl Kernel {
    /// Whether a snapshot may be the kernel of this run at a time, with so many edits.
    pub(crate) fn accepts(&self, saved: &Self, edits: usize, now: SimTime) -> bool {
        let cpus = self.curr.len();
        saved.curr.len() == cpus
            && saved.infos.len() == saved.tasks.len()
            && saved.group_sizes.len() == self.group_sizes.len()
            && saved.group_alive.len() == self.group_alive.len()
            && channels_fit(saved)
            && jobs_fit(saved, now)
            && self.has_jobs_where(saved)
            && saved.edits_done as usize <= edits
            && saved.edits_waiting.iter().all(|n| *n < saved.edits_done)
            && saved.flagged.is_subset_of(&CpuMask::first(cpus))
            && saved.locks.len() == self.locks.len()
            && saved.locks.iter().all(|l| l.fits(cpus))
            && saved.has_possible_tasks(now)
    }

    /// Whether jobs arrive at the same groups.
    fn has_jobs_where(&self, saved: &Self) -> bool {
        let lines = saved.jobs.iter().map(Option::is_some);
        lines.eq(self.jobs.iter().map(Option::is_some))
    }

    fn has_possible_tasks(&self, now: SimTime) -> bool {
        let both = || self.tasks.iter().zip(&self.infos);
        let running = self.tasks.iter().filter(|t| t.state == TaskState::Running);
        let alive = both().filter(|(t, i)| t.state != TaskState::Exited && !i.background);
        running.count() == self.curr.iter().flatten().count()
            && alive.count() == self.alive as usize
            && both().all(|(t, i)| self.is_possible(t, now) && self.knows(i))
            && self.curr.iter().enumerate().all(|(i, curr)| {
                let runs = |task: TaskId| self.runs_on(task, CpuId::new(i));
                curr.is_none_or(runs)
            })
    }

    fn knows(&self, info: &TaskInfo) -> bool {
        let cpus = self.curr.len();
        info.group.index() < self.group_sizes.len()
            && info.last_cpu.index() < cpus
            && info.allowed.intersects(&CpuMask::first(cpus))
            && info.parent.is_none_or(|p| p.index() < self.tasks.len())
    }

    fn is_possible(&self, t: &Task, now: SimTime) -> bool {
        let cpus = self.curr.len();
        let a = &t.account;
        let known = a.run_ns.checked_add(a.wait_ns);
        let known = known.and_then(|x| x.checked_add(a.sleep_ns));
        t.queue.is_none_or(|c| c.index() < cpus)
            && (t.stop != Stop::Held || t.state == TaskState::Sleeping)
            && t.since <= now
            && t.queued_at <= now
            && t.wake_cpu.index() < cpus
            && known.is_some_and(|x| x <= now.0)
    }

    fn runs_on(&self, task: TaskId, cpu: CpuId) -> bool {
        let i = task.index();
        i < self.tasks.len()
            && self.tasks[i].state == TaskState::Running
            && self.infos[i].last_cpu == cpu
    }
}
