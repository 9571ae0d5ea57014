//! Last-level caches that processes prefer: the tasks of a process gather in one of them (since 7.2, `SCHED_CACHE`). It
//! exists only on machines with several such caches.
//!
//! | item | kernel function @ 7.3.4 |
//! |---|---|
//! | [`Runtime`], [`Caches::ran`] | `__update_mm_sched`, `account_mm_sched` |
//! | [`Caches::scan`] | `task_tick_cache`, `task_cache_work` |
//! | [`Caches::unfit`] | `invalid_llc_nr`, `exceed_llc_capacity` |
//! | [`Caches::may_move`] | `can_migrate_llc` |
//! | [`gathering`] | `llc_balance`, `record_sg_llc_stats`, `migrate_degrades_llc`, `alb_break_llc` |
//!
//! Deviations:
//!
//! | what | here |
//! |---|---|
//! | run time | counts in the period in which it was run; in the kernel, in that of the next tick |
//! | the preference of a task | that of its process at once; in the kernel, as of when the task last ran |
//! | a process that prefers no cache any more | is found at its next scan; in the kernel, at its next tick |

mod gathering;

#[cfg(test)]
mod tests;

pub(crate) use gathering::Gathering;

use crate::linux::reasons::Reasons;
use crate::linux::signed;
use serde::{Deserialize, Serialize};
use sim_contract::decision::Reason;
use sim_ground::ids::{CpuId, CpuMask, TaskId};
use sim_ground::params::{ParamSpec, Params};
use sim_machine::Machine as Hardware;
use sim_machine::cost::pages::PAGE;

sim_ground::constants! {
    /// A process is looked at once in so many hundredths of a second, and what it ran counts half.
    EPOCHS_PER_SECOND: u64 = 100, "Hz", Published, "EPOCH_PERIOD @ Linux 7.3";
    /// Periods after which a process that was not looked at prefers no cache.
    EPOCH_TIMEOUT: u64 = 5, "periods", Published, "EPOCH_LLC_AFFINITY_TIMEOUT @ Linux 7.3";
    /// A cache is busy from this utilisation of its CPUs on; half as much again where cores have one thread.
    OVERAGGR_PCT: u64 = 50, "%", Published, "llc_overaggr_pct @ Linux 7.3";
    /// By how much a cache must be busier than another to count as busier.
    IMB_PCT: u64 = 20, "%", Published, "llc_imb_pct @ Linux 7.3";
}

/// Occupancy of a process that alone ran on a CPU (`NICE_0_LOAD`).
const WHOLE: u64 = 1 << 20;
/// From this tolerance on no process is too large.
const ANY: u64 = 100;

pub(crate) const CACHE_AWARE: ParamSpec = ParamSpec::flag("cacheAware", true)
    .label("llc_balancing")
    .summary("The threads of a process gather in one last-level cache, if the machine has several and the process fits in.");
pub(crate) const AGGR_TOLERANCE: ParamSpec =
    ParamSpec::int("llcAggrTolerance", 0, 100, 1)
        .label("aggr_tolerance")
        .unit("levels")
        .summary("How large a process may be that gathers. 1: it fits into a cache; more: larger; 0: none; 100: any.");

/// Run time that halves from period to period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Runtime {
    ns: u64,
    epoch: u64,
}

impl Runtime {
    fn age(&mut self, epoch: u64) {
        // A period that has been counted does not come again.
        let n = epoch.saturating_sub(self.epoch);
        self.ns = u32::try_from(n).map_or(0, |n| self.ns.checked_shr(n).unwrap_or(0));
        self.epoch = self.epoch.max(epoch);
    }

    fn add(&mut self, [from, to]: [u64; 2], period: u64) {
        // What is 64 periods old counts nothing.
        let oldest = (to / period).saturating_sub(u64::from(u64::BITS)) * period;
        let mut from = from.max(oldest);
        while from < to {
            let epoch = from / period;
            let end = to.min((epoch + 1) * period);
            self.age(epoch);
            self.ns += end - from;
            from = end;
        }
    }
}

/// A process (`struct sched_cache_group`).
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Process {
    key: u32,
    threads: u32,
    /// The CPU of the preferred cache on which it ran most.
    home: Option<CpuId>,
    /// The period in which it was last looked at, and the jiffy before which it is not looked at again.
    epoch: u64,
    next_scan: u64,
    /// Average of its threads that run (`nr_running_avg`).
    running: i64,
    /// By CPU.
    ran: Vec<Runtime>,
}

