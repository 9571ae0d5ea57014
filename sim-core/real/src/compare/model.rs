//! The scenario in the model, as a recording asks for it.

use crate::record::{About, Recording};
use sim_measure::Measures;
use sim_measure::quantity::Quantity;
use sim_run::config::{Scenario, SchedulerChoice};
use sim_run::params::{ParamMap, ParamValue};
use sim_run::sched::{SchedulerInfo, registry};

/// The scenario as the model runs it: one lane, on as many CPUs, in one group, as long.
pub(super) fn model(
    recording: &Recording,
    scenario: &Scenario,
    id: &str,
    era: &str,
) -> Result<Scenario, String> {
    let info = registry::ALL.find(id).ok_or_else(|| {
        let known = registry::ALL.ids();
        format!("the scheduler must be one of {known}, got \"{id}\"")
    })?;
    let era = info.era_said(era)?.id;
    let mut model = scenario.clone();
    model.drop_guide();
    model.end.at_ns = recording.ns;
    model.schedulers = vec![SchedulerChoice {
        id: id.to_owned(),
        era: Some(era.to_owned()),
        tunables: tunables(info, era, &recording.about),
        program: None,
    }];
    let cpus = u16::try_from(recording.cpus.len()).map_err(|e| e.to_string())?;
    for group in &mut model.groups {
        group.allowed.get_or_insert_with(|| (0..cpus).collect());
    }
    Ok(model)
}

/// What the machine said of itself, as far as the scheduler has a tunable for it. All threads are of one session, and so of
/// one group.
pub(super) fn tunables(info: &'static SchedulerInfo, era: &str, about: &About) -> ParamMap {
    let specs = info.era(Some(era)).map_or(&[][..], |e| e.tunables);
    let mut map = ParamMap::new();
    let mut set = |id: &str, value: Option<ParamValue>| {
        let known = specs.iter().find(|s| s.id == id);
        if let (Some(spec), Some(value)) = (known, value)
            && spec.check(&value).is_ok()
        {
            map.insert(id.to_owned(), value);
        }
    };
    set("hz", about.hz.map(|hz| ParamValue::Int(hz.into())));
    set("groupPerApplication", Some(ParamValue::Flag(false)));
    set(
        "preempt",
        Some(ParamValue::Flag(about.preemption.starts_with("full"))),
    );
    if let Some(slice) = about.base_slice_ns.and_then(|ns| i64::try_from(ns).ok()) {
        set("baseSliceNs", Some(ParamValue::Int(slice)));
        // The machine's slice is after scaling.
        set(
            "tunableScaling",
            Some(ParamValue::Choice("none".to_owned())),
        );
    }
    map
}

/// A thread in a run of the model.
pub(super) struct Modelled {
    pub(super) cpu: f64,
    pub(super) turns: Vec<u64>,
    pub(super) waits: Vec<u64>,
    pub(super) latencies: Vec<u64>,
    pub(super) moves: f64,
}

/// All threads in a run of the model with the seed of a repeat.
pub(super) fn lengths_of_model(
    model: &Scenario,
    repeat: u64,
    names: &[String],
) -> Result<Vec<Modelled>, String> {
    let mut model = model.clone();
    model.seed += repeat;
    let ns = model.end.at_ns;
    let mut asked = Vec::new();
    for name in names {
        for function in ["cputime", "turns", "waits", "latencies"] {
            asked.push(format!("{function}(1, \"{name}\")"));
        }
    }
    let values = Measures::new(model.clone(), 0).values(&asked)?;
    let moves = moves_of_model(&model, ns, names)?;
    Ok(values
        .chunks(4)
        .zip(moves)
        .map(|(v, moves)| Modelled {
            cpu: number(&v[0]),
            turns: list(&v[1]),
            waits: list(&v[2]),
            latencies: list(&v[3]),
            moves,
        })
        .collect())
}

/// Moves of each thread a second.
#[allow(clippy::cast_precision_loss)] // ns of hours
fn moves_of_model(model: &Scenario, ns: u64, names: &[String]) -> Result<Vec<f64>, String> {
    let plan = sim_run::config::validate::plan(model)
        .map_err(|errors| errors.first().map_or_else(String::new, ToString::to_string))?;
    let mut sim = sim_run::engine::Sim::new(
        &std::sync::Arc::new(plan),
        0,
        sim_run::engine::Options::default(),
    );
    sim.run_until(sim_run::time::SimTime(ns));
    let report = sim_run::report::report(&mut sim);
    let of = |name: &String| {
        let thread = report.threads.iter().find(|t| t.name == *name);
        thread.map_or(0.0, |t| t.migrations as f64 * 1e9 / ns as f64)
    };
    Ok(names.iter().map(of).collect())
}

fn number(quantity: &Quantity) -> f64 {
    match quantity {
        Quantity::Number(x, _) => *x,
        _ => 0.0,
    }
}

/// The lengths of a list, in ns.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // times of a run are whole and not negative
fn list(quantity: &Quantity) -> Vec<u64> {
    match quantity {
        Quantity::List(items) => items.iter().map(|item| number(item) as u64).collect(),
        _ => Vec::new(),
    }
}
