//! `sched_pickcpu`: the CPU for a thread that becomes runnable.

use super::eras::Search;
use super::search::CpuSearch;
use super::{Ule, reasons};
use crate::freebsd::ranges::{PRI_MAX_IDLE, PRI_MAX_TIMESHARE, PRI_MIN_IDLE};
use sim_contract::cx::Cx;
use sim_contract::decision::{DecisionId, Reason};
use sim_ground::ids::{CpuId, CpuMask, TaskId};
use sim_machine::views::freebsd::{self, L2};

/// Whether the data that a thread left in a cache of a level still count as warm (`SCHED_AFFINITY`). They do if it was
/// switched out, at `rltick`, less than `affinity` ticks of hz for each level ago. Level 0, where no cache is shared,
/// never counts.
#[must_use]
pub fn is_warm(rltick: i64, now: i64, level: u8, affinity: i64) -> bool {
    rltick > now - i64::from(level) * affinity
}

impl Ule {
    pub(super) fn is_warm(&self, cx: &Cx<'_>, task: TaskId, level: u8) -> bool {
        let rltick = self.st.threads[task.index()].rltick;
        is_warm(rltick, self.ticks(cx), level, self.st.tune.affinity)
    }

    fn lowpri(&self, cpu: CpuId) -> u8 {
        self.st.tdqs[cpu.index()].lowpri
    }

    fn load(&self, cpu: CpuId) -> u32 {
        self.st.tdqs[cpu.index()].load
    }

    /// Chooses a CPU, counts the choice and explains it.
    pub(super) fn pick_cpu(&mut self, cx: &mut Cx<'_>, task: TaskId) -> (CpuId, DecisionId) {
        let last = self.st.threads[task.index()].cpu;
        let (cpu, reason) = if self.st.threads[task.index()].pinned {
            (last, reasons::PINNED)
        } else if self.st.tdqs.len() == 1 {
            (last, reasons::ONLY_CPU)
        } else {
            match self.era.search {
                Search::IdleMask => self.pick_by_idle_mask(cx, task),
                Search::FirstLowest => self.pick_first_lowest(cx, task),
                Search::RandomTies => self.pick_with_random_ties(cx, task),
                Search::Rotating => self.pick_rotating(cx, task),
            }
        };
        let counters = &mut self.st.counters;
        match reason {
            reasons::PICKCPU_IDLE_AFFINITY => counters.pickcpu_idle_affinity += 1,
            reasons::PICKCPU_AFFINITY_LAST | reasons::PICKCPU_AFFINITY => {
                counters.pickcpu_affinity += 1
            }
            reasons::PICKCPU_LOWEST => counters.pickcpu_lowest += 1,
            reasons::PICKCPU_LOCAL => counters.pickcpu_local += 1,
            reasons::PICKCPU_INTRBIND => counters.pickcpu_intrbind += 1,
            _ => {}
        }
        counters.pickcpu_migration += u64::from(cpu != last);
        let operands = [
            i64::from(self.st.threads[task.index()].pri),
            i64::from(self.load(cpu)),
            i64::from(self.lowpri(cpu)),
            i64::from(last.0),
        ];
        (cpu, cx.explain(Some(cpu), Some(task), reason, operands))
    }

    /// CPUs that a thread may use.
    fn allowed(&self, cx: &Cx<'_>, task: TaskId) -> CpuMask {
        let all = CpuMask::first(self.st.tdqs.len());
        cx.task(task).allowed.and(&all)
    }

    /// The CPU whose interrupt wakes this thread, if it is an interrupt thread.
    fn is_interrupt_here(&self, cx: &Cx<'_>, task: TaskId) -> Option<CpuId> {
        let pri = self.st.threads[task.index()].pri;
        let here = cx.cpu.filter(|c| cx.task(task).allowed.contains(*c))?;
        (pri <= self.era.ranges.max_ithd && cx.interrupt).then_some(here)
    }

