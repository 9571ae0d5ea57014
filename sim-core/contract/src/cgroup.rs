//! Control groups: a tree of groups of tasks with weights and CPU limits, as a scheduler receives it.

use sim_ground::ids::{CpuId, GroupId};

/// A control group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cgroup {
    /// Its name in the scenario.
    pub name: String,
    /// The group that it lies in, by its number; `None` for the root. Parents come before their children.
    pub parent: Option<u32>,
    /// Its weight, 1024 for the usual one.
    pub shares: u64,
    /// `cpu.idle`.
    pub idle: bool,
    /// `cpu.max`.
    pub limit: Limit,
}

/// What an era of a scheduler makes of control groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CgroupSupport {
    /// Their weights count; it ignores their limits.
    Weights,
    /// Weights and limits.
    Limits,
}

/// A limit of CPU time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// CPU time in each period, in ns; `None` for no limit.
    pub quota_ns: Option<u64>,
    /// Length of a period in ns.
    pub period_ns: u64,
    /// How much unused time may be saved beyond the quota, in ns.
    pub burst_ns: u64,
    /// Where in a period the grid of its periods begins, in ns; as the release has it if left out.
    pub phase_ns: Option<u64>,
}

/// A change of a control group during the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CgroupChange {
    /// Another weight, 1024 for the usual one.
    Shares(u64),
    /// Another quota; `None` for no limit.
    Quota(Option<u64>),
    /// Another length of periods.
    Period(u64),
    /// Another amount that may be saved.
    Burst(u64),
}

/// The tree of a scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cgroups {
    /// All groups; numbers are positions in this list.
    pub groups: Vec<Cgroup>,
    /// The control group of each group of threads; `None` for the root.
    pub of: Vec<Option<u32>>,
}

impl Cgroups {
    /// The control group of a group of threads.
    #[must_use]
    pub fn of_threads(&self, group: GroupId) -> Option<u32> {
        self.of.get(group.index()).copied().flatten()
    }

    /// The groups of threads in a control group and below it, by number.
    #[must_use]
    pub fn threads_below(&self, group: u32) -> Vec<u32> {
        let parent = |at: u32| self.groups.get(at as usize).and_then(|g| g.parent);
        let is_below = |own: Option<u32>| {
            let mut above = std::iter::successors(own, |at| parent(*at));
            above.any(|at| at == group)
        };
        let threads = self.of.iter().zip(0..);
        let below = threads.filter(|(own, _)| is_below(**own));
        below.map(|(_, number)| number).collect()
    }
}

/// A CPU on which a limit throttles a control group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// The CPU.
    pub cpu: CpuId,
    /// Since when, in ns from the start of the run.
    pub since_ns: u64,
}

/// What a scheduler counts of a control group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CgroupCounts {
    /// Periods in which its limit was looked after.
    pub periods: u64,
    /// Those in which it was throttled.
    pub throttled: u64,
    /// Time for which its own limit throttled it, in ns, added up over CPUs.
    pub throttled_ns: u64,
    /// The same, with the time for which a limit above it did.
    pub throttled_all_ns: u64,
    /// Periods in which it used time that it had saved.
    pub bursts: u64,
    /// The time that it had saved and used then, in ns.
    pub burst_ns: u64,
    /// Its quota now, in ns; 0 without a limit.
    pub quota_ns: u64,
    /// Time that its pool holds now, in ns.
    pub pool_ns: u64,
    /// Time that it may use now, in ns: that of its pool, and what its queues have taken from it and not used.
    pub left_ns: u64,
    /// CPUs on which its own limit throttles it now. Releases that count only while there are tasks leave out the others.
    pub held: Vec<Held>,
    /// Length of its periods, in ns.
    pub period_ns: u64,
    /// When its pool was filled last, in ns from the start of the run.
    pub filled_at_ns: u64,
    /// When its time comes back, in ns from the start of the run; 0 if it has no limit or nothing waits for that.
    pub refill_at_ns: u64,
}

/// What is counted of a control group: id, unit (`ns` or nothing), what it is, and where it stands.
pub type CountEntry = (
    &'static str,
    &'static str,
    &'static str,
    fn(&CgroupCounts) -> u64,
);

/// All counts, as `cpu.stat` and `cpu.stat.local` have them.
pub const COUNTS: &[CountEntry] = &[
    (
        "nrPeriods",
        "",
        "Periods in which the limit was looked after.",
        |c| c.periods,
    ),
    (
        "nrThrottled",
        "",
        "Periods in which it had used its time.",
        |c| c.throttled,
    ),
    (
        "throttledTime",
        "ns",
        "Time for which its own limit throttled it, added up over CPUs.",
        |c| c.throttled_ns,
    ),
    (
        "throttledTimeInherited",
        "ns",
        "The same, and time for which a limit above it did.",
        |c| c.throttled_all_ns,
    ),
    (
        "nrBursts",
        "",
        "Periods in which it used time that it had saved.",
        |c| c.bursts,
    ),
    ("burstTime", "ns", "Time that it had saved and used.", |c| {
        c.burst_ns
    }),
];
