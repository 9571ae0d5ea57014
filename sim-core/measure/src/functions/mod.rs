//! The functions of expressions: [`FUNCTIONS`] says what each is. Lanes, decisions, items and forks are counted from 1.
//! `from` and `to` are times; if left out, the start and the end. `who` is a thread (`"job-9"`) or a group (`job`); but for
//! `exit`, `all` means all threads of the workload.
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

/// A function of the language.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// Its parameters, in order; of one that takes a list or any number of arguments, only `list`.
    pub parameters: &'static [&'static str],
    /// How many of the parameters must be given.
    pub needs: usize,
    /// Whether it takes a list, or any number of arguments.
    pub of_many: bool,
    /// Whether only lessons have what it asks for: other runs, forks, drawn lines.
    pub of_lessons: bool,
    /// The kind of its value, which says the unit: `a time`, `a share`, `a count`, `a number`, lists of these such as `times`,
    /// or that of something else: `as x`.
    pub gives: &'static str,
    /// Its value, in a sentence.
    pub summary: &'static str,
}

impl Function {
    /// How it is called: `share(lane, who[, from, to])`.
    #[must_use]
    pub fn usage(&self) -> String {
        let (given, free) = self.parameters.split_at(self.needs);
        let (name, given) = (self.name, given.join(", "));
        match free {
            [] => format!("{name}({given})"),
            free => format!("{name}({given}[, {}])", free.join(", ")),
        }
    }
}

const fn function(
    name: &'static str,
    parameters: &'static [&'static str],
    needs: usize,
    gives: &'static str,
    summary: &'static str,
) -> Function {
    Function {
        name,
        parameters,
        needs,
        of_many: false,
        of_lessons: false,
        gives,
        summary,
    }
}

const fn of_many(name: &'static str, summary: &'static str) -> Function {
    Function {
        of_many: true,
        ..function(name, &["list"], 1, "as the items", summary)
    }
}

const fn of_lessons(
    name: &'static str,
    parameters: &'static [&'static str],
    needs: usize,
    gives: &'static str,
    summary: &'static str,
) -> Function {
    Function {
        of_lessons: true,
        ..function(name, parameters, needs, gives, summary)
    }
}

