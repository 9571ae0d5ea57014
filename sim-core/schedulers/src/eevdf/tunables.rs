//! The resolved values of tunables ([`super::specs`]).

use super::mean::SCALE_BITS;
use super::specs::YIELD_FORFEITS_ID;
use crate::linux::tunables;
use crate::linux::weight::NICE_0;
use serde::{Deserialize, Serialize};
use sim_ground::ids::CpuId;
use sim_ground::params::Params;

/// Resolved values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools)] // one for each feature of the kernel
pub(super) struct Tunables {
    pub(super) hz: u64,
    /// A jiffy in ns.
    pub(super) jiffy_ns: u64,
    /// Base slice in ns, scaled by CPUs.
    pub(super) base_slice: u64,
    /// In ns; -1 and 0 as the sysctl.
    pub(super) migration_cost: i64,
    pub(super) nr_migrate: u64,
    pub(super) group_per_application: bool,
    pub(super) group_shares: u64,
    pub(super) preempt: bool,
    pub(super) sched_smt: bool,
    pub(super) run_to_parity: bool,
    pub(super) place_lag: bool,
    pub(super) place_deadline_initial: bool,
    pub(super) place_rel_deadline: bool,
    pub(super) preempt_short: bool,
    pub(super) delay_dequeue: bool,
    pub(super) delay_zero: bool,
    pub(super) wakeup_preemption: bool,
    pub(super) next_buddy: bool,
    pub(super) pick_buddy: bool,
    pub(super) cache_hot_buddy: bool,
    pub(super) sis_util: bool,
    pub(super) util_est: bool,
    pub(super) wa_idle: bool,
    pub(super) wa_weight: bool,
    pub(super) wa_bias: bool,
    pub(super) lb_min: bool,
    pub(super) ni_random: bool,
    pub(super) yield_forfeits: bool,
    pub(super) fork_clears_rel_deadline: bool,
    pub(super) group_slice_always: bool,
    /// The rules that later releases added.
    pub(super) release: Release,
}

/// What releases added. Their states contain only their own switches, so that those of older ones stay as they were.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Release {
    /// 6.6.
    First,
    /// 6.12: threads and groups may have slices of their own.
    Slices,
    /// 6.18.
    Later(Later),
    /// 7.2.
    Timed(Box<Timed>),
    /// 7.3.
    Flat(Box<Flat>),
    /// 6.18 with rules of its point releases up to 6.18.44.
    Earlier(Earlier),
}

/// Rules that 6.18 had before 6.18.45. A lane without them has none of these switches in its state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Earlier {
    pub(super) later: Later,
    pub(super) protect_own_field: bool,
    pub(super) reweight_by_placement: bool,
    pub(super) reweight_scales_protection: bool,
}

/// What 7.3 added: one queue for all tasks of a CPU, and the weights of groups that go with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Flat {
    /// The switches of 7.2, and those of 7.3 for a single queue.
    pub(super) timed: Timed,
    pub(super) one_queue: bool,
    pub(super) group_weight: GroupWeight,
    pub(super) group_sleep_sets_buddy: bool,
    /// The runnable average of each group, and the part of it that each queue has told.
    pub(super) runnable: Vec<u64>,
    pub(super) told_runnable: Vec<u64>,
    pub(super) kick_idle_core: bool,
}

/// Largest number of levels of domains with such a time.
const LEVELS: usize = 8;

/// How much a group weighs (`cgroup_mode`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum GroupWeight {
    /// Its shares on each CPU.
    Up,
    /// Its shares, spread over the CPUs by load.
    Smp,
    /// The same times the number of its threads, at most that of the CPUs.
    Concur,
    /// The same times the number of CPUs; at most as much as nice -20 on a CPU.
    Max,
    /// The same times the number of its threads.
    Tasks,
}

impl GroupWeight {
    /// As the tunable lists them.
    const ALL: [Self; 5] = [Self::Up, Self::Smp, Self::Concur, Self::Max, Self::Tasks];
}

