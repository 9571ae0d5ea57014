//! Runs that differ from the learner's: the scenario with a [`Difference`] in it.

use super::format::Difference;
use crate::config::edit::{Edit, TimedEdit};
use crate::config::guide::Control;
use crate::config::{Scenario, validate};
use crate::error::ConfigError;
use crate::property::{self, Set};
use crate::sched::registry;
use serde_json::Value;

/// Most lanes that a scenario may have.
const MAX_LANES: usize = 4;

/// The scenario with a difference, with every default filled in. If only one lane differs, the changed lane stays in
/// its place.
///
/// # Errors
/// The errors of the result: a lane or a place that does not exist, or a value that does not fit.
pub fn changed(base: &Scenario, difference: &Difference) -> Result<Scenario, Vec<ConfigError>> {
    let lanes = base.schedulers.len();
    let only = match difference.lane {
        None => None,
        Some(lane) => Some(position(lane, lanes)?),
    };
    let mut scenario = base.clone();
    for id in difference.tunables.keys() {
        let edits = std::mem::take(&mut scenario.edits);
        let kept = edits.into_iter().flat_map(|e| without(e, id, only, lanes));
        scenario.edits = kept.collect();
    }
    let mut value = as_json(&scenario);
    for (i, lane) in base.schedulers.iter().enumerate() {
        if only.is_some_and(|only| only != i) {
            continue;
        }
        let written = &mut value["schedulers"][i];
        if let Some(era) = &difference.era {
            written["era"] = Value::from(era.as_str());
        }
        let era = difference.era.as_deref().or(lane.era.as_deref());
        let era = registry::ALL.find(&lane.id).and_then(|info| info.era(era));
        let has = |id: &str| era.is_some_and(|e| e.tunables.iter().any(|t| t.id == id));
        for (id, new) in &difference.tunables {
            if only.is_some() || has(id) {
                written["tunables"][id] = new.clone();
            }
        }
    }
    for (path, new) in &difference.set {
        let at = |message: String| vec![ConfigError::new(format!("set.{path}"), message)];
        let named = if path.starts_with('/') {
            property::of_pointer(path, &value).map_err(at)?
        } else {
            path.clone()
        };
        let set = Set::new(named, new.clone()).apply(&mut value);
        set.map_err(|e| at(e.message))?;
    }
    checked(validate::parse(&value.to_string())?)
}

/// A scenario as JSON, by way of its text: other code writes this text too, so the code is linked only once.
fn as_json(scenario: &Scenario) -> Value {
    let text = serde_json::to_string(scenario).expect("invariant: plain data is serialisable");
    serde_json::from_str(&text).expect("invariant: what was written can be read")
}

/// The scenario that shows a difference. If only one lane differs, its copy with the difference comes beside it; the
/// second value is the copy's position. Any other difference (also one with `set`) replaces everything.
///
/// # Errors
/// As for [`changed`].
pub fn beside(
    base: &Scenario,
    difference: &Difference,
) -> Result<(Scenario, Option<u32>), Vec<ConfigError>> {
    let whole = changed(base, difference)?;
    let Some(lane) = difference.lane.filter(|_| difference.set.is_empty()) else {
        return Ok((whole, None));
    };
    let lane = position(lane, base.schedulers.len())?;
    let twin = lane + 1;
    let mut scenario = base.clone();
    scenario
        .schedulers
        .insert(twin, whole.schedulers[lane].clone());
    let behind = |l: u32| if l as usize > lane { l + 1 } else { l };
    let of_lane = |e: &TimedEdit| lanes_of(e) == Some(u32::try_from(lane).unwrap_or(u32::MAX));
    let mut edits = Vec::new();
    for edit in &base.edits {
        // An edit for all lanes does not apply to the copy if the copy has its own value.
        let is_own = tunable(edit).is_some_and(|id| difference.tunables.contains_key(id));
        if is_own && lanes_of(edit).is_none() {
            let lanes = (0..base.schedulers.len()).filter_map(|l| u32::try_from(l).ok());
            edits.extend(lanes.map(|l| TimedEdit {
                lane: Some(behind(l)),
                ..edit.clone()
            }));
        } else {
            edits.extend(moved(edit, |l| Some(behind(l))));
        }
    }
    let own = whole.edits.iter().filter(|e| of_lane(e));
    edits.extend(own.filter_map(|e| moved(e, |_| u32::try_from(twin).ok())));
    scenario.edits = edits;
    scenario.controls = controls(&base.controls, |l| Some(behind(l)));
    let mut twin = twin;
    while scenario.schedulers.len() > MAX_LANES {
        // Lanes from the end are removed first; the pair that is compared stays.
        let last = scenario.schedulers.len() - 1;
        let gone = if last > twin { last } else { twin - 2 };
        drop_lane(&mut scenario, gone);
        twin -= usize::from(gone < twin);
    }
    let scenario = checked(scenario)?;
    Ok((scenario, u32::try_from(twin).ok()))
}