    /// The choice of October 2007.
    fn pick_by_idle_mask(&mut self, cx: &mut Cx<'_>, task: TaskId) -> (CpuId, Reason) {
        let last = self.st.threads[task.index()].cpu;
        let pri = self.st.threads[task.index()].pri;
        let allowed = self.allowed(cx, task);
        if allowed.contains(last) {
            if self.lowpri(last) >= PRI_MIN_IDLE {
                return (last, reasons::PICKCPU_IDLE_AFFINITY);
            }
            // All levels use the same number of ticks.
            if self.is_warm(cx, task, 1) && self.lowpri(last) > pri {
                return (last, reasons::PICKCPU_AFFINITY_LAST);
            }
        }
        let idle = self.idle_groups().and(&allowed);
        if let Some(cpu) = idle.lowest() {
            return (cpu, reasons::IDLE_MASK);
        }
        if let Some(here) = cx.cpu.filter(|c| allowed.contains(*c))
            && self.st.tune.tryself
            && pri < self.running_pri(here)
        {
            return (here, reasons::TRYSELF);
        }
        let mut best: Option<(CpuId, (i64, i64))> = None;
        for cpu in allowed.iter() {
            let lowpri = -i64::from(self.lowpri(cpu));
            let load = i64::from(self.load(cpu));
            let key = if self.st.tune.pick_pri {
                (lowpri, load)
            } else {
                (load, lowpri)
            };
            cx.candidate(Some(cpu), Some(task), key.0, "- lowpri or load");
            // Among equals the last one wins.
            if best.is_none_or(|(_, b)| key <= b) {
                best = Some((cpu, key));
            }
        }
        let cpu = best.map_or(last, |(cpu, _)| cpu);
        let reason = if !self.st.tune.pick_pri {
            reasons::PICK_LOAD
        } else if self.lowpri(cpu) == PRI_MAX_IDLE {
            reasons::PICK_IDLE
        } else {
            reasons::PICK_PRI
        };
        (cpu, reason)
    }

    /// CPUs whose whole group (threads of a core) is idle (`tdq_idle`).
    fn idle_groups(&self) -> CpuMask {
        let mut all = CpuMask::EMPTY;
        for cpu in self.st.idle.iter() {
            let leaf = self.topo.group(self.topo.leaf(cpu));
            if !leaf.thread || leaf.mask.is_subset_of(&self.st.idle) {
                all.insert(cpu);
            }
        }
        all
    }

    /// The choice of 8.0.
    fn pick_first_lowest(&mut self, cx: &mut Cx<'_>, task: TaskId) -> (CpuId, Reason) {
        let here = cx.cpu;
        if let Some(here) = self.is_interrupt_here(cx, task) {
            self.st.threads[task.index()].cpu = here;
        }
        let last = self.st.threads[task.index()].cpu;
        let pri = self.st.threads[task.index()].pri;
        let allowed = self.allowed(cx, task);
        if allowed.contains(last) {
            if self.lowpri(last) > PRI_MIN_IDLE {
                return (last, reasons::PICKCPU_IDLE_AFFINITY);
            }
            if self.is_warm(cx, task, L2) && self.lowpri(last) > pri {
                return (last, reasons::PICKCPU_AFFINITY_LAST);
            }
        }
        let levels: Vec<usize> = self.topo.outward(last).collect();
        let warm = levels
            .into_iter()
            .find(|g| self.is_warm(cx, task, self.topo.group(*g).level));
        let want = |pri: i32| CpuSearch {
            pri,
            task: Some(task),
            ..CpuSearch::lowest(allowed)
        };
        let on = here.unwrap_or_default();
        let mut found = None;
        if let Some(group) = warm {
            found = self
                .find_lowest(cx, on, group, &want(i32::from(pri)))
                .map(|cpu| (cpu, reasons::PICKCPU_AFFINITY));
        }
        let (cpu, reason) = found.unwrap_or_else(|| {
            let cpu = self.find_lowest(cx, on, 0, &want(-1)).unwrap_or(last);
            (cpu, reasons::PICKCPU_LOWEST)
        });
        if let Some(here) = here.filter(|h| allowed.contains(*h))
            && self.lowpri(here) > pri
            && self.lowpri(cpu) < PRI_MIN_IDLE
        {
            return (here, reasons::PICKCPU_LOCAL);
        }
        (cpu, reason)
    }

    /// Whether all CPUs of a core are idle.
    fn core_is_idle(&self, group: usize) -> bool {
        let cpus = &self.topo.group(group).cpus;
        cpus.iter().all(|c| self.lowpri(*c) >= PRI_MIN_IDLE)
    }

    /// Whether the last CPU is idle and warm, and no other thread of its core is busy.
    fn last_is_good(&self, cx: &Cx<'_>, task: TaskId, last: CpuId) -> bool {
        let leaf = self.topo.leaf(last);
        cx.task(task).allowed.contains(last)
            && self.lowpri(last) >= PRI_MIN_IDLE
            && self.is_warm(cx, task, L2)
            && (!self.topo.group(leaf).thread || self.core_is_idle(leaf))
    }

