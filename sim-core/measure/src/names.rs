//! Names in an expression that its runs must have: lanes, reasons, threads, groups, tunables. A name that no run has
//! would give nothing in silence, so it is looked for before anything runs.

use crate::expression::{Argument, Expression, ExpressionError, Node};
use crate::runs::{RunKey, Runs};
use crate::watch::means;
use sim_run::config::plan::Plan;
use sim_run::metrics::real;
use sim_run::params::Params;
use sim_run::text::quoted;

/// All names that are wrong, with their places. Names in another run are compared with that run.
pub fn check(runs: &mut Runs, e: &Expression) -> Vec<ExpressionError> {
    let mut wrong = Vec::new();
    walk(&mut wrong, runs, e, &RunKey::Own);
    wrong
}

fn walk(wrong: &mut Vec<ExpressionError>, runs: &mut Runs, e: &Expression, run: &RunKey) {
    match &e.is {
        Node::Number(..) | Node::Text(_) | Node::Word(_) => {}
        Node::List(all) => all.iter().for_each(|e| walk(wrong, runs, e, run)),
        Node::Minus(a) | Node::Not(a) => walk(wrong, runs, a, run),
        Node::Binary(_, a, b) => {
            walk(wrong, runs, a, run);
            walk(wrong, runs, b, run);
        }
        Node::Call(name, arguments) => {
            let inner = match (name.as_str(), arguments.first().and_then(word)) {
                ("in", Some(name)) => RunKey::Named(name.to_owned()),
                ("sweep", Some(name)) => RunKey::Point(name.to_owned(), 0),
                _ => run.clone(),
            };
            if let Some(plan) = runs.plan(run) {
                let called = Call { name, arguments };
                if let Err(message) = called.check(&plan) {
                    wrong.push(ExpressionError::new(e.column, message));
                }
            }
            for argument in arguments {
                walk(wrong, runs, &argument.value, &inner);
            }
        }
    }
}

/// An argument that is a name.
fn word(argument: &Argument) -> Option<&str> {
    match &argument.value.is {
        Node::Word(w) | Node::Text(w) => Some(w),
        _ => None,
    }
}

/// Functions whose second parameter is a thread or a group; a word that means something else there.
const OF_THREADS: [(&str, &[&str]); 8] = [
    ("exit", &["last", "first"]),
    ("cputime", &["all"]),
    ("share", &["all"]),
    ("longestWait", &["all"]),
    ("waits", &["all"]),
    ("latencies", &["all"]),
    ("turns", &["all"]),
    ("responses", &["all"]),
];
/// Functions whose second parameter is a reason.
const OF_REASONS: [&str; 3] = ["count", "operand", "moment"];
/// Other functions of a lane.
const OF_LANES: [&str; 7] = [
    "elapsed", "metric", "moves", "queue", "series", "settled", "tunable",
];
/// Functions of a group.
const OF_GROUPS: [&str; 4] = ["threads", "nice", "workingSet", "param"];

struct Call<'a> {
    name: &'a str,
    arguments: &'a [Argument],
}

impl<'a> Call<'a> {
    /// An argument by its place, from 0, or by the name of its parameter.
    fn argument(&self, place: usize, parameter: &str) -> Option<&'a Argument> {
        let by_place = self.arguments.get(place).filter(|a| a.key.is_none());
        let mut all = self.arguments.iter();
        by_place.or_else(|| all.find(|a| a.key.as_deref() == Some(parameter)))
    }

    fn check(&self, plan: &Plan) -> Result<(), String> {
        if OF_GROUPS.contains(&self.name) {
            return self.check_group(plan);
        }
        let of_threads = OF_THREADS.iter().find(|(name, _)| *name == self.name);
        let is_of_reasons = OF_REASONS.contains(&self.name);
        if of_threads.is_none() && !is_of_reasons && !OF_LANES.contains(&self.name) {
            return Ok(());
        }
        let lanes = plan.lanes.len();
        let number = self.argument(0, "lane").and_then(|a| match a.value.is {
            Node::Number(n, _) => Some(n),
            _ => None,
        });
        let lane = number.and_then(|n| (1..=lanes).find(|i| real(*i as u64) == n));
        if number.is_some() && lane.is_none() {
            return Err(format!("lane must be from 1 to {lanes}"));
        }
        let lane = lane.map(|lane| &plan.lanes[lane - 1]);
        if let Some((_, others)) = of_threads
            && let Some(who) = self.argument(1, "who").and_then(word)
            && !others.contains(&who)
        {
            thread(who, plan)?;
        }
        if is_of_reasons
            && let Some(id) = self.argument(1, "reason").and_then(word)
            && let Some(lane) = lane
            && !lane.info.reasons.iter().any(|r| means(r, id))
        {
            let known: Vec<&str> = lane.info.reasons.iter().map(|r| r.id).collect();
            return Err(format!(
                "\"{}\" is no reason of {}; it has {}",
                quoted(id),
                lane.info.id,
                known.join(", ")
            ));
        }
        let named = self.argument(usize::MAX, "thread").and_then(word);
        named.map_or(Ok(()), |who| thread(who, plan))?;
        match (self.name, lane) {
            ("tunable", Some(lane)) => {
                self.has(1, &lane.params, &format!("a tunable of {}", lane.info.id))
            }
            _ => Ok(()),
        }
    }

    fn check_group(&self, plan: &Plan) -> Result<(), String> {
        let Some(name) = self.argument(0, "group").and_then(word) else {
            return Ok(());
        };
        let Some(group) = plan.groups.iter().find(|g| g.name == name) else {
            return Err(format!("there is no group \"{}\"", quoted(name)));
        };
        if self.name != "param" {
            return Ok(());
        }
        self.has(1, &group.params, &format!("a parameter of {name}"))
    }

    /// Checks an id among parameters.
    fn has(&self, place: usize, params: &Params, what: &str) -> Result<(), String> {
        let id = self.argument(place, "id").and_then(word);
        let known: Vec<&str> = params.specs().iter().map(|spec| spec.id).collect();
        match id.filter(|id| !known.contains(id)) {
            None => Ok(()),
            Some(id) => Err(format!(
                "\"{}\" is not {what}; there are {}",
                quoted(id),
                known.join(", ")
            )),
        }
    }
}

/// Checks the name of a group, or of a thread that a group has at some time.
///
/// # Errors
/// The names of all groups.
pub fn thread(name: &str, plan: &Plan) -> Result<(), String> {
    let numbered = name.rsplit_once('-');
    let is_known = plan.groups.iter().any(|g| {
        g.name == name
            || numbered.is_some_and(|(group, n)| group == g.name && n.parse::<u32>().is_ok())
    });
    if is_known {
        return Ok(());
    }
    let groups: Vec<&str> = plan.groups.iter().map(|g| g.name.as_str()).collect();
    Err(format!(
        "nobody is called \"{}\"; groups are {}, threads group-1",
        quoted(name),
        groups.join(", ")
    ))
}
