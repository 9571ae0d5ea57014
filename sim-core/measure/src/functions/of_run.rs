//! Functions of a run.

use super::Result;
use super::arguments::Bound;
use crate::evaluate::Evaluator;
use crate::facts::{Ask, Decisions, Ended, Fact, FoundDecision, Look, ThreadLook};
use crate::quantity::{Kind, Quantity, from_unit};
use crate::watch::means;
use sim_run::metrics::registry::METRICS;
use sim_run::metrics::{Metric, real};
use sim_run::sched::cgroup::COUNTS;

pub(super) fn call(e: &mut Evaluator<'_>, name: &str, bound: &Bound<'_>) -> Result {
    let Some(lane) = bound.lane(e)? else {
        return Ok(Quantity::Missing);
    };
    match name {
        "exit" => exit(e, lane, bound),
        "elapsed" => Ok(with_end(e, lane, |end| {
            Quantity::time(Some(end.look.at_ns))
        })),
        "metric" => metric(e, lane, bound),
        "cputime" => Ok(Quantity::time(cpu_time(e, lane, bound)?.map(|t| t.0))),
        "share" => Ok(
            cpu_time(e, lane, bound)?.map_or(Quantity::Missing, |(cpu, elapsed)| {
                Quantity::number(real(cpu) / real(elapsed), Kind::Share)
            }),
        ),
        "missed" => missed(e, lane, bound),
        "longestWait" => longest_wait(e, lane, bound),
        "moves" => {
            let id = METRICS.iter().position(|m| m.entry.id == "migrations");
            measured(e, lane, bound, id.unwrap_or(0))
        }
        "count" => count(e, lane, bound),
        "operand" => operand(e, lane, bound),
        "moment" => {
            let found = decision(e, lane, bound)?;
            Ok(Quantity::time(found.map(|d| d.at_ns)))
        }
        "queue" => {
            let at = bound.time(e, "at", u64::MAX)?;
            let cpu = bound.cpu(e, "cpu")?;
            Ok(queue(e, lane, cpu, at))
        }
        "series" => series(e, lane, bound),
        "value" => value(e, lane, bound),
        "cgroup" => cgroup(e, lane, bound),
        _ => {
            let n = bound.whole(e, "n")?.and_then(|n| u64::try_from(n).ok());
            let Some(n) = n else {
                return Ok(Quantity::Missing);
            };
            match fact(e, lane, &Ask::Settled(n)) {
                Some(Fact::Time(at)) => Ok(Quantity::time(*at)),
                _ => Ok(Quantity::Missing),
            }
        }
    }
}

fn fact<'a>(e: &'a mut Evaluator<'_>, lane: usize, ask: &Ask) -> Option<&'a Fact> {
    let run = e.scope.run.clone();
    e.runs.fact(&run, lane, ask)
}

fn look<'a>(e: &'a mut Evaluator<'_>, lane: usize, at: u64) -> Option<&'a Look> {
    if at == u64::MAX {
        let run = e.scope.run.clone();
        return e.runs.ended(&run, lane).map(|end| &end.look);
    }
    match fact(e, lane, &Ask::Look(at))? {
        Fact::Look(look) => Some(look),
        _ => None,
    }
}

fn with_end(e: &mut Evaluator<'_>, lane: usize, read: impl Fn(&Ended) -> Quantity) -> Quantity {
    let run = e.scope.run.clone();
    e.runs.ended(&run, lane).map_or(Quantity::Missing, read)
}

/// Numbers of the threads of a name or a group, or of the workload by `all`; `None` while the run is not known, or if the name does not exist.
fn members(e: &mut Evaluator<'_>, lane: usize, who: &str) -> Option<Vec<usize>> {
    let run = e.scope.run.clone();
    let end = e.runs.ended(&run, lane)?;
    let all = end.threads.iter().enumerate();
    let found: Vec<usize> = all
        .filter(|(_, t)| t.name == who || t.group == who || (who == "all" && !t.background))
        .map(|(i, _)| i)
        .collect();
    Some(found).filter(|f| !f.is_empty())
}

fn exit(e: &mut Evaluator<'_>, lane: usize, bound: &Bound<'_>) -> Result {
    let who = bound.word(e, "who")?;
    Ok(with_end(e, lane, |end| {
        let is_meant = |group: &str, name: &str, background: bool| match who.as_str() {
            "last" | "first" => !background,
            who => group == who || name == who,
        };
        let threads = end.threads.iter();
        let exits: Vec<Option<u64>> = threads
            .filter(|t| is_meant(&t.group, &t.name, t.background))
            .map(|t| t.exited_at_ns)
            .collect();
        if who == "first" {
            return Quantity::time(exits.into_iter().flatten().min());
        }
        let all: Option<Vec<u64>> = exits.into_iter().collect();
        Quantity::time(all.and_then(|all| all.into_iter().max()))
    }))
}

