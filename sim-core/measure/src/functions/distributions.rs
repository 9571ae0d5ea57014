//! Lists of the lengths of what threads did again and again.

use super::Result;
use super::arguments::Bound;
use crate::evaluate::Evaluator;
use crate::facts::{Ask, Fact};
use crate::intervals::Interval;
use crate::quantity::{Kind, Quantity};
use sim_run::metrics::real;

pub(super) fn call(e: &mut Evaluator<'_>, name: &str, bound: &Bound<'_>) -> Result {
    let Some(lane) = bound.lane(e)? else {
        return Ok(Quantity::Missing);
    };
    let what = match name {
        "waits" => Interval::Wait,
        "latencies" => Interval::Latency,
        "turns" => Interval::Turn,
        _ => Interval::Response,
    };
    let who = bound.word(e, "who")?;
    let warm_up = e.scope.from_ns;
    let from = bound.time(e, "from", warm_up)?;
    let to = bound.time(e, "to", u64::MAX)?;
    let (Some(from), Some(to)) = (from, to) else {
        return Ok(Quantity::Missing);
    };
    let run = e.scope.run.clone();
    let ask = Ask::Lengths {
        what,
        who,
        from,
        to,
    };
    Ok(match e.runs.fact(&run, lane, &ask) {
        Some(Fact::Lengths(all)) => {
            let time = |ns: &u64| Quantity::Number(real(*ns), Kind::Time);
            Quantity::List(all.iter().map(time).collect())
        }
        _ => Quantity::Missing,
    })
}
