//! Names in an expression that its runs must have: lanes, reasons, threads, groups, tunables. A name that no run has
//! would give nothing in silence, so it is looked for before anything runs.

use crate::expression::{Argument, Expression, ExpressionError, Node};
use crate::functions::named;
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
            let called = named(name).filter(|f| !f.of_many).map(|f| Call {
                column: e.column,
                name,
                parameters: f.parameters,
                arguments,
            });
            if let (Some(called), Some(plan)) = (called, runs.plan(run))
                && let Err(error) = called.check(&plan)
            {
                wrong.push(error);
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

/// A call of a function, by its parameters.
struct Call<'a> {
    column: usize,
    name: &'a str,
    parameters: &'static [&'static str],
    arguments: &'a [Argument],
}

impl<'a> Call<'a> {
    /// The argument of a parameter, by its place or its name.
    fn argument(&self, parameter: &str) -> Option<&'a Argument> {
        let place = self.parameters.iter().position(|p| *p == parameter)?;
        let by_place = self.arguments.get(place).filter(|a| a.key.is_none());
        let mut all = self.arguments.iter();
        by_place.or_else(|| all.find(|a| a.key.as_deref() == Some(parameter)))
    }

    fn word(&self, parameter: &str) -> Option<&'a str> {
        self.argument(parameter).and_then(word)
    }

    /// What is wrong with an argument, at its place.
    fn wrong(&self, parameter: &str, message: String) -> ExpressionError {
        let column = self
            .argument(parameter)
            .map_or(self.column, |a| a.value.column);
        ExpressionError::new(column, message)
    }

    fn check(&self, plan: &Plan) -> Result<(), ExpressionError> {
        let lanes = plan.lanes.len();
        let number = self.argument("lane").and_then(|a| match a.value.is {
            Node::Number(n, _) => Some(n),
            _ => None,
        });
        let lane = number.and_then(|n| (1..=lanes).find(|i| real(*i as u64) == n));
        if number.is_some() && lane.is_none() {
            return Err(self.wrong("lane", format!("lane must be from 1 to {lanes}")));
        }
        let lane = lane.map(|lane| &plan.lanes[lane - 1]);
        // What else than a name may stand there.
        let others: &[&str] = match self.name {
            "exit" => &["last", "first"],
            _ => &["all"],
        };
        let who = self.word("who").filter(|who| !others.contains(who));
        for (parameter, name) in [("who", who), ("thread", self.word("thread"))] {
            let known = name.map_or(Ok(()), |name| thread(name, plan));
            known.map_err(|message| self.wrong(parameter, message))?;
        }
        if let (Some(id), Some(lane)) = (self.word("reason"), lane)
            && !lane.info.reasons.iter().any(|r| means(r, id))
        {
            let known: Vec<&str> = lane.info.reasons.iter().map(|r| r.id).collect();
            let (id, of, known) = (quoted(id), lane.info.id, known.join(", "));
            let message = format!("\"{id}\" is no reason of {of}; it has {known}");
            return Err(self.wrong("reason", message));
        }
        let group = match self.word("group") {
            None => None,
            Some(name) => {
                let found = plan.groups.iter().find(|g| g.name == name);
                let message = || format!("there is no group \"{}\"", quoted(name));
                Some(found.ok_or_else(|| self.wrong("group", message()))?)
            }
        };
        match (self.name, lane, group) {
            ("tunable", Some(lane), _) => {
                let what = format!("a tunable of {}", lane.info.id);
                self.has(&ids(&lane.params), &what)
            }
            ("param", _, Some(group)) => {
                let what = format!("a parameter of {}", group.name);
                self.has(&ids(&group.params), &what)
            }
            ("value", Some(lane), _) => {
                let (threads, cpus) = (lane.info.task_columns, lane.info.cpu_columns);
                let columns = match (self.argument("thread"), self.argument("cpu")) {
                    (Some(_), _) => threads,
                    (_, Some(_)) => cpus,
                    // What a program keeps of the lane shows in its run.
                    _ => return Ok(()),
                };
                let known: Vec<&str> = columns.iter().map(|c| c.id).collect();
                self.has(&known, &format!("a value of {}", lane.info.id))
            }
            _ => Ok(()),
        }
    }

    /// Checks an id.
    fn has(&self, known: &[&str], what: &str) -> Result<(), ExpressionError> {
        match self.word("id").filter(|id| !known.contains(id)) {
            None => Ok(()),
            Some(id) => {
                let (id, known) = (quoted(id), known.join(", "));
                Err(self.wrong("id", format!("\"{id}\" is not {what}; there are {known}")))
            }
        }
    }
}

fn ids(params: &Params) -> Vec<&'static str> {
    params.specs().iter().map(|spec| spec.id).collect()
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
