//! What balancing asks the caches that processes prefer.

use super::CacheVerdict;
use crate::linux::balance::Idleness;
use crate::linux::clock::LastTicks;
use crate::linux::machine::Machine;
use crate::linux::machine::balance::{Attempt, Migration};
use crate::linux::machine::select::Selects;
use crate::linux::signed;
use crate::linux::tables::Tables;
use sim_contract::cx::Cx;
use sim_ground::ids::{CpuId, CpuMask, TaskId};

/// A scheduler whose balancer knows such caches.
pub(crate) trait Gathering: Selects {
    /// A tick of a running task looks at its process (`task_tick_cache`).
    fn cache_tick(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId) {
        let now = cx.now.0;
        let due = self.caches().and_then(|c| c.due(task));
        if due.is_none_or(|due| now < due) || self.state().is_real_time(task) {
            return;
        }
        // What other CPUs ran up to their last ticks counts.
        self.look_at_all(now);
        let jiffies = self.tun().jiffies(now);
        let among = self.searched(cx, cpu, task);
        let pages = self.numa().map_or(0, |n| n.footprint(task));
        let Some(caches) = self.caches() else {
            return;
        };
        let process = caches.member(task);
        let runs = |c: &CpuId| {
            let curr = self.state().current(*c);
            curr.is_some_and(|t| caches.member(t) == process)
        };
        let whole = |c: &CpuId| !caches.cpus[caches.of(*c)].and(&among).is_empty();
        let running = cx.machine.cpu_ids().filter(whole).filter(runs).count();
        let times = [now, jiffies, pages];
        let running = i64::try_from(running).unwrap_or(i64::MAX);
        let told = self
            .caches_mut()
            .and_then(|c| c.scan([CpuMask::only(cpu), among], task, times, running));
        if let Some((reason, operands)) = told {
            cx.explain(Some(cpu), Some(task), reason, operands);
        }
    }

    /// The CPUs whose caches are compared: all, or the nodes of memory, home and CPU (`get_scan_cpumasks`).
    fn searched(&self, cx: &Cx<'_>, cpu: CpuId, task: TaskId) -> CpuMask {
        let all = CpuMask::first(self.domains().of.len());
        let Some(preferred) = self.numa().and_then(|n| n.preferred(task)) else {
            return all;
        };
        let home = self.caches().and_then(|c| c.home(task, cx.now.0));
        let node = |c: CpuId| cx.machine.place(c).node;
        let nodes = [Some(preferred), home.map(node), Some(node(cpu))];
        let ours = |c: &CpuId| nodes.contains(&Some(node(*c)));
        all.iter().filter(ours).collect()
    }

    /// The cache that a task prefers. Memory on another node comes before it (`get_pref_llc`).
    fn preferred_cache(&self, cx: &Cx<'_>, task: TaskId) -> Option<usize> {
        let caches = self.caches()?;
        let home = caches.home(task, cx.now.0)?;
        let memory = self.numa().and_then(|n| n.preferred(task));
        let fits = memory.is_none_or(|node| cx.machine.place(home).node == node);
        fits.then(|| caches.of(home))
    }

    /// The number of tasks on a CPU that prefer a cache, those that sleep in their queue included (`llc_counts`).
    fn prefer_cache(&self, cx: &Cx<'_>, cpu: CpuId, cache: usize) -> u64 {
        let there = |t: &TaskId| self.preferred_cache(cx, *t) == Some(cache);
        self.state().each_fair(cpu).filter(there).count() as u64
    }

    /// The number of tasks of a group that prefer the cache of the CPU that pulls, and whether one of them should go there
    /// (`llc_balance`). The CPUs are those of the group.
    fn gathers(&self, cx: &Cx<'_>, a: &Attempt, cpus: &[CpuId]) -> (u64, bool) {
        let domain = &self.domains().of[a.owner.index()][a.level];
        let (Some(caches), false) = (self.caches(), domain.flags.share_cache) else {
            return (0, false);
        };
        let to = caches.of(a.cpu);
        let others = cpus.iter().filter(|c| a.from.contains(**c));
        let others = others.filter(|c| caches.of(**c) != to);
        let tasks: u64 = others.map(|c| self.prefer_cache(cx, *c, to)).sum();
        let failed = self.side(a.owner).domains[a.level].nr_balance_failed;
        let from = cpus.first().map(|c| caches.of(*c));
        let wants = |from| caches.may_move([from, to], 0, true) == CacheVerdict::Wanted;
        let is_wanted = failed <= domain.cache_nice_tries && tasks > 0 && from.is_some_and(wants);
        (tasks, is_wanted)
    }