fn metric(e: &mut Evaluator<'_>, lane: usize, bound: &Bound<'_>) -> Result {
    let id = bound.word(e, "id")?;
    let Some(i) = METRICS.iter().position(|m| m.entry.id == id) else {
        let known: Vec<&str> = METRICS.iter().map(|m| m.entry.id).collect();
        let message = format!("\"{id}\" is no measure; there are {}", known.join(", "));
        return Err(bound.wrong("id", message));
    };
    measured(e, lane, bound, i)
}

fn measured(e: &mut Evaluator<'_>, lane: usize, bound: &Bound<'_>, i: usize) -> Result {
    let Some(at) = bound.time(e, "at", u64::MAX)? else {
        return Ok(Quantity::Missing);
    };
    let kind = METRICS.get(i).map_or(Kind::Number, kind_of);
    let value = look(e, lane, at).and_then(|l| l.metrics.get(i));
    Ok(value.map_or(Quantity::Missing, |v| Quantity::number(*v, kind)))
}

/// What was counted of a control group.
fn cgroup(e: &mut Evaluator<'_>, lane: usize, bound: &Bound<'_>) -> Result {
    let (name, id) = (bound.word(e, "cgroup")?, bound.word(e, "id")?);
    let Some((_, unit, _, count)) = COUNTS.iter().find(|(known, ..)| *known == id) else {
        let known: Vec<&str> = COUNTS.iter().map(|(id, ..)| *id).collect();
        let known = known.join(", ");
        return Err(bound.wrong("id", format!("\"{id}\" is no count; there are {known}")));
    };
    let Some(at) = bound.time(e, "at", u64::MAX)? else {
        return Ok(Quantity::Missing);
    };
    let run = e.scope.run.clone();
    let Some(plan) = e.runs.plan(&run) else {
        return Ok(Quantity::Missing);
    };
    let groups = &plan.cgroups.groups;
    let Some(place) = groups.iter().position(|g| g.name == name) else {
        let message = format!("there is no control group \"{name}\"");
        return Err(bound.wrong("cgroup", message));
    };
    let counted = look(e, lane, at).and_then(|l| l.cgroups.get(place));
    Ok(counted.map_or(Quantity::Missing, |counted| {
        let kind = match *unit {
            "ns" => Kind::Time,
            _ => Kind::Count,
        };
        Quantity::number(real(count(counted)), kind)
    }))
}

fn kind_of(metric: &Metric) -> Kind {
    match metric.entry.unit {
        "ns" => Kind::Time,
        "share" => Kind::Share,
        "count" => Kind::Count,
        _ => Kind::Number,
    }
}

/// CPU time and elapsed time of a window, in ns.
fn cpu_time(e: &mut Evaluator<'_>, lane: usize, bound: &Bound<'_>) -> Result<Option<(u64, u64)>> {
    gained(e, lane, bound, |t| t.cpu_ns)
}

/// Deadlines that were missed, as a part of all.
fn missed(e: &mut Evaluator<'_>, lane: usize, bound: &Bound<'_>) -> Result {
    let all = gained(e, lane, bound, |t| t.deadlines)?;
    let late = gained(e, lane, bound, |t| t.deadlines_missed)?;
    Ok(match (all, late) {
        (Some((all, _)), Some((late, _))) if all > 0 => {
            Quantity::number(real(late) / real(all), Kind::Share)
        }
        _ => Quantity::Missing,
    })
}

/// What a total of the threads gained in a window, and how long that is in ns.
fn gained(
    e: &mut Evaluator<'_>,
    lane: usize,
    bound: &Bound<'_>,
    total: impl Fn(&ThreadLook) -> u64,
) -> Result<Option<(u64, u64)>> {
    let who = bound.word(e, "who")?;
    let warm_up = e.scope.from_ns;
    let from = bound.time(e, "from", warm_up)?;
    let to = bound.time(e, "to", u64::MAX)?;
    let (Some(from), Some(to)) = (from, to) else {
        return Ok(None);
    };
    if from > to {
        return Err(bound.wrong("from", "is after to"));
    }
    let members = members(e, lane, &who);
    let sum = |e: &mut Evaluator<'_>, at: u64| {
        let look = look(e, lane, at)?;
        let of = |i: &usize| look.threads.get(*i).map_or(0, &total);
        let members = members.as_ref()?;
        Some((members.iter().map(of).sum::<u64>(), look.at_ns))
    };
    // Both facts are requested, even if one is not known yet.
    let before = if from == 0 {
        Some((0, 0))
    } else {
        sum(e, from)
    };
    let after = sum(e, to);
    Ok(match (before, after) {
        (Some(a), Some(b)) => Some((b.0.saturating_sub(a.0), b.1.saturating_sub(a.1))),
        _ => None,
    })
}

