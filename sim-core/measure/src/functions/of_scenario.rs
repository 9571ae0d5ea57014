//! Functions of the scenario of a run.

use super::Result;
use super::arguments::Bound;
use crate::evaluate::Evaluator;
use crate::quantity::{Kind, Quantity, from_unit};
use sim_run::params::{ParamKind, Params};

pub(super) fn call(e: &mut Evaluator<'_>, name: &str, bound: &Bound<'_>) -> Result {
    let run = e.scope.run.clone();
    let Some(plan) = e.runs.plan(&run) else {
        return Ok(Quantity::Missing);
    };
    if name == "tunable" {
        let id = bound.word(e, "id")?;
        let lane = bound.lane(e)?.and_then(|lane| plan.lanes.get(lane));
        return Ok(lane.map_or(Quantity::Missing, |l| value_of(&l.params, &id)));
    }
    let group = bound.word(e, "group")?;
    let Some(group) = plan.groups.iter().find(|g| g.name == group) else {
        return Ok(Quantity::Missing);
    };
    Ok(match name {
        "threads" => Quantity::count(u64::from(group.count)),
        "nice" => Quantity::Number(f64::from(group.nice), Kind::Number),
        "workingSet" => Quantity::count(group.working_set_bytes),
        _ => value_of(&group.params, &bound.word(e, "id")?),
    })
}

/// A parameter; a number has the unit of its declaration.
#[allow(clippy::cast_precision_loss)] // parameters are exact in a double
fn value_of(params: &Params, id: &str) -> Quantity {
    let Some(spec) = params.specs().iter().find(|s| s.id == id) else {
        return Quantity::Missing;
    };
    match spec.kind {
        ParamKind::Int { .. } => from_unit(params.get(id) as f64, spec.unit),
        ParamKind::Flag { .. } => Quantity::Flag(params.flag(id)),
        ParamKind::Choice { .. } | ParamKind::Text { .. } => {
            Quantity::Word(params.get_text(id).to_owned())
        }
    }
}
