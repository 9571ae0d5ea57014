//! Slices that threads ask for and that change less than their author may think, each with the rule that says so.

use super::edit::{Edit, TimedEdit};
use super::plan::{GroupPlan, LanePlan, Plan};
use serde::Serialize;
use sim_ground::ids::{CpuId, CpuMask, GroupId};
use sim_ground::params::{ParamMap, ParamValue};
use sim_ground::time::nearest_period;
use std::collections::BTreeMap;

/// A thread as this question sees it.
#[derive(Clone, Copy, Debug)]
pub struct Asking {
    /// Its group.
    pub group: GroupId,
    /// The slice that it asks for, in ns; 0 for none.
    pub slice_ns: u64,
    /// The CPUs that it may use.
    pub allowed: CpuMask,
    /// Whether it is a real-time thread.
    pub is_real_time: bool,
}

/// Threads of a group whose slice changes nothing, or less than one might think.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct SliceHint {
    /// The group.
    pub group: String,
    /// The threads, by number, ascending.
    pub tasks: Vec<u32>,
    /// Why.
    pub why: SliceWhy,
    /// Time between two looks of the clock, in ns, where that is why; else 0.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub tick_ns: u64,
    /// The same in a sentence.
    pub text: String,
}

/// Why a slice changes nothing, or less than one might think.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub enum SliceWhy {
    /// The lane's scheduler has no slices of threads.
    NotHere,
    /// Real-time threads have no deadlines that a slice could set.
    RealTime,
    /// No other thread may use its CPUs.
    Alone,
    /// It is shorter than a tick, and only ticks end turns. It counts where a thread wakes up.
    Tick,
}

/// A reason in a sentence.
fn sentence(lane: &LanePlan, why: SliceWhy, tick_ns: u64) -> String {
    let (name, era) = (lane.info.name, lane.era.name);
    match why {
        SliceWhy::NotHere => {
            format!("{name} ({era}) has no slices of threads: this lane ignores them")
        }
        SliceWhy::RealTime => {
            format!("{name} ({era}) has slices of ordinary threads only, and this one is real-time")
        }
        SliceWhy::Alone => {
            "no other thread may use its CPU, so its slice changes nothing".to_owned()
        }
        SliceWhy::Tick => format!(
            "{name} ({era}) ends turns at ticks, every {} us here: a shorter slice ends none earlier, but counts at wake-ups",
            tick_ns / 1_000
        ),
    }
}

/// The hints about the slices that a plan sets in a lane, at its start and by edits. Where edits change more than slices,
/// threads may get company and ticks a timer: then only what holds in any case is said.
#[must_use]
pub fn of_plan(plan: &Plan, lane: usize) -> Vec<SliceHint> {
    let tunables = plan.lanes[lane].params.to_map();
    let mut threads: Vec<Asking> = plan.groups.iter().flat_map(asking).collect();
    let mut found = hints(plan, lane, &tunables, &threads);
    let mut are_slices_alone = true;
    let here = |edit: &&TimedEdit| edit.lane.is_none_or(|of| of as usize == lane);
    for edit in plan.scenario.edits.iter().filter(here) {
        let Edit::SetSlice { target, slice_ns } = &edit.edit else {
            are_slices_alone = false;
            continue;
        };
        let mut number = BTreeMap::new();
        for thread in &mut threads {
            let of_group: &mut u32 = number.entry(thread.group.index()).or_default();
            *of_group += 1;
            let group = &plan.groups[thread.group.index()];
            let is_meant = match (&target.group, &target.thread) {
                (Some(name), _) => *name == group.name,
                (None, Some(name)) => *name == format!("{}-{of_group}", group.name),
                (None, None) => !group.background,
            };
            if is_meant {
                thread.slice_ns = *slice_ns;
            }
        }
        for hint in hints(plan, lane, &tunables, &threads) {
            let of_same = |h: &&mut SliceHint| h.group == hint.group && h.why == hint.why;
            match found.iter_mut().find(of_same) {
                Some(known) => {
                    known.tasks.extend(hint.tasks);
                    known.tasks.sort_unstable();
                    known.tasks.dedup();
                }
                None => found.push(hint),
            }
        }
    }
    let holds = |hint: &SliceHint| match hint.why {
        SliceWhy::NotHere | SliceWhy::RealTime => true,
        SliceWhy::Alone | SliceWhy::Tick => are_slices_alone,
    };
    found.retain(holds);
    found
}

fn asking(group: &GroupPlan) -> impl Iterator<Item = Asking> + '_ {
    (0..group.count).map(|i| Asking {
        group: group.id,
        slice_ns: group.slice_ns,
        allowed: if group.bound_each {
            CpuMask::only(CpuId(u16::try_from(i).unwrap_or(u16::MAX)))
        } else {
            group.allowed
        },
        is_real_time: group.is_real_time(),
    })
}

/// The threads of a lane that ask for a slice in vain, where its tunables have these values. `threads` are all that may
/// run there; their numbers are their places.
#[must_use]
pub fn hints(plan: &Plan, lane: usize, tunables: &ParamMap, threads: &[Asking]) -> Vec<SliceHint> {
    let mut all: Vec<SliceHint> = Vec::new();
    for (i, thread) in threads.iter().enumerate().filter(|(_, t)| t.slice_ns > 0) {
        let mut others = threads.iter().enumerate().filter(|(other, _)| *other != i);
        let meets = |thread: &Asking| others.any(|(_, o)| o.allowed.intersects(&thread.allowed));
        let Some((why, tick_ns)) = reason(&plan.lanes[lane], tunables, thread, meets) else {
            continue;
        };
        let number = u32::try_from(i).unwrap_or(u32::MAX);
        let group = &plan.groups[thread.group.index()].name;
        match all.iter_mut().find(|h| h.group == *group && h.why == why) {
            Some(hint) => hint.tasks.push(number),
            None => all.push(SliceHint {
                group: group.clone(),
                tasks: vec![number],
                why,
                tick_ns,
                text: sentence(&plan.lanes[lane], why, tick_ns),
            }),
        }
    }
    all
}

fn reason(
    lane: &LanePlan,
    tunables: &ParamMap,
    thread: &Asking,
    meets: impl FnOnce(&Asking) -> bool,
) -> Option<(SliceWhy, u64)> {
    if !lane.info.slices.contains(&lane.era.id) {
        return Some((SliceWhy::NotHere, 0));
    }
    if thread.is_real_time {
        return Some((SliceWhy::RealTime, 0));
    }
    if !meets(thread) {
        return Some((SliceWhy::Alone, 0));
    }
    let tick = tick_ns(tunables)?;
    (thread.slice_ns < tick).then_some((SliceWhy::Tick, tick))
}

/// Time between two ticks, where only they end turns: not where a timer stands for the end of a request.
fn tick_ns(tunables: &ParamMap) -> Option<u64> {
    if tunables.get("requestTimer") == Some(&ParamValue::Flag(true)) {
        return None;
    }
    let Some(ParamValue::Int(hz)) = tunables.get("hz") else {
        return None;
    };
    let hz = u32::try_from(*hz).ok().filter(|hz| *hz > 0)?;
    Some(nearest_period(hz))
}