/// The switches of 7.2 and those of 7.3 for a single queue, all off before, and the timers that came with them: both
/// only in states of these releases.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools)] // one for each rule
pub(super) struct Timed {
    /// The switches of 6.18.
    pub(super) later: Later,
    pub(super) request_timer: bool,
    /// Smallest lateness of that timer in ns, and how much more it may be.
    pub(super) lateness: u64,
    pub(super) spread: u64,
    pub(super) exact_division: bool,
    pub(super) account_before_requeue: bool,
    pub(super) delayed_lag_never_worse: bool,
    pub(super) check_while_pending: bool,
    pub(super) protect_to_parity: bool,
    pub(super) shorten_from_v: bool,
    pub(super) short_always_preempts: bool,
    pub(super) short_is_buddy: bool,
    pub(super) idle_by_policy_only: bool,
    pub(super) newidle_rate: bool,
    pub(super) idle_wakee_spreads: bool,
    pub(super) idle_until_switch: bool,
    /// For each CPU the time in ns for which its timer stands; 0 if it does not.
    pub(super) timers: Vec<u64>,
    /// For each CPU and level: when the ratio of successful attempts of newly idle balancing was last computed.
    pub(super) newidle_stamps: Vec<[u64; LEVELS]>,
}

/// The switches of 6.18; all off before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools)] // one for each rule
pub(super) struct Later {
    /// Base slice in ns, before scaling by CPUs.
    pub(super) unscaled_slice: u64,
    pub(super) protect_by_vruntime: bool,
    pub(super) protect_shortest: bool,
    pub(super) resched_unprotected: bool,
    pub(super) short_needs_pick: bool,
    pub(super) protect_at_pick_only: bool,
    pub(super) reweight_scales_deadline: bool,
    pub(super) lag_limit_largest: bool,
    pub(super) wakeup_without_forks: bool,
    pub(super) wakeup_dequeues_delayed: bool,
    pub(super) balance_skips_delayed: bool,
    pub(super) balance_skips_ineligible: bool,
    pub(super) balance_counts_runnable: bool,
}

impl Earlier {
    /// Whether anything is otherwise than in 6.18.45.
    fn is_any(&self) -> bool {
        !self.protect_own_field || self.reweight_by_placement || !self.reweight_scales_protection
    }
}

impl Release {
    fn new(params: &Params, cpus: usize) -> Self {
        let has = |id: &str| params.specs().iter().any(|s| s.id == id);
        if !has("preemptShort") {
            return Self::First;
        }
        if !has("protectByVruntime") {
            return Self::Slices;
        }
        let later = Later {
            unscaled_slice: params.get_u64("baseSliceNs"),
            protect_by_vruntime: params.flag("protectByVruntime"),
            protect_shortest: params.flag("protectShortest"),
            resched_unprotected: params.flag("reschedUnprotected"),
            short_needs_pick: params.flag("shortNeedsPick"),
            protect_at_pick_only: params.flag("protectAtPickOnly"),
            reweight_scales_deadline: params.flag("reweightScalesDeadline"),
            lag_limit_largest: params.flag("lagLimitLargest"),
            wakeup_without_forks: params.flag("wakeupWithoutForks"),
            wakeup_dequeues_delayed: params.flag("wakeupDequeuesDelayed"),
            balance_skips_delayed: params.flag("balanceSkipsDelayed"),
            balance_skips_ineligible: params.flag("balanceSkipsIneligible"),
            balance_counts_runnable: params.flag("balanceCountsRunnable"),
        };
        if !has("requestTimer") {
            let earlier = Earlier {
                later,
                protect_own_field: params.flag("protectOwnField"),
                reweight_by_placement: params.flag("reweightByPlacement"),
                reweight_scales_protection: params.flag("reweightScalesProtection"),
            };
            return if earlier.is_any() {
                Self::Earlier(earlier)
            } else {
                Self::Later(earlier.later)
            };
        }
        let flag = |id: &str| tunables::flag_or(params, id, false);
        let timed = Timed {
            later,
            request_timer: params.flag("requestTimer"),
            lateness: params.get_u64("requestTimerLatenessNs"),
            spread: params.get_u64("requestTimerSpreadNs"),
            exact_division: params.flag("exactDivision"),
            account_before_requeue: params.flag("accountBeforeRequeue"),
            delayed_lag_never_worse: params.flag("delayedLagNeverWorse"),
            check_while_pending: params.flag("checkWhilePending"),
            protect_to_parity: flag("protectToParity"),
            shorten_from_v: flag("shortenFromV"),
            short_always_preempts: flag("shortAlwaysPreempts"),
            short_is_buddy: flag("shortIsBuddy"),
            idle_by_policy_only: flag("idleByPolicyOnly"),
            newidle_rate: params.flag("newidleRate"),
            idle_wakee_spreads: params.flag("idleWakeeSpreads"),
            idle_until_switch: params.flag("idleUntilSwitch"),
            timers: vec![0; cpus],
            newidle_stamps: vec![[0; LEVELS]; cpus],
        };
        if !has("flatGroups") {
            return Self::Timed(Box::new(timed));
        }
        let mode = usize::try_from(params.get("groupWeightMode")).unwrap_or(0);
        Self::Flat(Box::new(Flat {
            timed,
            one_queue: params.flag("flatGroups"),
            group_weight: GroupWeight::ALL[mode.min(GroupWeight::ALL.len() - 1)],
            group_sleep_sets_buddy: params.flag("groupSleepSetsBuddy"),
            runnable: Vec::new(),
            told_runnable: Vec::new(),
            kick_idle_core: params.flag("kickIdleCore"),
        }))
    }
}

