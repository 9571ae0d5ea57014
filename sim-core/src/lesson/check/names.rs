//! Names in a lesson that the shipped scenario must have: lanes, reasons, measures, threads, runs.

use super::Notes;
use crate::config::plan::Plan;
use crate::lesson::format::{Difference, Lesson, Point, Step};
use crate::lesson::parts;
use crate::lesson::run::LessonRun;
use crate::lesson::text::expressions;
use sim_measure::expression::{Argument, Expression, Node, parse};
use sim_measure::runs::RunKey;
use sim_measure::watch::means;
use std::sync::Arc;

pub(super) fn check(notes: &mut Notes, lesson: &Lesson, run: &mut LessonRun) {
    differences(notes, lesson, run);
    let plan = run.runs.plan(&RunKey::Own);
    let Some(plan) = plan else { return };
    let labels = lesson.lane_labels.len();
    if labels != 0 && labels != plan.lanes.len() {
        let n = plan.lanes.len();
        notes.add(
            "laneLabels",
            format!("must be {n}, one for each lane, or none"),
        );
    }
    for (i, step) in lesson.steps.iter().enumerate() {
        let path = format!("steps[{i}]");
        if let Some(point) = parts::point(step) {
            let field = if matches!(step, Step::Run { .. }) {
                "stop"
            } else {
                "point"
            };
            place(notes, &format!("{path}.{field}"), point, &plan);
        }
        for (path, e) in of_step(&path, step) {
            walk(notes, &path, &e, run, &RunKey::Own);
        }
    }
    for e in expressions(&lesson.transfer.answer) {
        walk(notes, "transfer.answer", &e, run, &RunKey::Own);
    }
}

/// The expressions of a step, with their places.
fn of_step(path: &str, step: &Step) -> Vec<(String, Expression)> {
    let (plain, texts) = parts::of(step);
    let mut all = Vec::new();
    for text in plain {
        all.extend(parse(text).ok().map(|e| (path.to_owned(), e)));
    }
    for text in texts {
        all.extend(expressions(text).into_iter().map(|e| (path.to_owned(), e)));
    }
    if let Step::Predict { feedback, .. } = step {
        for (i, f) in feedback.iter().enumerate() {
            let path = format!("{path}.feedback[{i}].when");
            all.extend(parse(&f.when).ok().map(|e| (path, e)));
        }
    }
    all
}

/// Checks that every run that differs from the learner's can be made from the shipped scenario.
fn differences(notes: &mut Notes, lesson: &Lesson, run: &LessonRun) {
    let base = run.runs.source().base();
    let mut try_one = |path: String, difference: &Difference| {
        if let Err(errors) = super::super::difference::beside(base, difference) {
            for e in errors {
                notes.add(&path, format!("the scenario that it makes: {e}"));
            }
        }
    };
    for (name, difference) in &lesson.runs {
        try_one(format!("runs.{name}"), difference);
    }
    for (name, row) in &lesson.sweeps {
        for (i, point) in row.points.iter().enumerate() {
            try_one(format!("sweeps.{name}.points[{i}]"), &point.is);
        }
    }
    for (i, step) in lesson.steps.iter().enumerate() {
        if let Step::Change { forks, .. } = step {
            for (n, fork) in forks.iter().enumerate() {
                try_one(format!("steps[{i}].forks[{n}]"), &fork.is);
            }
        }
    }
    if let Some(difference) = &lesson.transfer.run {
        try_one("transfer.run".to_owned(), difference);
    }
}

fn place(notes: &mut Notes, path: &str, point: &Point, plan: &Plan) {
    let number = usize::try_from(point.lane.unwrap_or(1)).unwrap_or(usize::MAX);
    if !lane(notes, &format!("{path}.lane"), number, plan) {
        return;
    }
    if let Some(id) = &point.reason {
        reason(notes, &format!("{path}.reason"), id, number - 1, plan);
    }
    if let Some(name) = &point.thread {
        thread(notes, &format!("{path}.thread"), name, plan);
    }
    let last = plan.machine.cpu_count().saturating_sub(1);
    if let Some(cpu) = point.cpu.filter(|cpu| usize::from(*cpu) > last) {
        notes.add(
            &format!("{path}.cpu"),
            format!("must be from 0 to {last}, got {cpu}"),
        );
    }
}

fn lane(notes: &mut Notes, path: &str, number: usize, plan: &Plan) -> bool {
    let lanes = plan.lanes.len();
    let is_there = (1..=lanes).contains(&number);
    if !is_there {
        notes.add(
            path,
            format!("lane must be from 1 to {lanes}, got {number}"),
        );
    }
    is_there
}

