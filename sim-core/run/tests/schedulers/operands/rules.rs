//! The kernels' arithmetic, and their rules of ticks and wake-ups, written once more: from what the queues show, and not from
//! the code of the schedulers.

use super::seen::{Line, Member, NEXT, Place, Seen};
use sim_run::engine::Sim;
use sim_run::params::ParamValue;

use sim_run::sched::decision::{Decision, ReasonEntry};
use std::collections::BTreeSet;

/// The release of a lane, with the tunables that these rules need.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools)] // one for each feature of the kernel
pub(super) struct Rules {
    pub(super) release: Release,
    pub(super) reasons: &'static [ReasonEntry],
    pub(super) run_to_parity: bool,
    preempt_short: bool,
    pub(super) pick_buddy: bool,
    pub(super) next_buddy: bool,
    /// Since 6.17: protection ends at a virtual runtime, whoever is not protected is looked at at each tick, and a
    /// wake-up asks the pick.
    pub(super) by_vruntime: bool,
    pub(super) asks_unprotected: bool,
    pub(super) needs_pick: bool,
    /// Since 7.2: quotients are exact, and a delay never costs lag.
    exact: bool,
    pub(super) never_worse: bool,
    /// Since 7.3: a shorter slice preempts whoever is earlier, and only policies are idle.
    short_first: bool,
    pub(super) idle_by_policy: bool,
    /// Since 7.3: all threads of a CPU stand in one queue.
    pub(super) one_queue: bool,
    /// Before 7.3: a group whose thread goes to sleep is the buddy.
    pub(super) sleep_sets_buddy: bool,
    asym_gran: bool,
    adaptive_gran: bool,
    tick_quirk: bool,
    /// 6.1: the period depends on all threads of the CPU, and slices have a minimum.
    alt_period: bool,
    base_slice: bool,
    idle_min_granularity: i64,
    latency: i64,
    min_granularity: i64,
    wakeup_granularity: i64,
    nr_latency: i64,
}

/// The releases whose rules differ here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Release {
    /// CFS 2.6.34.
    OldCfs,
    /// CFS 4.9 and 6.1.
    NewCfs,
    /// EEVDF.
    Eevdf,
}

impl Rules {
    pub(super) fn of(sim: &Sim) -> Self {
        let lane = &sim.plan().lanes[sim.lane()];
        let tunables = sim.tunables();
        let flag = |id: &str, absent: bool| match tunables.get(id) {
            Some(ParamValue::Flag(is)) => *is,
            _ => absent,
        };
        let number = |id: &str| match tunables.get(id) {
            Some(ParamValue::Int(n)) => *n,
            _ => 0,
        };
        let release = match (lane.info.id, number("latencyNs")) {
            ("eevdf", _) => Release::Eevdf,
            // Only it has this switch.
            _ if tunables.contains_key("compatYield") => Release::OldCfs,
            _ => Release::NewCfs,
        };
        // `get_update_sysctl_factor` @ SCHED_TUNABLESCALING_LOG, with the default scaling.
        let few = sim.plan().machine.cpu_count().clamp(1, 8);
        let factor = 1 + i64::from(few.ilog2());
        let next_buddy = flag("nextBuddy", false);
        Self {
            release,
            reasons: sim.reasons(),
            run_to_parity: flag("runToParity", false),
            preempt_short: flag("preemptShort", false),
            pick_buddy: flag("pickBuddy", next_buddy),
            next_buddy: next_buddy || flag("shortIsBuddy", false),
            by_vruntime: flag("protectByVruntime", false),
            asks_unprotected: flag("reschedUnprotected", false),
            needs_pick: flag("shortNeedsPick", false),
            exact: flag("exactDivision", false),
            never_worse: flag("delayedLagNeverWorse", false),
            short_first: flag("shortAlwaysPreempts", false),
            idle_by_policy: flag("idleByPolicyOnly", false),
            one_queue: flag("flatGroups", false),
            sleep_sets_buddy: flag("groupSleepSetsBuddy", true),
            asym_gran: flag("asymGran", true),
            adaptive_gran: flag("adaptiveGran", false),
            tick_quirk: flag("tick64BitQuirk", false),
            alt_period: flag("altPeriod", false),
            base_slice: flag("baseSlice", false),
            idle_min_granularity: number("idleMinGranularityNs"),
            latency: number("latencyNs") * factor,
            min_granularity: number("minGranularityNs") * factor,
            wakeup_granularity: number("wakeupGranularityNs") * factor,
            nr_latency: if release == Release::OldCfs { 5 } else { 8 },
        }
    }