/// Of a release before 6.17.
const NOTHING_LATER: Later = Later {
    unscaled_slice: 0,
    protect_by_vruntime: false,
    protect_shortest: false,
    resched_unprotected: false,
    short_needs_pick: false,
    protect_at_pick_only: false,
    reweight_scales_deadline: false,
    lag_limit_largest: false,
    wakeup_without_forks: false,
    wakeup_dequeues_delayed: false,
    balance_skips_delayed: false,
    balance_skips_ineligible: false,
    balance_counts_runnable: false,
};

/// Of a release before 7.2.
static NOTHING_TIMED: Timed = Timed {
    later: NOTHING_LATER,
    request_timer: false,
    lateness: 0,
    spread: 0,
    exact_division: false,
    account_before_requeue: false,
    delayed_lag_never_worse: false,
    check_while_pending: false,
    protect_to_parity: false,
    shorten_from_v: false,
    short_always_preempts: false,
    short_is_buddy: false,
    idle_by_policy_only: false,
    newidle_rate: false,
    idle_wakee_spreads: false,
    idle_until_switch: false,
    timers: Vec::new(),
    newidle_stamps: Vec::new(),
};

impl Tunables {
    /// Resolves the parameters for a number of CPUs. Switches that a release does not have are off.
    pub(super) fn new(params: &Params, cpus: usize) -> Self {
        let flag = |id: &str, absent: bool| tunables::flag_or(params, id, absent);
        let factor = tunables::scaling(params, cpus);
        let hz = params.get_u64("hz").max(1);
        Self {
            hz,
            jiffy_ns: crate::linux::tunables::jiffy_ns(hz),
            base_slice: params.get_u64("baseSliceNs") * factor,
            migration_cost: params.get("migrationCostNs"),
            nr_migrate: params.get_u64("nrMigrate"),
            group_per_application: params.flag("groupPerApplication"),
            group_shares: params.get_u64("groupShares"),
            preempt: params.flag("preempt"),
            sched_smt: params.flag("schedSmt"),
            run_to_parity: params.flag("runToParity"),
            place_lag: params.flag("placeLag"),
            place_deadline_initial: params.flag("placeDeadlineInitial"),
            place_rel_deadline: flag("placeRelDeadline", false),
            preempt_short: flag("preemptShort", false),
            delay_dequeue: flag("delayDequeue", false),
            delay_zero: flag("delayZero", false),
            wakeup_preemption: params.flag("wakeupPreemption"),
            next_buddy: params.flag("nextBuddy"),
            // Before the feature had this name, buddies counted whenever they were set.
            pick_buddy: flag("pickBuddy", params.flag("nextBuddy")),
            cache_hot_buddy: params.flag("cacheHotBuddy"),
            sis_util: params.flag("sisUtil"),
            util_est: params.flag("utilEst"),
            wa_idle: params.flag("waIdle"),
            wa_weight: params.flag("waWeight"),
            wa_bias: params.flag("waBias"),
            lb_min: params.flag("lbMin"),
            ni_random: flag("niRandom", false),
            yield_forfeits: flag(YIELD_FORFEITS_ID, false),
            fork_clears_rel_deadline: flag("forkClearsRelDeadline", true),
            group_slice_always: flag("groupSliceAlways", false),
            release: Release::new(params, cpus),
        }
    }

    /// Whether threads and groups may have slices of their own.
    pub(super) fn custom_slices(&self) -> bool {
        self.release != Release::First
    }