fn reason(notes: &mut Notes, path: &str, id: &str, lane: usize, plan: &Plan) {
    let info = plan.lanes[lane].info;
    if !info.reasons.iter().any(|r| means(r, id)) {
        let known: Vec<&str> = info.reasons.iter().map(|r| r.id).collect();
        let known = known.join(", ");
        let message = format!("\"{id}\" is no reason of {}; it has {known}", info.id);
        notes.add(path, message);
    }
}

/// Checks the name of a group, or of a thread that a group has at some time.
fn thread(notes: &mut Notes, path: &str, name: &str, plan: &Plan) {
    let numbered = name.rsplit_once('-');
    let is_known = plan.groups.iter().any(|g| {
        g.name == name
            || numbered.is_some_and(|(group, n)| group == g.name && n.parse::<u32>().is_ok())
    });
    if !is_known {
        let groups: Vec<&str> = plan.groups.iter().map(|g| g.name.as_str()).collect();
        let groups = groups.join(", ");
        let message = format!("nobody is called \"{name}\"; groups are {groups}, threads group-1");
        notes.add(path, message);
    }
}

/// Checks the names in calls; names in another run are compared with that run.
fn walk(notes: &mut Notes, path: &str, e: &Expression, run: &mut LessonRun, key: &RunKey) {
    match &e.is {
        Node::Number(..) | Node::Text(_) | Node::Word(_) => {}
        Node::List(all) => all.iter().for_each(|e| walk(notes, path, e, run, key)),
        Node::Minus(a) | Node::Not(a) => walk(notes, path, a, run, key),
        Node::Binary(_, a, b) => {
            walk(notes, path, a, run, key);
            walk(notes, path, b, run, key);
        }
        Node::Call(name, arguments) => {
            let inner = match (name.as_str(), arguments.first().map(word)) {
                ("in", Some(Some(name))) => RunKey::Named(name.to_owned()),
                ("sweep", Some(Some(name))) => RunKey::Point(name.to_owned(), 0),
                _ => key.clone(),
            };
            if let Some(plan) = run.runs.plan(key) {
                call(notes, path, e.column, name, arguments, &plan);
            }
            for argument in arguments {
                walk(notes, path, &argument.value, run, &inner);
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

/// Functions whose second argument is a thread or a group, or a reason.
const OF_THREADS: [&str; 4] = ["exit", "cputime", "share", "longestWait"];
const OF_REASONS: [&str; 3] = ["count", "operand", "moment"];

fn call(
    notes: &mut Notes,
    path: &str,
    column: usize,
    name: &str,
    arguments: &[Argument],
    plan: &Arc<Plan>,
) {
    let own = [
        "elapsed", "metric", "moves", "queue", "series", "settled", "tunable",
    ];
    let first = arguments.first().filter(|a| a.key.is_none());
    let path = format!("{path}: column {column}");
    if matches!(name, "threads" | "nice" | "workingSet" | "param") {
        let group = first.and_then(word);
        if let Some(group) = group.filter(|g| !plan.groups.iter().any(|p| p.name == *g)) {
            notes.add(&path, format!("there is no group \"{group}\""));
        }
        return;
    }
    if !(OF_THREADS.contains(&name) || OF_REASONS.contains(&name) || own.contains(&name)) {
        return;
    }
    let number = first.and_then(|a| match a.value.is {
        Node::Number(n, _) => Some(n),
        _ => None,
    });
    let position = number.and_then(|n| (1..=plan.lanes.len()).find(|i| real(*i) == n));
    if number.is_some() && position.is_none() {
        let lanes = plan.lanes.len();
        notes.add(&path, format!("lane must be from 1 to {lanes}"));
        return;
    }
    let second = arguments.get(1).filter(|a| a.key.is_none()).and_then(word);
    let is_of_all = |who: &str| name == "exit" && matches!(who, "last" | "first");
    if let Some(who) = second.filter(|who| OF_THREADS.contains(&name) && !is_of_all(who)) {
        thread(notes, &path, who, plan);
    }
    if let (true, Some(id), Some(lane)) = (OF_REASONS.contains(&name), second, position) {
        reason(notes, &path, id, lane - 1, plan);
    }
    let named = arguments
        .iter()
        .find(|a| a.key.as_deref() == Some("thread"));
    if let Some(who) = named.and_then(word) {
        thread(notes, &path, who, plan);
    }
}

fn real(n: usize) -> f64 {
    crate::metrics::real(n as u64)
}