fn longest_wait(e: &mut Evaluator<'_>, lane: usize, bound: &Bound<'_>) -> Result {
    let who = bound.word(e, "who")?;
    let Some(to) = bound.time(e, "to", u64::MAX)? else {
        return Ok(Quantity::Missing);
    };
    let members = members(e, lane, &who);
    let Some(look) = look(e, lane, to) else {
        return Ok(Quantity::Missing);
    };
    let waits = members.into_iter().flatten();
    let longest = waits
        .filter_map(|i| look.threads.get(i))
        .map(|t| t.longest_wait_ns);
    Ok(Quantity::time(longest.max()))
}

fn decisions(e: &mut Evaluator<'_>, bound: &Bound<'_>) -> Result<Decisions> {
    Ok(Decisions {
        reason: bound.word(e, "reason")?,
        thread: bound.word_if(e, "thread")?,
        cpu: bound.cpu(e, "cpu")?,
    })
}

fn count(e: &mut Evaluator<'_>, lane: usize, bound: &Bound<'_>) -> Result {
    let of = decisions(e, bound)?;
    let warm_up = e.scope.from_ns;
    let from = bound.time(e, "from", warm_up)?;
    let to = bound.time(e, "to", u64::MAX)?;
    let (Some(from), Some(to)) = (from, to) else {
        return Ok(Quantity::Missing);
    };
    let is_whole = from == 0 && to == u64::MAX;
    if is_whole && of.thread.is_none() {
        let run = e.scope.run.clone();
        let reasons = e
            .runs
            .plan(&run)
            .map_or(&[][..], |p| p.lanes[lane].info.reasons);
        return Ok(with_end(e, lane, |end| {
            let codes = (0_u16..).zip(reasons).filter(|(_, r)| means(r, &of.reason));
            let n = codes.map(|(code, _)| match of.cpu {
                None => end.tally.total(code),
                Some(cpu) => end.tally.on_cpu(sim_run::ids::CpuId(cpu), code),
            });
            Quantity::count(n.sum())
        }));
    }
    Ok(match fact(e, lane, &Ask::Count { of, from, to }) {
        Some(Fact::Count(n)) => Quantity::count(*n),
        _ => Quantity::Missing,
    })
}

fn decision(
    e: &mut Evaluator<'_>,
    lane: usize,
    bound: &Bound<'_>,
) -> Result<Option<FoundDecision>> {
    let of = decisions(e, bound)?;
    let nth = bound.whole(e, "nth")?.unwrap_or(1);
    let nth = i32::try_from(nth).ok().filter(|n| *n >= 1 || *n == -1);
    let Some(nth) = nth else {
        return Err(bound.wrong("nth", "decisions count from 1; -1 is the last"));
    };
    let after = match bound.find("after") {
        None => None,
        Some(_) => match bound.time(e, "after", 0)? {
            None => return Ok(None),
            found => found,
        },
    };
    Ok(match fact(e, lane, &Ask::Decision { of, nth, after }) {
        Some(Fact::Decision(found)) => found.clone(),
        _ => None,
    })
}

#[allow(clippy::cast_precision_loss)] // operands are far below 2^53
fn operand(e: &mut Evaluator<'_>, lane: usize, bound: &Bound<'_>) -> Result {
    let wanted = bound.word(e, "name")?;
    let run = e.scope.run.clone();
    let reasons = e
        .runs
        .plan(&run)
        .map_or(&[][..], |p| p.lanes[lane].info.reasons);
    let Some(found) = decision(e, lane, bound)? else {
        return Ok(Quantity::Missing);
    };
    let Some(entry) = reasons.get(usize::from(found.reason)) else {
        return Ok(Quantity::Missing);
    };
    let Some(i) = entry.operands.iter().position(|name| *name == wanted) else {
        let known = entry.operands.iter().filter(|name| !name.is_empty());
        let known: Vec<&str> = known.copied().collect();
        let message = format!(
            "{} has no such number; it has {}",
            entry.id,
            known.join(", ")
        );
        return Err(bound.wrong("name", message));
    };
    Ok(counted(found.operands[i] as f64, entry.units[i]))
}