/// All functions, in the order of lists.
pub const FUNCTIONS: &[Function] = &[
    function(
        "exit",
        &["lane", "who"],
        2,
        "a time",
        "Time at which a thread ended, for a group the last one; `last` and `first` are of the whole workload.",
    ),
    function("elapsed", &["lane"], 1, "a time", "How long the run took."),
    function(
        "metric",
        &["lane", "id", "at"],
        2,
        "as the measure",
        "A measure of the catalog.",
    ),
    function(
        "cputime",
        &["lane", "who", "from", "to"],
        2,
        "a time",
        "CPU time of a thread, or the sum over a group.",
    ),
    function(
        "share",
        &["lane", "who", "from", "to"],
        2,
        "a share",
        "CPU time as a part of the elapsed time.",
    ),
    function(
        "missed",
        &["lane", "who", "from", "to"],
        2,
        "a share",
        "Deadlines that a thread came too late for, as a part of all of them (`every T`).",
    ),
    function(
        "longestWait",
        &["lane", "who", "to"],
        2,
        "a time",
        "The longest wait of a thread, without the wait before its first run.",
    ),
    function(
        "moves",
        &["lane", "at"],
        1,
        "a count",
        "How often threads of the workload changed their CPU.",
    ),
    function(
        "count",
        &["lane", "reason", "cpu", "thread", "from", "to"],
        2,
        "a count",
        "How many decisions were made for a reason, or of a kind.",
    ),
    function(
        "operand",
        &["lane", "reason", "nth", "name", "thread", "cpu", "after"],
        4,
        "as the number",
        "A number of the nth decision for a reason; -1 is the last decision.",
    ),
    function(
        "moment",
        &["lane", "reason", "nth", "thread", "cpu", "after"],
        2,
        "a time",
        "Time of the nth decision for a reason; -1 is the last decision.",
    ),
    function(
        "queue",
        &["lane", "cpu", "at"],
        3,
        "a count",
        "How many threads of a CPU are runnable at a time, with the running one.",
    ),
    function(
        "series",
        &["lane", "what", "cpu", "times"],
        4,
        "counts",
        "The same at several times, as a list; `what` is the word `queue`.",
    ),
    function(
        "value",
        &["lane", "id", "thread", "cpu", "at"],
        2,
        "as the number",
        "What the scheduler keeps of a thread, of each thread of a group, of a CPU, or of the lane.",
    ),
    function(
        "cgroup",
        &["lane", "cgroup", "id", "at"],
        3,
        "as the count",
        "What was counted of a control group: `nrPeriods`, `nrThrottled`, `throttledTime`, `throttledTimeInherited`, `nrBursts`, `burstTime`.",
    ),
    function(
        "waits",
        &["lane", "who", "from", "to"],
        2,
        "times",
        "How long threads were runnable without a CPU, each time; a wait that is still open counts.",
    ),
    function(
        "latencies",
        &["lane", "who", "from", "to"],
        2,
        "times",
        "How long threads waited after a wake-up for their next turn, each time.",
    ),
    function(
        "turns",
        &["lane", "who", "from", "to"],
        2,
        "times",
        "How long threads ran, each time that they got a CPU.",
    ),
    function(
        "responses",
        &["lane", "who", "from", "to"],
        2,
        "times",
        "From a wake-up or a start to going to sleep or ending, each time.",
    ),
    function(
        "slowdown",
        &["lane", "who", "from", "to"],
        2,
        "numbers",
        "How many times as long as its CPU time each response took.",
    ),
    function(
        "queueLengths",
        &["lane", "cpu", "from", "to"],
        2,
        "counts",
        "How many threads of a CPU are runnable, with the running one, once a millisecond.",
    ),
    function(
        "settled",
        &["lane", "n"],
        2,
        "a time",
        "Time from which every CPU has n runnable threads until the end.",
    ),
    function(
        "threads",
        &["group"],
        1,
        "a count",
        "How many threads a group has in the scenario.",
    ),
    function(
        "nice",
        &["group"],
        1,
        "a number",
        "The nice value of a group in the scenario.",
    ),
    function(
        "workingSet",
        &["group"],
        1,
        "a count",
        "The bytes that each thread of a group sweeps.",
    ),
    function(
        "param",
        &["group", "id"],
        2,
        "as the parameter",
        "A parameter of the behaviour of a group.",
    ),
    function(
        "tunable",
        &["lane", "id"],
        2,
        "as the tunable",
        "A tunable of the scheduler of a lane.",
    ),
    of_lessons(
        "in",
        &["run", "x"],
        2,
        "as x",
        "The value of x in another run of a lesson, or in `transfer`.",
    ),
    of_lessons(
        "sweep",
        &["name", "x"],
        2,
        "as x, a list",
        "The value of x at each point of a row of runs of a lesson, as a list.",
    ),
    of_lessons(
        "fork",
        &["n", "x"],
        1,
        "as x",
        "The value of x in a fork of the step of a lesson; 0 is the learner's own run.",
    ),
    function(
        "each",
        &["x"],
        1,
        "as x, a list",
        "The value of x in every lane, as a list.",
    ),
    function(
        "nearest",
        &["x", "list"],
        2,
        "a count",
        "The position of the item that is nearest to x.",
    ),
    function(
        "rank",
        &["list"],
        1,
        "counts",
        "The positions of the items, the smallest item first.",
    ),
    function(
        "argmin",
        &["list"],
        1,
        "a count",
        "The position of the smallest item.",
    ),
    function(
        "argmax",
        &["list"],
        1,
        "a count",
        "The position of the largest item.",
    ),
    of_many("min", "The smallest item of a list, or of the arguments."),
    of_many("max", "The largest item of a list, or of the arguments."),
    of_many("sum", "The sum of a list, or of the arguments."),
    of_many("mean", "The mean of a list, or of the arguments."),
    function(
        "p",
        &["list", "percent"],
        2,
        "as the items",
        "The smallest item that so many per cent of the items do not exceed.",
    ),
    function(
        "cdf",
        &["list", "x"],
        2,
        "a share",
        "The share of the items that are at most x.",
    ),
    function(
        "histogram",
        &["list", "n"],
        2,
        "counts",
        "How many items lie in each of n equal parts between the smallest item and the largest.",
    ),
    function(
        "ci",
        &["list"],
        1,
        "as the items, a list",
        "The ends of the 95 % confidence interval of the mean, as if the items did not depend on each other.",
    ),
    function(
        "length",
        &["list"],
        1,
        "a count",
        "How many items a list has.",
    ),
    function(
        "missing",
        &["list"],
        1,
        "a count",
        "The position of the first item that is 0 or does not exist.",
    ),
    function(
        "item",
        &["list", "n"],
        2,
        "as the item",
        "The nth item of a list.",
    ),
    function(
        "first",
        &["list"],
        1,
        "as the item",
        "The first item of a list.",
    ),
    function(
        "last",
        &["list"],
        1,
        "as the item",
        "The last item of a list.",
    ),
    function("abs", &["x"], 1, "as x", "A number without its sign."),
    function(
        "round",
        &["x", "step"],
        1,
        "as x",
        "The nearest multiple of the step, which is 1 if left out.",
    ),
    function("exists", &["x"], 1, "yes or no", "Whether the run has x."),
    function(
        "if",
        &["condition", "a", "b"],
        3,
        "as a or b",
        "The value of a where the condition is true, else that of b.",
    ),
    of_lessons(
        "shape",
        &["line"],
        1,
        "a word",
        "The shape of a line that a learner drew.",
    ),
];

/// The function of a name.
#[must_use]
pub fn named(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|f| f.name == name)
}

/// The names of all functions, for messages.
fn names() -> String {
    let all: Vec<&str> = FUNCTIONS.iter().map(|f| f.name).collect();
    all.join(", ")
}

/// Calls a function.
pub(super) fn call(
    e: &mut Evaluator<'_>,
    column: usize,
    name: &str,
    arguments: &[Argument],
) -> Result {
    let Some(function) = named(name) else {
        let message = format!("\"{name}\" is no function; there are {}", names());
        return Err(ExpressionError::new(column, message));
    };
    if function.of_many {
        return lists::of_many(e, column, name, arguments);
    }
    let bound = Bound::new(column, function, arguments)?;
    match name {
        "threads" | "nice" | "workingSet" | "param" | "tunable" => {
            of_scenario::call(e, name, &bound)
        }
        "in" | "sweep" | "fork" | "each" => elsewhere(e, name, &bound),
        "nearest" | "rank" | "argmin" | "argmax" | "missing" | "item" | "first" | "last" | "p"
        | "cdf" | "length" | "histogram" | "ci" => lists::call(e, name, &bound),
        "waits" | "latencies" | "turns" | "responses" | "slowdown" | "queueLengths" => {
            distributions::call(e, name, &bound)
        }
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