fn position(lane: u32, lanes: usize) -> Result<usize, Vec<ConfigError>> {
    let lane = usize::try_from(lane).unwrap_or(usize::MAX);
    if (1..=lanes).contains(&lane) {
        return Ok(lane - 1);
    }
    let message = format!("must be from 1 to {lanes}, got {lane}");
    Err(vec![ConfigError::new("lane", message)])
}

/// The scenario if it can run. What the page shows first is dropped if it no longer fits.
fn checked(mut scenario: Scenario) -> Result<Scenario, Vec<ConfigError>> {
    if validate::plan(&scenario).is_err() {
        scenario.drop_guide();
        validate::plan(&scenario)?;
    }
    Ok(scenario)
}

/// The tunable that an edit sets, if it sets one.
fn tunable(timed: &TimedEdit) -> Option<&str> {
    match &timed.edit {
        Edit::SetTunable { id, .. } => Some(id),
        _ => None,
    }
}

/// The only lane that an edit concerns.
fn lanes_of(timed: &TimedEdit) -> Option<u32> {
    match &timed.edit {
        Edit::SetTunable { lane, .. } => timed.lane.or(*lane),
        _ => timed.lane,
    }
}

/// An edit with its lane renumbered; `None` if that lane was removed.
fn moved(timed: &TimedEdit, to: impl Fn(u32) -> Option<u32>) -> Option<TimedEdit> {
    let mut timed = timed.clone();
    if let Some(lane) = timed.lane {
        timed.lane = Some(to(lane)?);
    }
    if let Edit::SetTunable {
        lane: Some(lane), ..
    } = &mut timed.edit
    {
        *lane = to(*lane)?;
    }
    Some(timed)
}

fn controls(all: &[Control], to: impl Fn(u32) -> Option<u32>) -> Vec<Control> {
    let kept = all.iter().filter_map(|control| {
        let mut control = control.clone();
        if let Some(lane) = control.lane {
            control.lane = Some(to(lane)?);
        }
        Some(control)
    });
    kept.collect()
}

fn drop_lane(scenario: &mut Scenario, gone: usize) {
    scenario.schedulers.remove(gone);
    let to = |l: u32| match (l as usize).cmp(&gone) {
        std::cmp::Ordering::Less => Some(l),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(l - 1),
    };
    let kept = scenario.edits.iter().filter_map(|e| moved(e, to));
    scenario.edits = kept.collect();
    scenario.controls = controls(&scenario.controls, to);
}

/// An edit after a tunable got another value in a lane (or in all lanes): the part that would set it there again is
/// removed.
fn without(timed: TimedEdit, id: &str, only: Option<usize>, lanes: usize) -> Vec<TimedEdit> {
    let is_it = tunable(&timed) == Some(id);
    let Some(only) = only.filter(|_| is_it) else {
        return if is_it { Vec::new() } else { vec![timed] };
    };
    let concerns = |lane: usize| lanes_of(&timed).is_none_or(|l| l as usize == lane);
    if !concerns(only) {
        return vec![timed];
    }
    let others = (0..lanes).filter(|l| *l != only && concerns(*l));
    others
        .map(|l| TimedEdit {
            lane: u32::try_from(l).ok(),
            ..timed.clone()
        })
        .collect()
}