/// What a task is for the caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Member {
    /// A kernel thread, or no task yet.
    None,
    /// A process of one thread.
    Alone,
    /// One of the threads of a process.
    Of(u32),
}

/// The tunables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Settings {
    on: bool,
    tolerance: u64,
}

impl Settings {
    /// `None` in a release that does not know them.
    pub(crate) fn new(params: &Params) -> Option<Self> {
        let has = params.specs().iter().any(|s| s.id == CACHE_AWARE.id);
        has.then(|| Self {
            on: params.flag(CACHE_AWARE.id),
            tolerance: params.get_u64(AGGR_TOLERANCE.id),
        })
    }
}

/// The part of it that is saved.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct CachesState {
    settings: Settings,
    processes: Vec<Process>,
    members: Vec<Member>,
    /// What each CPU ran.
    ran: Vec<Runtime>,
    /// Utilisation and capacity of each cache, as a periodic balancing last found them.
    loads: Vec<(u64, u64)>,
    /// By CPU: whether its stopper pushes a task to the cache that it prefers.
    gathers: Vec<bool>,
}

/// Caches that processes prefer.
#[derive(Clone, Debug)]
pub(crate) struct Caches {
    pub(crate) why: &'static Reasons,
    period: u64,
    jiffies: u64,
    /// The cache of each CPU, and the CPUs of each cache.
    of: Vec<usize>,
    cpus: Vec<CpuMask>,
    /// Its size in pages.
    pages: u64,
    /// Threads of a core.
    smt: u64,
    st: CachesState,
}

/// Whether caches let a task move (`enum llc_mig`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CacheVerdict {
    /// It would leave its cache without need, or crowd it. Both utilisations after the move.
    Forbidden([u64; 2]),
    /// It should go to its cache, or may leave it.
    Wanted,
    /// Caches say nothing about it.
    Free,
}

/// Why a process prefers no cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unfit {
    Alone,
    TooMany,
    TooLarge,
}

impl Caches {
    /// `None` where all CPUs share one cache, or none shares a cache with another (`sd_in_multi_llcs`).
    pub(crate) fn new(
        machine: &Hardware,
        why: &'static Reasons,
        [hz, jiffy_ns]: [u64; 2],
        settings: Settings,
    ) -> Option<Self> {
        let mut cpus: Vec<CpuMask> = Vec::new();
        let mut of = Vec::new();
        let mut smt = 1;
        for cpu in machine.cpu_ids() {
            let mask = *machine.llc_cpus(cpu);
            let known = cpus.iter().position(|c| *c == mask);
            of.push(known.unwrap_or_else(|| {
                cpus.push(mask);
                cpus.len() - 1
            }));
            smt = smt.max(machine.sibling_list(cpu).len() as u64);
        }
        if cpus.len() < 2 || cpus.iter().all(|c| c.count() < 2) {
            return None;
        }
        let jiffies = (hz / EPOCHS_PER_SECOND).max(1);
        let last = |c: CpuId| machine.caches().path(c).last().copied();
        let bytes = last(CpuId(0)).map_or(0, |i| machine.caches().spec(usize::from(i)).bytes);
        Some(Self {
            why,
            period: jiffies * jiffy_ns,
            jiffies,
            pages: bytes / PAGE,
            smt,
            st: CachesState {
                settings,
                processes: Vec::new(),
                members: Vec::new(),
                ran: vec![Runtime::default(); of.len()],
                loads: vec![(0, 0); cpus.len()],
                gathers: vec![false; of.len()],
            },
            of,
            cpus,
        })
    }

    /// Takes the tunables.
    pub(crate) fn set(&mut self, settings: Settings) {
        self.st.settings = settings;
    }

    /// What is saved of it.
    pub(crate) fn state(&self) -> &CachesState {
        &self.st
    }

    /// Restores what was saved, if it is of this machine.
    pub(crate) fn restore(&mut self, st: CachesState) -> bool {
        let fits = st.ran.len() == self.of.len()
            && st.loads.len() == self.cpus.len()
            && st.gathers.len() == self.of.len()
            && st.processes.iter().all(|p| p.ran.len() == self.of.len());
        if fits {
            self.st = st;
        }
        fits
    }

