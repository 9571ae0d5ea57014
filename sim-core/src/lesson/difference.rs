//! Runs that differ from the learner's: the scenario with a [`Difference`] in it.

use super::format::Difference;
use crate::config::edit::{Edit, TimedEdit};
use crate::config::guide::Control;
use crate::config::property::find;
use crate::config::{Scenario, SchedulerChoice, validate};
use crate::error::ConfigError;
use crate::property::{self, Set};
use serde_json::Value;

/// Most lanes that a scenario may have.
const MAX_LANES: usize = 4;

/// The scenario with a difference, with every default filled in. What differs stays in its place.
///
/// # Errors
/// The errors of the result: a lane or a place that does not exist, or a value that does not fit.
pub fn changed(base: &Scenario, difference: &Difference) -> Result<Scenario, Vec<ConfigError>> {
    let mut scenario = base.clone();
    for own in tunables(difference) {
        let lanes = own.lanes(base);
        let edits = std::mem::take(&mut scenario.edits);
        let kept = edits
            .into_iter()
            .flat_map(|e| without(e, &own.id, &lanes, base.schedulers.len()));
        scenario.edits = kept.collect();
    }
    let mut value = as_json(&scenario);
    let mut sets = Vec::new();
    for (path, new) in &difference.set {
        let at = |message| wrong(path, message);
        sets.push((
            path,
            Set::new(named(path, &value).map_err(at)?, new.clone()),
        ));
    }
    sets.sort_by_key(|(_, set)| set.turn());
    for (path, set) in sets {
        let set = set.apply(&mut value);
        set.map_err(|e| wrong(path, e.message))?;
    }
    checked(validate::parse(&value.to_string())?)
}

fn wrong(path: &str, message: String) -> Vec<ConfigError> {
    vec![ConfigError::new(format!("set.{path}"), message)]
}

/// The path of a property; older files have JSON pointers.
fn named(path: &str, scenario: &Value) -> Result<String, String> {
    if path.starts_with('/') {
        return property::of_pointer(path, scenario);
    }
    Ok(path.to_owned())
}

/// A tunable that a difference sets.
struct Own {
    /// Number or scheduler of its lanes, or `*`.
    which: String,
    id: String,
}

impl Own {
    /// Positions of the lanes that it names.
    fn lanes(&self, scenario: &Scenario) -> Vec<usize> {
        let number: Option<usize> = self.which.parse().ok();
        let lanes = scenario.schedulers.iter().enumerate();
        let is_it = |(i, lane): &(usize, &SchedulerChoice)| match number {
            Some(number) => number == i + 1,
            None => self.which == "*" || self.which == lane.id,
        };
        lanes.filter(is_it).map(|(i, _)| i).collect()
    }
}

/// The tunables that a difference sets. A scenario's edits of these would set them again.
fn tunables(difference: &Difference) -> impl Iterator<Item = Own> + '_ {
    let fields = difference.set.keys().filter_map(|path| of_lane(path));
    let own = fields.filter(|(_, field)| field != "era");
    own.map(|(which, id)| Own { which, id })
}

/// Lane and field of a path that sets a tunable or the era of lanes.
fn of_lane(path: &str) -> Option<(String, String)> {
    let (_, steps) = find(path).ok()?;
    match &steps[..] {
        [of, which, field] if of == "lanes" && !matches!(field.as_str(), "id" | "tunables") => {
            Some((which.clone(), field.clone()))
        }
        _ => None,
    }
}

/// The only lane in which a run differs, as its position, if it differs in tunables and era of one.
pub(super) fn only_lane(difference: &Difference, lanes: usize) -> Option<usize> {
    let mut all = difference.set.keys().map(|path| {
        let number: usize = of_lane(path)?.0.parse().ok()?;
        number.checked_sub(1).filter(|lane| *lane < lanes)
    });
    let first = all.next()??;
    all.all(|lane| lane == Some(first)).then_some(first)
}

/// A scenario as JSON, by way of its text: other code writes this text too, so the code is linked only once.
fn as_json(scenario: &Scenario) -> Value {
    let text = serde_json::to_string(scenario).expect("invariant: plain data is serialisable");
    serde_json::from_str(&text).expect("invariant: what was written can be read")
}

/// The scenario that shows a difference. If only tunables and era of one lane differ, its copy with the difference comes
/// beside it; the second value is the copy's position. Any other difference replaces everything.
///
/// # Errors
/// As for [`changed`].
pub fn beside(
    base: &Scenario,
    difference: &Difference,
) -> Result<(Scenario, Option<u32>), Vec<ConfigError>> {
    let whole = changed(base, difference)?;
    let Some(lane) = only_lane(difference, base.schedulers.len()) else {
        return Ok((whole, None));
    };
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
        let is_own = tunable(edit).is_some_and(|id| tunables(difference).any(|own| own.id == id));
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
    timed.lane.or(timed.edit.lane())
}

/// An edit with its lane renumbered; `None` if that lane was removed.
fn moved(timed: &TimedEdit, to: impl Fn(u32) -> Option<u32>) -> Option<TimedEdit> {
    let mut timed = timed.clone();
    if let Some(lane) = timed.lane {
        timed.lane = Some(to(lane)?);
    }
    if let Some(lane) = timed.edit.lane_mut() {
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

/// An edit after a tunable got another value in some lanes: the part that would set it there again is removed.
fn without(timed: TimedEdit, id: &str, own: &[usize], lanes: usize) -> Vec<TimedEdit> {
    let concerns = |lane: usize| lanes_of(&timed).is_none_or(|l| l as usize == lane);
    if tunable(&timed) != Some(id) || !own.iter().any(|lane| concerns(*lane)) {
        return vec![timed];
    }
    let others = (0..lanes).filter(|l| !own.contains(l) && concerns(*l));
    others
        .map(|l| TimedEdit {
            lane: u32::try_from(l).ok(),
            ..timed.clone()
        })
        .collect()
}
