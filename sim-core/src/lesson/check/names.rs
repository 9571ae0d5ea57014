//! Names in a lesson that the shipped scenario must have: lanes, reasons, measures, threads, runs.

use super::Notes;
use crate::config::plan::Plan;
use crate::lesson::format::{Difference, Lesson, Point, Step};
use crate::lesson::parts;
use crate::lesson::run::LessonRun;
use crate::lesson::text::expressions;
use sim_measure::expression::{Expression, parse};
use sim_measure::names;
use sim_measure::runs::RunKey;
use sim_measure::watch::means;

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
            walk(notes, &path, &e, run);
        }
    }
    for e in expressions(&lesson.transfer.answer) {
        walk(notes, "transfer.answer", &e, run);
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
    let unknown = point
        .thread
        .as_ref()
        .and_then(|name| names::thread(name, plan).err());
    if let Some(message) = unknown {
        notes.add(&format!("{path}.thread"), message);
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

fn walk(notes: &mut Notes, path: &str, e: &Expression, run: &mut LessonRun) {
    for wrong in names::check(&mut run.runs, e) {
        notes.add(&format!("{path}: column {}", wrong.column), wrong.message);
    }
}
