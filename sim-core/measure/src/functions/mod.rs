//! The functions of expressions. Lanes, decisions, items and forks are counted from 1. `from` and `to` are times; if
//! left out, the start and the end. `who` is a thread (`"job-9"`) or a group (`job`); but for
//! `exit`, `all` means all threads of the workload.
//!
//! | function | value |
//! |---|---|
//! | `exit(lane, who)` | time at which a thread ended; for a group the last one; `last`, `first` for the whole workload |
//! | `elapsed(lane)` | how long the run took |
//! | `metric(lane, id[, at])` | a measure of the catalog |
//! | `cputime(lane, who[, from, to])` | CPU time; for a group the sum |
//! | `share(lane, who[, from, to])` | the same ÷ elapsed time |
//! | `longestWait(lane, who[, to])` | longest wait, without the wait before the first run |
//! | `moves(lane[, at])` | changes of CPU of the workload's threads |
//! | `count(lane, reason[, cpu, thread, from, to])` | decisions for a reason or of a kind |
//! | `operand(lane, reason, nth, name[, thread, cpu, after])` | a number of the nth such decision; -1 the last |
//! | `moment(lane, reason[, nth, thread, cpu, after])` | time of such a decision |
//! | `queue(lane, cpu, at)` | number of runnable threads of a CPU, including the running one |
//! | `series(lane, queue, cpu, times)` | the same at times |
//! | `waits(lane, who[, from, to])` | how long threads waited while runnable, each time; open ones at the end count |
//! | `latencies(lane, who[, from, to])` | the same, only from a wake-up to the next turn |
//! | `turns(lane, who[, from, to])` | how long threads ran, each time that they got a CPU |
//! | `responses(lane, who[, from, to])` | from a wake-up or a start to going to sleep or ending |
//! | `settled(lane, n)` | time from which every CPU has n runnable threads until the end |
//! | `threads(group)`, `nice(group)`, `workingSet(group)` (bytes), `param(group, id)` | what the scenario says |
//! | `tunable(lane, id)` | likewise |
//! | `in(run, x)` | x in a run of the lesson, or in `transfer` |
//! | `sweep(name, x)` | x at each point of a row of runs, as a list |
//! | `fork(n[, x])` | x in a fork of this step; if left out, the compared value. 0 is the learner's own run |
//! | `each(x)` | x in every lane, as a list |
//! | `nearest(x, list)` | the nearest item |
//! | `rank(list)`, `argmin(list)`, `argmax(list)` | items in ascending order; the smallest; the largest |
//! | `min`, `max`, `sum`, `mean` | of a list, or of the arguments |
//! | `p(list, percent)` | the smallest item that so many per cent of the items do not exceed |
//! | `cdf(list, x)` | the share of items that are at most x |
//! | `length(list)` | number of items |
//! | `missing(list)` | the first item that is 0 or does not exist |
//! | `item(list, n)`, `first(list)`, `last(list)` | an item |
//! | `abs(x)`, `round(x[, step])` | a number |
//! | `exists(x)`, `if(condition, a, b)` | whether the run has x; a or b |
//! | `shape(line)` | the [shape](super::shape) of a drawn line |
//!
//! Where a list is expected, an expression with `lane` gives its values in all lanes: `rank(exit(lane, last))`.

mod arguments;
mod distributions;
mod lists;
mod of_run;
mod of_scenario;

use super::evaluate::Evaluator;
use super::expression::{Argument, ExpressionError};
use super::quantity::Quantity;
use super::runs::RunKey;
use super::shape;
use arguments::Bound;

type Result<T = Quantity> = std::result::Result<T, ExpressionError>;

/// A function: its name, its parameters, and how many of them it needs.
struct Function {
    name: &'static str,
    parameters: &'static [&'static str],
    needs: usize,
}

const fn function(
    name: &'static str,
    parameters: &'static [&'static str],
    needs: usize,
) -> Function {
    Function {
        name,
        parameters,
        needs,
    }
}

const FUNCTIONS: &[Function] = &[
    function("exit", &["lane", "who"], 2),
    function("elapsed", &["lane"], 1),
    function("metric", &["lane", "id", "at"], 2),
    function("cputime", &["lane", "who", "from", "to"], 2),
    function("share", &["lane", "who", "from", "to"], 2),
    function("longestWait", &["lane", "who", "to"], 2),
    function("moves", &["lane", "at"], 1),
    function(
        "count",
        &["lane", "reason", "cpu", "thread", "from", "to"],
        2,
    ),
    function(
        "operand",
        &["lane", "reason", "nth", "name", "thread", "cpu", "after"],
        4,
    ),
    function(
        "moment",
        &["lane", "reason", "nth", "thread", "cpu", "after"],
        2,
    ),
    function("queue", &["lane", "cpu", "at"], 3),
    function("series", &["lane", "what", "cpu", "times"], 4),
    function("waits", &["lane", "who", "from", "to"], 2),
    function("latencies", &["lane", "who", "from", "to"], 2),
    function("turns", &["lane", "who", "from", "to"], 2),
    function("responses", &["lane", "who", "from", "to"], 2),
    function("settled", &["lane", "n"], 2),
    function("threads", &["group"], 1),
    function("nice", &["group"], 1),
    function("workingSet", &["group"], 1),
    function("param", &["group", "id"], 2),
    function("tunable", &["lane", "id"], 2),
    function("in", &["run", "x"], 2),
    function("sweep", &["name", "x"], 2),
    function("fork", &["n", "x"], 1),
    function("each", &["x"], 1),
    function("nearest", &["x", "list"], 2),
    function("rank", &["list"], 1),
    function("argmin", &["list"], 1),
    function("argmax", &["list"], 1),
    function("p", &["list", "percent"], 2),
    function("cdf", &["list", "x"], 2),
    function("length", &["list"], 1),
    function("missing", &["list"], 1),
    function("item", &["list", "n"], 2),
    function("first", &["list"], 1),
    function("last", &["list"], 1),
    function("abs", &["x"], 1),
    function("round", &["x", "step"], 1),
    function("exists", &["x"], 1),
    function("if", &["condition", "a", "b"], 3),
    function("shape", &["line"], 1),
];

