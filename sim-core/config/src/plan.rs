//! A checked scenario, ready to run: every reference resolved, every number in range.

use super::{Scenario, Timing};
use sim_contract::cgroup::{CgroupSupport, Cgroups};
use sim_contract::flags::Policy;
use sim_contract::{EraInfo, RECORDED, Registry, SchedulerInfo};
use sim_ground::ids::{CpuMask, GroupId};
use sim_ground::params::Params;
use sim_machine::Machine;
use sim_machine::spec::{IdleSpec, IdleWake, Numbering};
use sim_workload::BehaviourInfo;
use std::sync::Arc;

/// The tunable of schedulers that can group threads by application.
const GROUPS: &str = "groupPerApplication";

/// A runnable scenario.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The scenario from which it was made.
    pub scenario: Scenario,
    /// The schedulers that it may name.
    pub registry: Registry,
    /// The machine.
    pub machine: Machine,
    /// The lanes.
    pub lanes: Vec<LanePlan>,
    /// Groups of the scenario, then those of the background.
    pub groups: Vec<GroupPlan>,
    /// The control groups.
    pub cgroups: Cgroups,
    /// Signal delays, resolved against the machine.
    pub delays: Delays,
    /// Seed.
    pub seed: u64,
    /// The run ends at this time at the latest.
    pub end_ns: u64,
}

impl Plan {
    /// The plan of one lane. A recording is followed on a machine that costs nothing: what costs took is within its times.
    #[must_use]
    pub fn of_lane(self: &Arc<Self>, lane: usize) -> Arc<Self> {
        if self.lanes[lane].info.family != RECORDED || self.machine.is_costless() {
            return Arc::clone(self);
        }
        let machine = self.machine.costless();
        Arc::new(Self {
            delays: Delays::resolve(&Timing::default(), &machine),
            machine,
            ..Self::clone(self)
        })
    }

    /// The applications among which a lane divides the CPUs equally. None where it does not group threads by application, or
    /// where there is only one.
    #[must_use]
    pub fn applications(&self, lane: usize) -> Vec<&str> {
        let params = &self.lanes[lane].params;
        let groups = params.specs().iter().any(|spec| spec.id == GROUPS) && params.flag(GROUPS);
        if groups { self.grouped().0 } else { Vec::new() }
    }

    /// The same where it makes a difference: not with one thread of nice 0 in each.
    #[must_use]
    pub fn uneven_applications(&self, lane: usize) -> Vec<&str> {
        if self.grouped().1 {
            Vec::new()
        } else {
            self.applications(lane)
        }
    }

    /// All applications if there are two or more, in the order of the scenario, and whether each has one thread of nice 0.
    fn grouped(&self) -> (Vec<&str>, bool) {
        let in_groups =
            |group: &&GroupPlan| !group.background && !group.is_real_time() && group.count > 0;
        // Threads of one process have its number; others belong to their group of the scenario.
        let mut applications: Vec<(GroupId, &str, u32)> = Vec::new();
        let mut is_even = true;
        for group in self.groups.iter().filter(in_groups) {
            is_even &= group.nice == 0;
            let key = group.one_process.unwrap_or(group.id);
            match applications.iter_mut().find(|(known, ..)| *known == key) {
                Some((_, _, threads)) => *threads += group.count,
                None => applications.push((key, &group.process, group.count)),
            }
        }
        is_even &= applications.iter().all(|(_, _, threads)| *threads == 1);
        if applications.len() < 2 {
            return (Vec::new(), true);
        }
        (
            applications.iter().map(|(_, name, _)| *name).collect(),
            is_even,
        )
    }
}

/// A scheduler to run.
#[derive(Clone, Debug)]
pub struct LanePlan {
    /// The scheduler.
    pub info: &'static SchedulerInfo,
    /// Its era.
    pub era: &'static EraInfo,
    /// Its tunables.
    pub params: Params,
    /// The program that its user wrote, if there is one.
    pub program: Option<String>,
}

impl LanePlan {
    /// What it makes of control groups; nothing if it ignores them.
    #[must_use]
    pub fn cgroup_support(&self) -> Option<CgroupSupport> {
        self.info.cgroup_support(self.era.id)
    }
}