    /// Whether the release is 6.17 or later. Then queues of CPUs know the requests of their entities, too, not only those
    /// of groups.
    #[inline]
    pub(super) fn since_6_17(&self) -> bool {
        matches!(
            self.release,
            Release::Later(_) | Release::Earlier(_) | Release::Timed(_) | Release::Flat(_)
        )
    }

    /// The switches of 6.18.
    #[inline]
    pub(super) fn later(&self) -> &Later {
        match &self.release {
            Release::Later(later) => later,
            Release::Earlier(earlier) => &earlier.later,
            Release::Timed(timed) => &timed.later,
            Release::Flat(flat) => &flat.timed.later,
            Release::First | Release::Slices => &NOTHING_TIMED.later,
        }
    }

    /// What 6.18 did otherwise before 6.18.45, if the lane does anything so.
    #[inline]
    pub(super) fn earlier(&self) -> Option<&Earlier> {
        match &self.release {
            Release::Earlier(earlier) => Some(earlier),
            _ => None,
        }
    }

    /// Whether the stored lag and the end of protection share a field.
    #[inline]
    pub(super) fn lag_overwrites_protection(&self) -> bool {
        self.earlier().is_some_and(|e| !e.protect_own_field)
    }

    /// The switches of 7.2 and 7.3.
    #[inline]
    pub(super) fn timed(&self) -> &Timed {
        match &self.release {
            Release::Timed(timed) => timed,
            Release::Flat(flat) => &flat.timed,
            _ => &NOTHING_TIMED,
        }
    }

    pub(super) fn timed_mut(&mut self) -> Option<&mut Timed> {
        match &mut self.release {
            Release::Timed(timed) => Some(timed),
            Release::Flat(flat) => Some(&mut flat.timed),
            _ => None,
        }
    }

    /// What 7.3 added.
    #[inline]
    pub(super) fn flat(&self) -> Option<&Flat> {
        match &self.release {
            Release::Flat(flat) => Some(flat),
            _ => None,
        }
    }

    /// The same, mutable.
    #[inline]
    pub(super) fn flat_mut(&mut self) -> Option<&mut Flat> {
        match &mut self.release {
            Release::Flat(flat) => Some(flat),
            _ => None,
        }
    }

    /// Whether all tasks of a CPU stand in one queue.
    #[inline]
    pub(super) fn one_queue(&self) -> bool {
        matches!(&self.release, Release::Flat(flat) if flat.one_queue)
    }

    /// Whether a group whose task goes to sleep is the next buddy.
    pub(super) fn group_sleep_sets_buddy(&self) -> bool {
        self.flat()
            .is_none_or(|f| f.group_sleep_sets_buddy && !f.one_queue)
    }

    /// The weight of nice 0 in virtual time.
    #[inline]
    pub(super) fn unit(&self) -> u64 {
        if self.one_queue() {
            NICE_0 << SCALE_BITS
        } else {
            NICE_0
        }
    }

    /// The timer of a CPU, if the release has one ([`Timed::timers`]).
    pub(super) fn timer_mut(&mut self, cpu: CpuId) -> Option<&mut u64> {
        self.timed_mut()?.timers.get_mut(cpu.index())
    }

    /// The same tunables with other values; timers stand on, and what groups have been told.
    pub(super) fn renew(&mut self, params: &Params, cpus: usize) {
        let mut new = Self::new(params, cpus);
        if let (Some(old), Some(new)) = (self.timed_mut(), new.timed_mut()) {
            std::mem::swap(&mut old.timers, &mut new.timers);
            std::mem::swap(&mut old.newidle_stamps, &mut new.newidle_stamps);
        }
        if let (Some(old), Some(new)) = (self.flat_mut(), new.flat_mut()) {
            std::mem::swap(&mut old.runnable, &mut new.runnable);
            std::mem::swap(&mut old.told_runnable, &mut new.told_runnable);
        }
        *self = new;
    }

    /// The jiffies counter at a time in ns.
    pub(super) fn jiffies(&self, now: u64) -> u64 {
        now / self.jiffy_ns
    }

    /// ms as jiffies, rounded up (`msecs_to_jiffies`).
    pub(super) fn ms_to_jiffies(&self, ms: u64) -> u64 {
        (ms * self.hz).div_ceil(1_000)
    }
}
