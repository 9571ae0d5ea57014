//! Builds a run: CPUs, clocks, and the tasks of the scenario.

use super::clockwork::{Clockwork, MAX_CLOCKS};
use super::hardware::warmth::kernel_refills;
use super::hardware::{Hardware, Settings};
use super::idle::IdleRules;
use super::kernel::Kernel;
use super::ledger::Ledger;
use super::{Context, Cx, Options, Sim, cx};
use sim_config::IdleExitDelays;
use sim_config::IdleTicks;
use sim_config::TickPhase;
use sim_config::plan::{GroupPlan, Plan};
use sim_contract::cx::Requests;
use sim_contract::decision::DecisionLog;
use sim_contract::flags::ClockSpec;
use sim_contract::{Scheduler, Setup};
use sim_ground::time::TickGrid;
use sim_machine::rate::{DataUse, RATE_BITS};
use std::sync::Arc;

sim_ground::constants! {
    /// Number of parts into which a tick period is divided to shift the ticks of CPU c by c parts. It is the number of
    /// CPUs if that is larger. Used where it is not known how a kernel starts its clocks.
    TICK_STEPS: u64 = 16, "", Assumed,
        "A choice: no two CPUs tick at one instant.";
}

impl Sim {
    /// A run of one lane, at time 0.
    ///
    /// # Panics
    /// If the plan has no such lane.
    #[must_use]
    pub fn new(plan: &Arc<Plan>, lane: usize, options: Options) -> Self {
        let plan = &plan.of_lane(lane);
        let lane_plan = &plan.lanes[lane];
        let machine = &plan.machine;
        let cpus = machine.cpu_count();
        let sched = (lane_plan.info.make)(&Setup {
            era: lane_plan.era.id,
            params: lane_plan.params.clone(),
            cpus,
            nodes: machine.node_count(),
            program: lane_plan.program.clone(),
            cgroups: plan.cgroups.clone(),
        });
        let specs = sched.clocks();
        assert!(specs.len() <= MAX_CLOCKS, "invariant: few clocks");
        let timing = &plan.scenario.timing;
        let steps = u64::try_from(cpus).unwrap_or(0).max(TICK_STEPS);
        let ticking = timing.idle_ticks == IdleTicks::Ticking;
        let of_cpu = |c: u64| {
            let grid = |spec| tick_grid(&specs, spec, timing.tick_phase, c, steps);
            specs.iter().map(grid).collect()
        };
        let grids: Vec<Vec<TickGrid>> = (0..cpus as u64).map(of_cpu).collect();
        let tick_cost = u64::from(machine.spec().costs.tick_ns) << RATE_BITS;
        let tick_share = |spec: &ClockSpec| tick_cost / (1_000_000_000 / u64::from(spec.hz));
        let sweeps = |g: &GroupPlan| g.behaviour.class.data != DataUse::Footprint;
        let settings = Settings {
            idle_rules: idle_rules(plan, &*sched, &specs),
            kick_ns: plan.delays.kick_ns,
            idle_exit_ns: plan.delays.idle_exit_ns,
            idle_exit_deep_ns: plan.delays.idle_exit_deep_ns,
            delays_interrupts: timing.idle_exit_delays == IdleExitDelays::All,
            tick_share: specs.iter().map(tick_share).sum(),
            groups_sweep: plan.groups.iter().any(sweeps),
            kernel_refills: kernel_refills(machine),
        };
        let mut edits = plan.scenario.edits.clone();
        edits.sort_by_key(|e| e.at_ns);
        let has_limits =
            !plan.cgroups.groups.is_empty() || plan.groups.iter().any(GroupPlan::is_real_time);
        let mut sim = Self {
            lane,
            options,
            params: lane_plan.params.clone(),
            behaviours: Vec::new(),
            job_streams: Vec::new(),
            clock: Clockwork::new(&grids, ticking, sched.tick_turns()),
            hardware: Hardware::new(machine, settings),
            kernel: Kernel::new(plan, sched.locks()),
            log: DecisionLog::new(options.decision_limit, lane_plan.info.reasons.len(), cpus),
            ledger: Ledger::new(cpus, has_limits, options.trace_limit),
            requests: Requests::default(),
            edits,
            sched,
            plan: Arc::clone(plan),
        };
        for group in &plan.groups {
            sim.create_group(group);
            sim.open_job_line(group);
        }
        sim.schedule_next_job();
        sim.schedule_next_edit();
        let of = |i: usize| grids.iter().map(move |of| of[i]);
        let grids: Vec<_> = (0..specs.len()).flat_map(of).collect();
        sim.sched.tick_grids(&grids, ticking);
        sim.sched.start(&mut cx!(sim, Context::OUTSIDE));
        sim.carry_out_requests(Context::OUTSIDE);
        sim.hardware.rest_long();
        for cpu in plan.machine.cpu_ids() {
            sim.arm_ticks(cpu);
            sim.rest(cpu, true);
        }
        sim
    }
}

/// The idle states of a run, unless leaving idleness takes fixed times.
fn idle_rules(plan: &Plan, sched: &dyn Scheduler, clocks: &[ClockSpec]) -> Option<IdleRules> {
    let spec = plan.delays.states.as_ref()?;
    let tick_ns = clocks
        .first()
        .map_or(0, |c| 1_000_000_000 / u64::from(c.hz));
    Some(IdleRules::new(spec, sched.idle_governor(), tick_ns))
}

/// The ticks of a clock on CPU `c`, shifted by c / `steps` of a period if it is not known how the kernel starts them.
fn tick_grid(
    specs: &[ClockSpec],
    spec: &ClockSpec,
    phases: TickPhase,
    c: u64,
    steps: u64,
) -> TickGrid {
    let in_step = match phases {
        TickPhase::Aligned => true,
        TickPhase::Staggered => false,
        TickPhase::Kernel => spec.in_step,
    };
    let period = |spec: &ClockSpec| 1_000_000_000 / u64::from(spec.hz);
    // The timer that drives all clocks of a CPU is shifted by part of the longest period, and the clocks with it.
    let shifted = if spec.timer_hz == 0 {
        period(spec)
    } else {
        specs.iter().map(period).max().unwrap_or(0)
    };
    let phase = if in_step && phases == TickPhase::Kernel {
        spec.late_ns * c % period(spec)
    } else if in_step {
        0
    } else {
        shifted * c / steps % period(spec)
    };
    if spec.whole_ns {
        TickGrid::whole(phase, spec.hz)
    } else if spec.timer_hz == 0 {
        TickGrid::new(phase, spec.hz)
    } else {
        TickGrid::counted(phase, spec.hz, spec.timer_hz)
    }
}