    /// The last steps from 2012 on: a search of all CPUs, and a comparison with this CPU.
    fn pick_anywhere(
        &mut self,
        cx: &mut Cx<'_>,
        task: TaskId,
        found: Option<(CpuId, Reason)>,
        running: bool,
    ) -> (CpuId, Reason) {
        let here = cx.cpu;
        let on = here.unwrap_or_default();
        let last = self.st.threads[task.index()].cpu;
        let pri = self.st.threads[task.index()].pri;
        let allowed = self.allowed(cx, task);
        let mut found = found;
        for pri in [i32::from(pri), -1] {
            if found.is_none() {
                let want = CpuSearch {
                    pri,
                    prefer: Some(last),
                    running,
                    task: Some(task),
                    ..CpuSearch::lowest(allowed)
                };
                found = self
                    .find_lowest(cx, on, 0, &want)
                    .map(|cpu| (cpu, reasons::PICKCPU_LOWEST));
            }
        }
        let (cpu, reason) = found.unwrap_or((last, reasons::PICKCPU_LOWEST));
        if let Some(here) = here.filter(|h| allowed.contains(*h))
            && self.lowpri(here) > pri
            && self.lowpri(cpu) < PRI_MIN_IDLE
            && self.load(here) <= self.load(cpu) + 1
        {
            return (here, reasons::PICKCPU_LOCAL);
        }
        (cpu, reason)
    }

    /// The choice of 2013 to 2017.
    fn pick_with_random_ties(&mut self, cx: &mut Cx<'_>, task: TaskId) -> (CpuId, Reason) {
        let pri = self.st.threads[task.index()].pri;
        if let Some(here) = self.is_interrupt_here(cx, task) {
            self.st.threads[task.index()].cpu = here;
            if self.lowpri(here) > pri {
                return (here, reasons::PICKCPU_INTRBIND);
            }
        }
        let last = self.st.threads[task.index()].cpu;
        if self.last_is_good(cx, task, last) {
            return (last, reasons::PICKCPU_IDLE_AFFINITY);
        }
        // The highest group outside the core that is still warm.
        let mut group = None;
        for g in self.topo.outward(last) {
            let cg = self.topo.group(g);
            if !cg.thread && self.is_warm(cx, task, cg.level) {
                group = Some(g);
            }
        }
        let found = match group {
            Some(g) if g != 0 => self.idle_in(cx, task, g, false),
            _ => None,
        };
        self.pick_anywhere(cx, task, found, false)
    }

    /// An idle CPU of a group.
    fn idle_in(
        &mut self,
        cx: &mut Cx<'_>,
        task: TaskId,
        group: usize,
        running: bool,
    ) -> Option<(CpuId, Reason)> {
        let t = &self.st.threads[task.index()];
        let want = CpuSearch {
            pri: i32::from(t.pri.max(PRI_MAX_TIMESHARE)),
            prefer: Some(t.cpu),
            running,
            task: Some(task),
            ..CpuSearch::lowest(self.allowed(cx, task))
        };
        let on = cx.cpu.unwrap_or_default();
        self.find_lowest(cx, on, group, &want)
            .map(|cpu| (cpu, reasons::PICKCPU_AFFINITY))
    }

    /// The choice of 2024 and later.
    fn pick_rotating(&mut self, cx: &mut Cx<'_>, task: TaskId) -> (CpuId, Reason) {
        let interrupt = self.is_interrupt_here(cx, task);
        let running = {
            let t = &self.st.threads[task.index()];
            self.st.tdqs[t.cpu.index()].curr == Some(task)
        };
        if let Some(here) = interrupt {
            if self.lowpri(here) >= PRI_MIN_IDLE {
                return (here, reasons::PICKCPU_IDLE_AFFINITY);
            }
            self.st.threads[task.index()].cpu = here;
        }
        let last = self.st.threads[task.index()].cpu;
        if interrupt.is_none() && self.last_is_good(cx, task, last) {
            return (last, reasons::PICKCPU_IDLE_AFFINITY);
        }
        let mut group = None;
        for g in self.topo.outward(last) {
            let cg = self.topo.group(g);
            let usable = !cg.thread && cg.children.len() != 1 && cg.cpus.len() != 1;
            let warm = interrupt.is_some() || self.is_warm(cx, task, cg.level);
            if usable && cg.level != freebsd::NONE && warm {
                group = Some(g);
            }
        }
        let found = match group.filter(|g| *g != 0) {
            Some(g) if interrupt.is_some() => {
                let pri = i32::from(self.st.threads[task.index()].pri);
                let want = CpuSearch {
                    pri,
                    prefer: Some(last),
                    running,
                    task: Some(task),
                    ..CpuSearch::lowest(self.allowed(cx, task))
                };
                let on = cx.cpu.unwrap_or_default();
                self.find_lowest(cx, on, g, &want)
                    .map(|cpu| (cpu, reasons::PICKCPU_INTRBIND))
            }
            Some(g) => self.idle_in(cx, task, g, running),
            None => None,
        };
        self.pick_anywhere(cx, task, found, running)
    }

    /// Priority of the running thread of a CPU.
    pub(super) fn running_pri(&self, cpu: CpuId) -> u8 {
        let curr = self.st.tdqs[cpu.index()].curr;
        curr.map_or(PRI_MAX_IDLE, |task| self.st.threads[task.index()].pri)
    }
}