    pub(super) fn word(&self, d: &Decision) -> &'static str {
        self.reasons[usize::from(d.reason)].id
    }

    pub(super) fn kind(&self, d: &Decision) -> &'static str {
        self.reasons[usize::from(d.reason)].kind
    }

    /// Whether a decision chose a fair thread.
    pub(super) fn is_fair_pick(&self, d: &Decision) -> bool {
        self.kind(d) == "pickNext" && self.word(d) != "real_time_first"
    }

    /// `delta × weight / total`: `calc_delta_mine` @ 2.6.34, `__calc_delta` @ 4.9. Weights are unscaled.
    fn part(&self, delta: i64, weight: i64, total: i64) -> i64 {
        let inverse: i128 = match self.release {
            Release::OldCfs => {
                1 + ((1_i128 << 32) - i128::from(total) / 2) / (i128::from(total) + 1)
            }
            _ if total == 0 => i128::from(u32::MAX),
            _ => i128::from(u32::MAX) / i128::from(total),
        };
        self.product(delta, weight, inverse)
    }

    fn product(&self, delta: i64, weight: i64, inverse: i128) -> i64 {
        let product = i128::from(delta) * i128::from(weight);
        let rounded = |x: i128, bits: u32| (x + (1 << (bits - 1))) >> bits;
        let result = if self.release == Release::OldCfs {
            if product > 1 << 32 {
                rounded(rounded(product, 16) * inverse, 16)
            } else {
                rounded(product * inverse, 32)
            }
        } else {
            let (mut factor, mut shift) = (i128::from(weight) * inverse, 32);
            while factor >> 32 != 0 {
                factor >>= 1;
                shift -= 1;
            }
            (i128::from(delta) * factor) >> shift
        };
        i64::try_from(result).expect("small")
    }

    /// `calc_delta_fair`: time as virtual time of an entity. Threads have their inverse in a table, groups not.
    pub(super) fn fair(&self, delta: i64, m: &Member) -> i64 {
        let w = m.weight;
        if w == self.unit() {
            return delta;
        }
        if self.exact {
            let exact = i128::from(delta) * i128::from(self.unit()) / i128::from(w);
            return i64::try_from(exact).expect("small");
        }
        let inverse = match (m.opens, w) {
            (Some(_), _) => return self.part(delta, 1_024, w),
            // `WMULT_IDLEPRIO`.
            (None, 3) => 1_431_655_765,
            // Nice 13, 14, 16 and 17 are one less in the table.
            (None, _) => {
                let odd = matches!(w, 56 | 45 | 29 | 23);
                ((1_i128 << 32) + i128::from(w) / 2) / i128::from(w) - i128::from(odd)
            }
        };
        self.product(delta, 1_024, inverse)
    }

    /// By how much weights are larger than they are shown.
    pub(super) fn fine(&self) -> i64 {
        if self.one_queue { 1_024 } else { 1 }
    }

    /// The weight of nice 0.
    pub(super) fn unit(&self) -> i64 {
        1_024 * self.fine()
    }

    /// `__calc_prop_weight` @ 7.3: what a group leaves of the weight of one of its threads, where its entity has its
    /// shares, as on a machine of one CPU. All weights have 10 more bits.
    pub(super) fn effective(own: i64, group: Option<(i64, i64)>) -> i64 {
        let whole = 1_i64 << 20;
        match group {
            None => own,
            Some((members, shares)) => (whole * own / members).max(2) * shares / whole,
        }
        .max(2)
    }

    /// Whether an entity may have so much left as a new request has, up to the rounding of a weight that has changed.
    pub(super) fn is_nearly_fresh(&self, m: &Member) -> bool {
        let (left, new) = (m.deadline - m.ahead, self.fair(m.slice, m));
        self.one_queue && left.abs_diff(new) <= self.fair(4, m).unsigned_abs() + 4
    }

    /// Whether an entity has so much left as a new request has. Of the exact weight of a group the lowest bits are not
    /// shown.
    pub(super) fn is_fresh(&self, m: &Member) -> bool {
        let left = m.deadline - m.ahead;
        if self.exact && m.opens.is_some() {
            let next = i128::from(m.slice) * 1_024 / i128::from(m.weight + 1);
            return left <= self.fair(m.slice, m) && i128::from(left) >= next;
        }
        left == self.fair(m.slice, m)
    }

    /// `sched_slice` of a queued entity. Of the root's total on 4.9 the lowest bits are not shown, where groups are in
    /// it: the result may be any of these.
    pub(super) fn slices(&self, seen: &Seen, path: &[Place]) -> BTreeSet<i64> {
        let Some(own) = path.last() else {
            return BTreeSet::new();
        };
        let n = if self.alt_period {
            let threads = |line: &Line| line.members.iter().filter(|m| m.task.is_some()).count();
            i64::try_from(seen.lines.iter().map(threads).sum::<usize>()).expect("few")
        } else {
            seen.lines[own.0].count()
        };
        let period = if n > self.nr_latency {
            n * self.min_granularity
        } else {
            self.latency
        };
        let mut parts = BTreeSet::from([period]);
        for &(line, place) in path.iter().rev() {
            let members = &seen.lines[line].members;
            let least: i64 = members.iter().map(|m| m.weight).sum();
            let groups = members.iter().filter(|m| m.opens.is_some()).count();
            let unknown = match self.release {
                Release::OldCfs => 0,
                _ => i64::try_from(groups).expect("few"),
            };
            let weight = members[place].weight;
            parts = parts
                .iter()
                .flat_map(|p| (0..=unknown).map(|u| self.part(*p, weight, least + u)))
                .collect();
        }
        let least = self.least_slice(&seen.lines[own.0], own.1);
        parts.into_iter().map(|slice| slice.max(least)).collect()
    }

    /// `BASE_SLICE` @ 6.1. A thread of the policy `SCHED_IDLE` has the weight 3, as no other.
    fn least_slice(&self, line: &Line, place: usize) -> i64 {
        let idle = |m: &Member| m.task.is_some() && m.weight == 3;
        if !self.base_slice {
            0
        } else if idle(&line.members[place]) && !line.members.iter().all(idle) {
            self.idle_min_granularity
        } else {
            self.min_granularity
        }
    }

    /// `wakeup_gran` of an entity that waits, without what adapts it.
    pub(super) fn granularity(&self, m: &Member) -> i64 {
        if self.asym_gran {
            self.fair(self.wakeup_granularity, m)
        } else {
            self.wakeup_granularity
        }
    }

    /// Whether something that is not shown makes the granularity of wake-ups smaller.
    pub(super) fn adapts(&self) -> bool {
        self.adaptive_gran
    }

    /// `check_preempt_wakeup_fair` @ 6.6, 6.12: the reason, from the queue afterwards.
    pub(super) fn woken(
        &self,
        line: &Line,
        woken: usize,
        curr: usize,
        [idle_comes, idle_runs]: [bool; 2],
    ) -> Result<&'static str, String> {
        let (a, b) = (&line.members[woken], &line.members[curr]);
        if idle_runs && !idle_comes {
            return Ok("idle_policy_runs");
        }
        let [a_eligible, b_eligible] = [a, b].map(|m| m.ahead <= 0);
        let shorter = self.preempt_short && a.slice < b.slice;
        if self.needs_pick {
            return self.picked(line, [woken, curr], shorter);
        }
        let short = shorter && a_eligible && (a.deadline < b.deadline || !b_eligible);
        if short && b.protected {
            return Err(format!("{b:?} is still protected"));
        }
        let is_protected = self.run_to_parity && b_eligible && b.protected;
        let others = line
            .members
            .iter()
            .filter(|m| m.entity != b.entity && m.ahead <= 0);
        // The first in the tree of those with one deadline.
        let best = others.min_by_key(|m| m.deadline);
        let goes_on = best.is_none_or(|m| b_eligible && b.deadline < m.deadline);
        let wins = !is_protected && !goes_on && best.is_some_and(|m| m.entity == a.entity);
        Ok(match (wins, is_protected) {
            (true, _) if short => "short_slice",
            (true, _) if b_eligible => "earlier_deadline",
            (true, _) => "current_not_eligible",
            (false, true) => "current_protected",
            (false, false) if !a_eligible => "not_eligible",
            (false, false) => "later_deadline",
        })
    }

    /// `check_preempt_wakeup_fair` @ 6.18: the reason, from the queue afterwards.
    fn picked(
        &self,
        line: &Line,
        [woken, curr]: [usize; 2],
        shorter: bool,
    ) -> Result<&'static str, String> {
        let (a, b) = (&line.members[woken], &line.members[curr]);
        let [a_eligible, b_eligible] = [a, b].map(|m| m.ahead <= 0);
        // A short slice is not compared with the buddy; otherwise that one is picked before what is protected.
        let is_buddy = |m: &&Member| m.marks[NEXT] && m.ahead <= 0 && m.entity != a.entity;
        if self.pick_buddy && !shorter && line.members.iter().any(|m| is_buddy(&m)) {
            return Ok(if a_eligible {
                "later_deadline"
            } else {
                "not_eligible"
            });
        }
        let keeps = !shorter && b_eligible && b.protected;
        let others = || line.members.iter().filter(|m| m.entity != b.entity);
        let best = others().filter(|m| m.ahead <= 0).min_by_key(|m| m.deadline);
        let goes_on = best.is_none_or(|m| b_eligible && b.deadline < m.deadline);
        let first = shorter && self.short_first && a_eligible;
        let wins = !keeps && !goes_on && best.is_some_and(|m| m.entity == a.entity);
        if (wins && (shorter || self.short_first) || first) && b.protected {
            return Err(format!("{b:?} is still protected"));
        }
        Ok(match (wins, keeps) {
            (true, _) if shorter => "shorter_slice_picked",
            (false, _) if first => "shorter_slice_first",
            (true, _) if b_eligible => "earlier_deadline",
            (true, _) => "current_not_eligible",
            (false, true) => "current_still_protected",
            (false, false) if !a_eligible => "not_eligible",
            (false, false) => "later_deadline",
        })
    }

    /// `check_preempt_tick`: the reason for which an entity must leave that ran for so long, with its slice and how far it
    /// is ahead of the leftmost; `None` if it goes on.
    pub(super) fn tick(&self, ran: i64, ideal: i64, ahead: i64) -> Option<&'static str> {
        if ran > ideal {
            Some("slice_expired")
        } else if ran < self.min_granularity {
            None
        } else if ahead < 0 {
            self.tick_quirk.then_some("missed_wakeup_quirk")
        } else {
            (ahead > ideal).then_some("leftmost_far_behind")
        }
    }

    /// `wakeup_preempt_entity(a, b) == 1` of `pick_next_entity`, where nothing adapts the granularity.
    pub(super) fn is_much_behind(&self, a: &Member, b: &Member) -> bool {
        let behind = a.ahead - b.ahead;
        behind > 0 && behind > self.granularity(b)
    }
}