    /// Notes the load of a cache, if a group of this level is one and this is no newly idle CPU
    /// (`record_sg_llc_stats`).
    fn note_cache(&mut self, a: &Attempt, cpus: &[CpuId], load: (u64, u64)) {
        let domains = &self.domains().of[a.cpu.index()];
        let is_cache = |level: usize| domains.get(level).is_some_and(|d| d.flags.share_cache);
        let below = a.level.checked_sub(1).is_some_and(is_cache);
        if a.idle == Idleness::New || !below || is_cache(a.level) {
            return;
        }
        if let (Some(cpu), Some(caches)) = (cpus.first(), self.caches_mut()) {
            let cache = caches.of(*cpu);
            caches.st.loads[cache] = load;
        }
    }

    /// Whether caches keep a task where it is (`migrate_degrades_llc`); the reason is recorded. The second value: whether
    /// that is no failure of balancing.
    fn cache_keeps(&self, cx: &mut Cx<'_>, a: &Attempt, src: CpuId, task: TaskId) -> Option<bool> {
        let caches = self.caches()?;
        let failed = self.side(a.owner).domains[a.level].nr_balance_failed;
        let tries = self.domains().of[a.owner.index()][a.level].cache_nice_tries;
        if !caches.st.settings.on || failed > tries {
            return None;
        }
        let [from, to] = [caches.of(src), caches.of(a.cpu)];
        if a.migration == Migration::Cache && self.preferred_cache(cx, task) != Some(to) {
            let operands = [i64::from(src.0), 0, 0, 0];
            cx.explain(
                Some(a.cpu),
                Some(task),
                caches.why.prefers_other_cache,
                operands,
            );
            return Some(false);
        }
        let home = caches.of(caches.home(task, cx.now.0)?);
        let process = caches.process(task)?;
        let related = from != to && (home == from || home == to);
        if !related || caches.unfit(process, a.cpu, 0).is_some() {
            return None;
        }
        let util = self.task_avg(task).util_avg;
        let CacheVerdict::Forbidden([here, there]) = caches.may_move([from, to], util, home == to)
        else {
            return None;
        };
        let operands = [signed(here), signed(there), i64::from(failed), 0];
        cx.explain(
            Some(a.cpu),
            Some(task),
            caches.why.migrate_degrades_llc,
            operands,
        );
        Some(a.migration != Migration::Cache)
    }

    /// Whether what runs on a CPU is not pushed, because it would leave its cache (`alb_break_llc`).
    fn cache_holds(&self, cx: &mut Cx<'_>, a: &Attempt, src: CpuId) -> bool {
        let Some(caches) = self.caches() else {
            return false;
        };
        let [from, to] = [caches.of(src), caches.of(a.cpu)];
        if from == to {
            return false;
        }
        let tasks = self.tasks_of(src).runnable;
        let stays = |t: &TaskId| !self.is_delayed(*t) && self.preferred_cache(cx, *t) == Some(from);
        let staying = self.state().each_fair(src).filter(stays).count();
        if staying == 0 || staying != tasks as usize {
            return false;
        }
        let running = self.state().running(src);
        let curr = self.state().current(src);
        let fair = curr.filter(|t| !self.state().is_real_time(*t));
        let util = fair.map_or(0, |t| self.task_avg(t).util_avg);
        let forbidden = matches!(
            caches.may_move([from, to], util, false),
            CacheVerdict::Forbidden(_)
        );
        if running > 1 && !forbidden {
            return false;
        }
        let operands = [i64::from(src.0), i64::from(tasks), a.number(), 0];
        cx.explain(Some(a.owner), curr, caches.why.alb_break_llc, operands);
        true
    }

    /// Whether a push that was asked for is to bring a task to its cache; then none of the others may go.
    fn pushes_to_cache(&self, src: CpuId) -> bool {
        self.caches().is_some_and(|c| c.st.gathers[src.index()])
    }

    /// Notes that for a push.
    fn note_push(&mut self, src: CpuId, gathers: bool) {
        if let Some(caches) = self.caches_mut() {
            caches.st.gathers[src.index()] = gathers;
        }
    }
}

impl<S: Machine> Gathering for S {}
