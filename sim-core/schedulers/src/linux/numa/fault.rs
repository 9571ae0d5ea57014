//! A thread touches a marked page: whether the page moves, and what the fault says about the thread.

use super::{Host, Move, Numa, Rules, number, signed};
use sim_contract::cx::Cx;
use sim_contract::memory::{PageFate, Touched};
use sim_ground::ids::{CpuId, NodeId, TaskId};
use sim_machine::cost::pages::PAGE;

/// Number of pages that may move to a node in [`LIMIT_MS`] (`ratelimit_pages` @ Linux 4.9).
const LIMIT_PAGES: u64 = (128 << 20) / PAGE;
/// In ms (`migrate_interval_millisecs` @ Linux 4.9).
const LIMIT_MS: u64 = 100;
/// A thread is young up to this many scans (6.12).
const YOUNG: u32 = 4;

/// The node of the CPU that faulted on a page before, and whether the faulting thread was the same.
pub type LastFaulter = Option<(NodeId, bool)>;

/// Whether a page should move to the node whose CPU faults on it (`should_numa_migrate_memory`). `settled`: the number
/// of scans that the thread has seen, if it has a preferred node.
#[must_use]
pub fn should_move(rules: &Rules, last: LastFaulter, here: NodeId, settled: Option<u32>) -> bool {
    let young = settled.is_none_or(|seq| seq <= YOUNG);
    match last {
        None => true,
        Some((_, true)) if rules.moves_early && young => true,
        Some((node, _)) => node == here,
    }
}

impl Numa {
    /// `task_numa_fault`, with the steps before it: what happens to the pages, and where the thread goes because of
    /// them.
    pub(crate) fn fault(
        &mut self,
        host: &mut (impl Host + ?Sized),
        cx: &mut Cx<'_>,
        cpu: CpuId,
        task: TaskId,
        touched: &Touched,
    ) -> (PageFate, Option<Move>) {
        let here = cx.machine.place(cpu).node;
        let now = self.jiffies(cx.now.0);
        let Some(t) = self.task(task).filter(|_| self.st.settings.on) else {
            return (PageFate::Stay, None);
        };
        let settled = t.preferred.map(|_| t.seq);
        let last = touched.last.map(|node| (node, true));
        let away = touched.on != here;
        let wanted = away && should_move(self.rules, last, here, settled);
        let fits = wanted && touched.room >= touched.pages && self.within_limit(here, touched, now);
        self.note(task, touched, wanted, fits);
        let place = self.learn(host, cx, cpu, task);
        let lands_on = if fits { here } else { touched.on };
        self.count(task, touched, away, lands_on, wanted && !fits);
        if touched.left == 0 {
            self.tell(cx, cpu, task, here, touched.room);
        }
        let fate = if fits { PageFate::Move } else { PageFate::Stay };
        (fate, place)
    }

    /// Whether the target node may take this many pages now (`numamigrate_update_ratelimit`).
    fn within_limit(&mut self, node: NodeId, touched: &Touched, now: u64) -> bool {
        if !self.rules.limits_rate {
            return true;
        }
        let span = self.ms_to_jiffies(LIMIT_MS);
        let window = &mut self.st.windows[node.index()];
        if now > window.ends {
            (window.ends, window.pages) = (now + span, 0);
        }
        if window.pages > LIMIT_PAGES {
            return false;
        }
        window.pages += touched.pages;
        true
    }

    fn note(&mut self, task: TaskId, touched: &Touched, wanted: bool, fits: bool) {
        let Some(t) = self.st.tasks[task.index()].as_mut() else {
            return;
        };
        let sweep = &mut t.sweep;
        sweep.pages += touched.pages;
        if fits {
            sweep.moved += touched.pages;
        } else if wanted {
            sweep.failed += touched.pages;
        }
    }

    /// Counts the fault for the node that holds the page now.
    fn count(&mut self, task: TaskId, touched: &Touched, away: bool, on: NodeId, failed: bool) {
        let faults = touched.pages.div_ceil(self.st.settings.per_fault());
        let c = &mut self.st.counters;
        c.hint_faults += faults;
        if !away {
            c.hint_faults_local += faults;
        } else if on != touched.on {
            c.pages_migrated += touched.pages;
        }
        let Some(t) = self.st.tasks[task.index()].as_mut() else {
            return;
        };
        t.faulted = true;
        t.buffer[on.index()] += touched.pages;
        let n = &mut t.counted;
        n.private += touched.pages;
        if away {
            n.remote += touched.pages;
        } else {
            n.local += touched.pages;
        }
        if failed {
            n.failed += touched.pages;
        } else if away && on == touched.on {
            t.sweep.refused += touched.pages;
            t.sweep.refused_on = touched.on.0;
            t.sweep.refused_last = touched.last.map_or(u16::MAX, |n| n.0);
        }
    }

    /// All marked pages have been touched: records what happened to them.
    fn tell(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId, here: NodeId, room: u64) {
        let Some(t) = self.st.tasks[task.index()].as_mut() else {
            return;
        };
        let sweep = std::mem::take(&mut t.sweep);
        let node = number(Some(here));
        let mut told = Vec::new();
        if sweep.moved > 0 {
            let operands = [
                signed(sweep.moved),
                signed(sweep.pages),
                node,
                signed(cx.memory[task.index()].pages()),
            ];
            told.push((self.reasons.numa_pages_migrated, operands));
        }
        if sweep.refused > 0 {
            let last = (sweep.refused_last != u16::MAX).then_some(NodeId(sweep.refused_last));
            let operands = [
                signed(sweep.refused),
                i64::from(sweep.refused_on),
                number(last),
                node,
            ];
            told.push((self.reasons.numa_pages_refused, operands));
        }
        if sweep.failed > 0 {
            let operands = [signed(sweep.failed), node, signed(room), 0];
            told.push((self.reasons.numa_pages_failed, operands));
        }
        for (reason, operands) in told {
            cx.explain(Some(cpu), Some(task), reason, operands);
        }
    }
}