/// A group of equal threads.
#[derive(Clone, Debug)]
pub struct GroupPlan {
    /// Position in the plan.
    pub id: GroupId,
    /// Name; threads are called name-1, name-2, …
    pub name: String,
    /// Application.
    pub process: String,
    /// The process (address space) of all its threads, if there is one: the first group that names it. Without it each
    /// thread is a separate process.
    pub one_process: Option<GroupId>,
    /// Number of threads at the start.
    pub count: u32,
    /// Their behaviour.
    pub behaviour: &'static BehaviourInfo,
    /// The parameters of the behaviour.
    pub params: Params,
    /// Nice value as written.
    pub nice: i8,
    /// Policy.
    pub policy: Policy,
    /// Real-time priority.
    pub rt_priority: u8,
    /// Slice that each thread requests, in ns; 0 for no own slice.
    pub slice_ns: u64,
    /// Bytes swept.
    pub working_set_bytes: u64,
    /// Allowed CPUs.
    pub allowed: CpuMask,
    /// Whether thread i may use only CPU i (kernel threads).
    pub bound_each: bool,
    /// Start of the first thread.
    pub start_ns: u64,
    /// Time between the starts of successive threads.
    pub start_spacing_ns: u64,
    /// Whether the threads of this group do not start by themselves: a parent forks them.
    pub forked: bool,
    /// The group whose parent its one thread is.
    pub parent_of: Option<GroupId>,
    /// Whether it is not part of the measured workload.
    pub background: bool,
}

impl GroupPlan {
    /// Whether its threads are real-time ones.
    #[must_use]
    pub fn is_real_time(&self) -> bool {
        matches!(self.policy, Policy::Fifo | Policy::RoundRobin)
    }
}

impl GroupPlan {
    /// Whether its thread is a parent that waits for each of its children. If so, the run goes on until it has.
    #[must_use]
    pub fn waits(&self) -> bool {
        self.parent_of.is_some() && self.params.get_u64("waitNs") > 0
    }
}

/// Signal delays in ns.
#[derive(Clone, Debug)]
pub struct Delays {
    /// To a busy CPU.
    pub kick_ns: u64,
    /// To an idle CPU whose core is otherwise busy.
    pub idle_exit_ns: u64,
    /// To a CPU of a completely idle core.
    pub idle_exit_deep_ns: u64,
    /// The machine's idle states, which decide instead of the two times above. `None` if the machine names none, or the
    /// scenario says how long leaving idleness takes.
    pub states: Option<IdleSpec>,
}

impl Delays {
    /// The machine's values, overridden by the scenario's.
    #[must_use]
    pub fn resolve(timing: &Timing, machine: &Machine) -> Self {
        let costs = &machine.spec().costs;
        let fixed = timing.idle_exit_ns.is_some() || timing.idle_exit_deep_ns.is_some();
        Self {
            kick_ns: timing.kick_ns.unwrap_or(u64::from(costs.kick_ns)),
            idle_exit_ns: timing.idle_exit_ns.unwrap_or(u64::from(costs.idle_exit_ns)),
            idle_exit_deep_ns: timing
                .idle_exit_deep_ns
                .unwrap_or(u64::from(costs.idle_exit_deep_ns)),
            states: machine.spec().idle.clone().filter(|_| !fixed),
        }
    }

    /// The longest time that it can take an idle CPU to follow a signal.
    #[must_use]
    pub fn longest_exit_ns(&self) -> u64 {
        let Some(spec) = &self.states else {
            return self.idle_exit_ns.max(self.idle_exit_deep_ns);
        };
        let lists = spec.lists().into_iter().filter_map(|(_, list)| list);
        let states = lists.flatten().map(|s| match s.wake {
            IdleWake::Store => u64::from(s.exit_ns),
            IdleWake::Ipi => u64::from(s.exit_ns) + self.kick_ns,
        });
        states.max().unwrap_or(0)
    }
}

/// Gives the CPUs the numbers that the first lane's system uses. All lanes of a scenario share these numbers, so that
/// lanes can be compared and pinning means the same CPU everywhere. Schedulers ask the machine which CPUs share a core.
pub(super) fn numbered(machine: Machine, lanes: &[LanePlan]) -> Machine {
    let system = lanes.iter().find(|l| l.info.family != "baseline");
    let numbering = match system {
        // FreeBSD follows the APIC ids.
        Some(lane) if lane.info.family == "freebsd" => Numbering::SiblingsAdjacent,
        _ => machine.numbering(),
    };
    if numbering == machine.numbering() {
        machine
    } else {
        machine.renumbered(numbering)
    }
}