/// A number of a decision: a time, a share, a fraction such as `1/2048`, or a count.
fn counted(value: f64, unit: &str) -> Quantity {
    if let Some(parts) = unit.strip_prefix("1/").and_then(|n| n.parse::<u64>().ok()) {
        return Quantity::number(value / real(parts), Kind::Number);
    }
    // Points in time are shown as times.
    let unit = if unit == "atNs" { "ns" } else { unit };
    match from_unit(value, unit) {
        Quantity::Number(n, Kind::Number) => Quantity::Number(n, Kind::Count),
        other => other,
    }
}

/// A number that the scheduler keeps: a column of a thread or a CPU, or one of the lane.
fn value(e: &mut Evaluator<'_>, lane: usize, bound: &Bound<'_>) -> Result {
    let id = bound.word(e, "id")?;
    let thread = bound.word_if(e, "thread")?;
    let of_cpu = bound.find("cpu").is_some();
    if thread.is_some() && of_cpu {
        return Err(bound.wrong("cpu", "a value is of a thread or of a CPU"));
    }
    let cpu = bound.cpu(e, "cpu")?;
    let Some(at) = bound.time(e, "at", u64::MAX)? else {
        return Ok(Quantity::Missing);
    };
    if thread.is_none() && !of_cpu {
        return number(e, lane, bound, &id, at);
    }
    let run = e.scope.run.clone();
    let info = e.runs.plan(&run).map(|p| p.lanes[lane].info);
    let columns = info.map_or(&[][..], |info| {
        if of_cpu {
            info.cpu_columns
        } else {
            info.task_columns
        }
    });
    // The scheduler of another lane may have it.
    let Some(place) = columns.iter().position(|c| c.id == id) else {
        return Ok(Quantity::Missing);
    };
    let of = |row: Option<&Vec<f64>>| {
        let value = row.and_then(|row| row.get(place)).copied();
        let value = value.filter(|v| v.is_finite());
        value.map_or(Quantity::Missing, |v| from_unit(v, columns[place].unit))
    };
    let Some(who) = thread else {
        let kept = look(e, lane, at).map(|l| &l.kept.cpus);
        return Ok(of(kept.and_then(|cpus| cpus.get(usize::from(cpu?)))));
    };
    let members = members(e, lane, &who);
    let is_thread = with_end(e, lane, |end| {
        Quantity::Flag(end.threads.iter().any(|t| t.name == who))
    });
    let (Some(look), Some(members)) = (look(e, lane, at), members) else {
        return Ok(Quantity::Missing);
    };
    let mut values = members.into_iter().map(|i| of(look.kept.threads.get(i)));
    Ok(if is_thread == Quantity::Flag(true) {
        values.next().unwrap_or(Quantity::Missing)
    } else {
        Quantity::List(values.collect())
    })
}

/// A number of the lane.
fn number(e: &mut Evaluator<'_>, lane: usize, bound: &Bound<'_>, id: &str, at: u64) -> Result {
    let Some(look) = look(e, lane, at) else {
        return Ok(Quantity::Missing);
    };
    let numbers = &look.kept.lane;
    match numbers.iter().find(|(name, _)| name == id) {
        Some((_, value)) => Ok(Quantity::number(*value, Kind::Number)),
        None if numbers.is_empty() => Ok(Quantity::Missing),
        None => {
            let known: Vec<&str> = numbers.iter().map(|n| n.0.as_str()).collect();
            let message = format!("the lane keeps no \"{id}\"; it keeps {}", known.join(", "));
            Err(bound.wrong("id", message))
        }
    }
}

fn queue(e: &mut Evaluator<'_>, lane: usize, cpu: Option<u16>, at: Option<u64>) -> Quantity {
    let (Some(cpu), Some(at)) = (cpu, at) else {
        return Quantity::Missing;
    };
    let load = look(e, lane, at).and_then(|l| l.loads.get(usize::from(cpu)));
    load.map_or(Quantity::Missing, |n| Quantity::count(*n))
}

fn series(e: &mut Evaluator<'_>, lane: usize, bound: &Bound<'_>) -> Result {
    let what = bound.word(e, "what")?;
    if what != "queue" {
        return Err(bound.wrong("what", "must be queue"));
    }
    let cpu = bound.cpu(e, "cpu")?;
    let mut all = Vec::new();
    for time in bound.list(e, "times")? {
        let at = bound.as_time("times", &time)?;
        all.push(queue(e, lane, cpu, at));
    }
    Ok(Quantity::List(all))
}