/// Functions of a list or of any number of arguments.
const OF_MANY: [&str; 4] = ["min", "max", "sum", "mean"];

/// The parameters of a function, in order; `None` if there is none of that name, or if it takes any number of arguments.
pub(crate) fn parameters(name: &str) -> Option<&'static [&'static str]> {
    let found = FUNCTIONS.iter().find(|f| f.name == name)?;
    Some(found.parameters)
}

/// The names of all functions, for messages.
fn names() -> String {
    let all = FUNCTIONS.iter().map(|f| f.name).chain(OF_MANY);
    all.collect::<Vec<_>>().join(", ")
}

/// Calls a function.
pub(super) fn call(
    e: &mut Evaluator<'_>,
    column: usize,
    name: &str,
    arguments: &[Argument],
) -> Result {
    if OF_MANY.contains(&name) {
        return lists::of_many(e, column, name, arguments);
    }
    let Some(function) = FUNCTIONS.iter().find(|f| f.name == name) else {
        let message = format!("\"{name}\" is no function; there are {}", names());
        return Err(ExpressionError::new(column, message));
    };
    let bound = Bound::new(column, name, function.parameters, function.needs, arguments)?;
    match name {
        "threads" | "nice" | "workingSet" | "param" | "tunable" => {
            of_scenario::call(e, name, &bound)
        }
        "in" | "sweep" | "fork" | "each" => elsewhere(e, name, &bound),
        "nearest" | "rank" | "argmin" | "argmax" | "missing" | "item" | "first" | "last" | "p"
        | "cdf" | "length" => lists::call(e, name, &bound),
        "waits" | "latencies" | "turns" | "responses" => distributions::call(e, name, &bound),
        "abs" | "round" | "exists" | "if" => lists::of_one(e, name, &bound),
        "shape" => drawn(e, &bound),
        _ => of_run::call(e, name, &bound),
    }
}

/// Functions that evaluate an expression in other runs or lanes.
fn elsewhere(e: &mut Evaluator<'_>, name: &str, bound: &Bound<'_>) -> Result {
    match name {
        "in" => {
            let name = bound.word(e, "run")?;
            let known = e.runs.source().named();
            if !known.contains(&name.as_str()) {
                let message = format!("there is no such run; there are {}", listed(&known));
                return Err(bound.wrong("run", message));
            }
            e.within(RunKey::Named(name), &bound.given("x").value)
        }
        "sweep" => {
            let name = bound.word(e, "name")?;
            let rows = e.runs.source().rows();
            let Some((_, points)) = rows.iter().find(|(row, _)| *row == name).copied() else {
                let known: Vec<&str> = rows.iter().map(|(row, _)| *row).collect();
                let message = format!("there is no such sweep; there are {}", listed(&known));
                return Err(bound.wrong("name", message));
            };
            let x = &bound.given("x").value;
            let all: Result<Vec<Quantity>> = (0..points)
                .map(|i| e.within(RunKey::Point(name.clone(), i), x))
                .collect();
            Ok(Quantity::List(all?))
        }
        "fork" => fork(e, bound),
        _ => Ok(Quantity::List(e.in_each_lane(&bound.given("x").value)?)),
    }
}

fn fork(e: &mut Evaluator<'_>, bound: &Bound<'_>) -> Result {
    let n = bound.whole(e, "n")?.unwrap_or(0);
    let source = e.runs.source();
    let step = e.scope.step.and_then(|i| Some((i, source.forks(i)?)));
    let Some((i, (forks, compare))) = step else {
        return Err(bound.wrong("n", "only a step that changes something has forks"));
    };
    let compare = compare.to_owned();
    let n = usize::try_from(n).ok().filter(|n| *n <= forks);
    let Some(n) = n else {
        let message = format!("must be from 0 (the learner's run) to {forks}");
        return Err(bound.wrong("n", message));
    };
    let run = n.checked_sub(1).map_or(RunKey::Own, |n| RunKey::Fork(i, n));
    if let Some(x) = bound.find("x") {
        return e.within(run, &x.value);
    }
    let value = super::expression::parse(&compare)
        .map_err(|wrong| bound.wrong("n", format!("compare.value: {wrong}")))?;
    e.within(run, &value)
}

fn drawn(e: &mut Evaluator<'_>, bound: &Bound<'_>) -> Result {
    let Some(axes) = e.scope.axes.clone() else {
        return Err(bound.wrong("line", "only a drawn line has a shape"));
    };
    let line = bound.list(e, "line")?;
    let values: Option<Vec<f64>> = line
        .iter()
        .map(|q| match q {
            Quantity::Number(value, _) => Some(*value),
            _ => None,
        })
        .collect();
    Ok(values.map_or(Quantity::Missing, |values| {
        Quantity::Word(shape::shape(&values, &axes).to_owned())
    }))
}

fn listed(names: &[&str]) -> String {
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    }
}