    /// A task begins. Returns whether its process has two threads now: before, nothing was looked at.
    /// A kernel thread has none.
    pub(crate) fn begin(&mut self, task: TaskId, process: Option<u32>, now: u64) -> bool {
        let at = task.index();
        if self.st.members.len() <= at {
            self.st.members.resize(at + 1, Member::None);
        }
        let Some(key) = process else {
            return false;
        };
        // Threads that do not share a process have numbers beyond those of groups.
        if key > u32::from(u16::MAX) {
            self.st.members[at] = Member::Alone;
            return false;
        }
        let known = self.st.processes.iter().position(|p| p.key == key);
        let process = known.unwrap_or_else(|| {
            self.st.processes.push(Process {
                key,
                threads: 0,
                home: None,
                epoch: now / self.period,
                next_scan: 0,
                running: 0,
                ran: vec![Runtime::default(); self.of.len()],
            });
            self.st.processes.len() - 1
        });
        self.st.members[at] = Member::Of(u32::try_from(process).unwrap_or(u32::MAX));
        self.st.processes[process].threads += 1;
        self.st.processes[process].threads == 2
    }

    /// A task has ended.
    pub(crate) fn end(&mut self, task: TaskId) {
        if let Some(p) = self.process_mut(task) {
            p.threads -= 1;
        }
        if let Some(member) = self.st.members.get_mut(task.index()) {
            *member = Member::None;
        }
    }

    fn member(&self, task: TaskId) -> Member {
        let of = self.st.members.get(task.index());
        of.copied().unwrap_or(Member::None)
    }

    fn process(&self, task: TaskId) -> Option<&Process> {
        match self.member(task) {
            Member::Of(p) => self.st.processes.get(p as usize),
            _ => None,
        }
    }

    fn process_mut(&mut self, task: TaskId) -> Option<&mut Process> {
        match self.member(task) {
            Member::Of(p) => self.st.processes.get_mut(p as usize),
            _ => None,
        }
    }

    /// A task ran on a CPU from one time to another.
    #[inline]
    pub(crate) fn ran(&mut self, cpu: CpuId, task: TaskId, span: [u64; 2]) {
        if !self.st.settings.on || self.member(task) == Member::None {
            return;
        }
        let period = self.period;
        self.st.ran[cpu.index()].add(span, period);
        if let Some(p) = self.process_mut(task) {
            p.ran[cpu.index()].add(span, period);
        }
    }

    /// The time from which a tick of a running task looks at its process.
    pub(crate) fn due(&self, task: TaskId) -> Option<u64> {
        let p = self.process(task)?;
        (self.st.settings.on && p.threads > 1).then_some((p.epoch + 1) * self.period)
    }

    /// The CPU in whose cache the process of a task gathers.
    fn home(&self, task: TaskId, now: u64) -> Option<CpuId> {
        let p = self.process(task)?;
        let fresh = now / self.period <= p.epoch + EPOCH_TIMEOUT;
        p.home.filter(|_| self.st.settings.on && fresh)
    }

    /// The cache of a CPU.
    pub(crate) fn of(&self, cpu: CpuId) -> usize {
        self.of[cpu.index()]
    }

    /// How much larger than a cache a process may be; `None` for any size (`get_sched_cache_scale`).
    fn scale(&self, by: u64) -> Option<u64> {
        match self.st.settings.tolerance {
            0 => Some(0),
            t if t >= ANY => None,
            t => Some(1 + (t - 1) * by),
        }
    }

    /// Why a process prefers no cache, as seen from a CPU.
    fn unfit(&self, p: &Process, cpu: CpuId, pages: u64) -> Option<Unfit> {
        if p.threads <= 1 {
            return Some(Unfit::Alone);
        }
        let size = u64::from(self.cpus[self.of(cpu)].count());
        let running = u64::try_from(p.running).unwrap_or(0) * self.smt;
        // `fits_capacity`
        let fits = |scale: u64| running * 1_280 < scale * size * 1_024;
        if self.scale(1).is_some_and(|scale| !fits(scale)) {
            return Some(Unfit::TooMany);
        }
        let large = |scale: u64| self.pages * scale < pages;
        (self.scale(256).is_some_and(large)).then_some(Unfit::TooLarge)
    }

