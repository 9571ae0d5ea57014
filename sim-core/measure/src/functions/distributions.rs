//! Lists of the lengths of what threads did again and again.

use super::Result;
use super::arguments::Bound;
use crate::evaluate::Evaluator;
use crate::facts::{Ask, Fact};
use crate::intervals::Interval;
use crate::quantity::{Kind, Quantity};
use sim_run::metrics::real;
use sim_run::text::quoted;

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
    let groups = e.runs.plan(&run).map_or(Vec::new(), |p| {
        p.groups.iter().map(|g| g.name.clone()).collect()
    });
    if !is_known(&who, &groups) {
        let message = format!(
            "no thread or group is called {}; there are all, {}",
            quoted(&who),
            groups.join(", ")
        );
        return Err(bound.wrong("who", message));
    }
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

/// Whether a word names a group, a thread of one (`hog-3`), or all.
fn is_known(who: &str, groups: &[String]) -> bool {
    let group = who.rsplit_once('-').map_or("", |(group, _)| group);
    who == "all" || groups.iter().any(|g| g == who || g == group)
}
