//! Lists of what threads did again and again, and of the lengths of queues.

use super::Result;
use super::arguments::Bound;
use crate::evaluate::Evaluator;
use crate::facts::{Ask, Fact};
use crate::intervals::Interval;
use crate::quantity::{self, Kind, Quantity};
use sim_run::metrics::real;

pub(super) fn call(e: &mut Evaluator<'_>, name: &str, bound: &Bound<'_>) -> Result {
    let Some(lane) = bound.lane(e)? else {
        return Ok(Quantity::Missing);
    };
    let warm_up = e.scope.from_ns;
    let from = bound.time(e, "from", warm_up)?;
    let to = bound.time(e, "to", u64::MAX)?;
    let (Some(from), Some(to)) = (from, to) else {
        return Ok(Quantity::Missing);
    };
    if name == "queueLengths" {
        let Some(cpu) = bound.cpu(e, "cpu")? else {
            return Ok(Quantity::Missing);
        };
        let ask = Ask::Depths { cpu, from, to };
        return Ok(list(e, lane, &ask, |n| Quantity::count(*n)));
    }
    let who = bound.word(e, "who")?;
    let ask = |what| Ask::Lengths {
        what,
        who: who.clone(),
        from,
        to,
    };
    let time = |ns: &u64| Quantity::Number(real(*ns), Kind::Time);
    Ok(match name {
        "waits" => list(e, lane, &ask(Interval::Wait), time),
        "latencies" => list(e, lane, &ask(Interval::Latency), time),
        "turns" => list(e, lane, &ask(Interval::Turn), time),
        "responses" => list(e, lane, &ask(Interval::Response), time),
        // How many times as long as alone on a CPU: they end together, so the lists have the same order.
        _ => {
            let responses = list(e, lane, &ask(Interval::Response), time);
            let demands = list(e, lane, &ask(Interval::Demand), time);
            let each = quantity::quotient(&responses, &demands);
            each.map_err(|message| bound.wrong("who", message))?
        }
    })
}

/// The numbers of a fact, each as a quantity.
fn list(
    e: &mut Evaluator<'_>,
    lane: usize,
    ask: &Ask,
    item: impl Fn(&u64) -> Quantity,
) -> Quantity {
    let run = e.scope.run.clone();
    match e.runs.fact(&run, lane, ask) {
        Some(Fact::Lengths(all)) => Quantity::List(all.iter().map(item).collect()),
        _ => Quantity::Missing,
    }
}