    /// Whether a task with a utilisation may go from one cache to another. `towards`: it prefers the other one; if not, the
    /// one where it is.
    fn may_move(&self, [from, to]: [usize; 2], util: u64, towards: bool) -> CacheVerdict {
        let ((here, room_here), (there, room_there)) = (self.st.loads[from], self.st.loads[to]);
        // `src_util < tsk_util ? 0`
        let (here, there) = (here.saturating_sub(util), there + util);
        let pct = if self.smt == 1 {
            OVERAGGR_PCT * 3 / 2
        } else {
            OVERAGGR_PCT
        };
        let busy = |util: u64, room: u64| util * 100 >= room * pct;
        let more = |a: u64, b: u64| a * 100 > b * (100 + IMB_PCT);
        let (source, target) = (busy(here, room_here), busy(there, room_there));
        let forbidden = if towards {
            target && more(there, here)
        } else {
            !source || !more(here, there)
        };
        match (source && target, forbidden) {
            (true, _) => CacheVerdict::Free,
            (false, true) => CacheVerdict::Forbidden([here, there]),
            (false, false) => CacheVerdict::Wanted,
        }
    }

    /// What a process occupies of each cache, in [`WHOLE`] for a CPU, with the CPU where that is most.
    fn occupied(&mut self, process: usize, cache: usize, epoch: u64) -> (u64, Option<CpuId>) {
        let (mut all, mut most, mut at) = (0, 0, None);
        let p = &mut self.st.processes[process];
        for cpu in self.cpus[cache].iter() {
            let (own, whole) = (&mut p.ran[cpu.index()], &mut self.st.ran[cpu.index()]);
            own.age(epoch);
            whole.age(epoch);
            let occupied = WHOLE * own.ns / (whole.ns + 1);
            all += occupied;
            if occupied > most {
                (most, at) = (occupied, Some(cpu));
            }
        }
        (all, at)
    }

    /// Looks at the process of a running task: which of the caches it prefers. `running`: its threads that run. Returns
    /// what is to be told of a change.
    fn scan(
        &mut self,
        [cpu, among]: [CpuMask; 2],
        task: TaskId,
        [now, jiffies, pages]: [u64; 3],
        running: i64,
    ) -> Option<(Reason, [i64; 4])> {
        let Member::Of(index) = self.member(task) else {
            return None;
        };
        let (process, epoch) = (index as usize, now / self.period);
        let cpu = cpu.lowest()?;
        let p = &mut self.st.processes[process];
        if epoch <= p.epoch {
            return None;
        }
        if epoch > p.epoch + EPOCH_TIMEOUT {
            p.home = None;
        }
        p.epoch = epoch;
        if jiffies < p.next_scan {
            return None;
        }
        p.next_scan = jiffies + self.jiffies;
        let had = p.home;
        let unfit = self.unfit(&self.st.processes[process], cpu, pages);
        if let Some(unfit) = unfit {
            return self.drops(process, cpu, unfit, pages);
        }
        let (mut best, mut home, mut former) = (0, None, 0);
        for cache in 0..self.cpus.len() {
            let cpus = self.cpus[cache];
            // A CPU without a domain of its cache has none (`sd_llc`).
            if cpus.count() < 2 || cpus.and(&among).is_empty() {
                continue;
            }
            let (all, at) = self.occupied(process, cache, epoch);
            if all > best {
                (best, home) = (all, at);
            }
            if had.is_some_and(|had| cpus.contains(had)) {
                former = all;
            }
        }
        let size = i64::from(self.cpus[self.of(cpu)].count());
        let changes = best > 2 * former;
        let p = &mut self.st.processes[process];
        if changes {
            p.home = home;
        }
        // `update_avg_scale`: small differences are cut off.
        p.running += (running - p.running) / (size / 4).clamp(2, 8);
        if let Some(unfit) = self.unfit(&self.st.processes[process], cpu, pages) {
            return self.drops(process, cpu, unfit, pages);
        }
        let first = |c: CpuId| self.cpus[self.of(c)].lowest();
        let first = home.and_then(first).map_or(0, |c| i64::from(c.0));
        let occupied = [best, former].map(|o| signed(o * 1_024 / WHOLE));
        changes.then_some((
            self.why.cache_preferred,
            [first, occupied[0], occupied[1], running],
        ))
    }

    /// A process prefers no cache any more.
    fn drops(
        &mut self,
        process: usize,
        cpu: CpuId,
        unfit: Unfit,
        pages: u64,
    ) -> Option<(Reason, [i64; 4])> {
        let size = i64::from(self.cpus[self.of(cpu)].count());
        let p = &mut self.st.processes[process];
        p.home.take()?;
        match unfit {
            Unfit::Alone => None,
            Unfit::TooMany => Some((
                self.why.too_many_for_a_cache,
                [p.running, size, signed(self.smt), 0],
            )),
            Unfit::TooLarge => Some((
                self.why.too_large_for_a_cache,
                [signed(pages), signed(self.pages), 0, 0],
            )),
        }
    }
}
