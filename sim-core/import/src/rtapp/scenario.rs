//! The tasks of a program as groups of a scenario.

use super::program::{Shared, Thread, event};
use super::text::{Is, Value};
use super::{Choices, Told};
use crate::error::ImportError;
use serde_json::{Map, Value as Json, json};

/// A run without a duration ends when its threads have ended, or after this time.
const USUAL_NS: i64 = 10_000_000_000;
/// Longest run.
const LONGEST_S: i64 = 14_400;
/// Most threads of a task.
const MOST: u64 = 4_096;

/// Properties that change nothing about what runs when.
const WITHOUT_EFFECT: [&str; 3] = ["loop", "phases", "comment"];

/// Properties that may change at the beginning of a phase.
const OF_PHASES: [&str; 11] = [
    "policy",
    "priority",
    "cpus",
    "taskgroup",
    "util_min",
    "util_max",
    "nodes_membind",
    "dl-runtime",
    "dl-period",
    "dl-deadline",
    "runtime",
];

/// Makes the scenario of a program.
pub(super) fn scenario(program: &Value, choices: &Choices<'_>) -> Result<Told, ImportError> {
    let Some(tasks) = program.get("tasks") else {
        return Err(program.wrong("a program of rt-app needs \"tasks\""));
    };
    if tasks.entries().is_empty() {
        return Err(tasks.wrong("\"tasks\" must name at least one thread"));
    }
    let mut shared = Shared::new(meeting(tasks)?);
    let global = program.get("global");
    let policy = global
        .and_then(|g| g.get("default_policy"))
        .and_then(Value::text)
        .unwrap_or("SCHED_OTHER");
    if let Some(inherit) = global.and_then(|g| g.get("pi_enabled"))
        && inherit.is == Is::Bool(true)
    {
        shared.locks_lend = true;
    }
    let mut groups = Vec::new();
    for (name, task) in tasks.entries() {
        if instances(task)? > 0 {
            groups.push(group(name, task, tasks, policy, &mut shared)?);
        }
    }
    let at_ns = duration(global)?.unwrap_or(USUAL_NS);
    shared.left_out.sort();
    shared.remarks.sort();
    Ok(Told {
        scenario: json!({
            "version": 2,
            "name": choices.name,
            "machine": choices.machine,
            "schedulers": choices.schedulers,
            "groups": groups,
            "end": { "atNs": at_ns, "whenAllExited": true },
        }),
        left_out: shared.left_out,
        remarks: shared.remarks,
    })
}

/// How many threads name each barrier.
fn meeting(tasks: &Value) -> Result<std::collections::BTreeMap<String, u64>, ImportError> {
    let mut meeting = std::collections::BTreeMap::new();
    for (_, task) in tasks.entries() {
        let threads = instances(task)?;
        let phases = task.get("phases").map_or(&[][..], Value::entries);
        let events = phases.iter().flat_map(|(_, phase)| phase.entries());
        for (key, value) in task.entries().iter().chain(events) {
            if event(key) == Some("barrier")
                && let Some(name) = value.text()
            {
                *meeting.entry(name.to_owned()).or_insert(0) += threads;
            }
        }
    }
    Ok(meeting)
}

fn instances(task: &Value) -> Result<u64, ImportError> {
    let Some(value) = task.get("instance") else {
        return Ok(1);
    };
    value
        .whole()
        .and_then(|n| u64::try_from(n).ok())
        .filter(|n| *n <= MOST)
        .ok_or_else(|| value.wrong(format!("\"instance\" must be from 0 to {MOST}")))
}

fn duration(global: Option<&Value>) -> Result<Option<i64>, ImportError> {
    let Some(value) = global.and_then(|g| g.get("duration")) else {
        return Ok(None);
    };
    match value.whole() {
        Some(-1) => Ok(None),
        Some(s) if (1..=LONGEST_S).contains(&s) => Ok(Some(s * 1_000_000_000)),
        _ => Err(value.wrong(format!(
            "\"duration\" must be -1, or from 1 to {LONGEST_S} seconds"
        ))),
    }
}

/// The tasks that a task forks, that those fork, and so on; each once.
fn children<'t>(task: &'t Value, tasks: &'t Value) -> Vec<&'t str> {
    let mut found: Vec<&str> = Vec::new();
    let mut open = vec![task];
    while let Some(task) = open.pop() {
        let phases = task.get("phases").map_or(&[][..], Value::entries);
        let events = phases.iter().flat_map(|(_, phase)| phase.entries());
        for (key, value) in task.entries().iter().chain(events) {
            let Some(name) = value.text() else { continue };
            if event(key) == Some("fork")
                && !found.contains(&name)
                && let Some(child) = tasks.get(name)
            {
                found.push(name);
                open.push(child);
            }
        }
    }
    found
}

fn group(
    name: &str,
    task: &Value,
    tasks: &Value,
    default_policy: &str,
    shared: &mut Shared,
) -> Result<Json, ImportError> {
    old(task)?;
    let count = instances(task)?;
    let children = children(task, tasks);
    let program = Thread::new(name, count, &children).program(task, shared)?;
    if program.is_empty() || program == "; repeat" {
        return Err(task.wrong(format!("the thread \"{name}\" has no events")));
    }
    let mut params = Map::new();
    params.insert("program".to_owned(), json!(program));
    if !children.is_empty() {
        let mut programs = Vec::new();
        for child in &children {
            let object = tasks.get(child).unwrap_or(task);
            old(object)?;
            programs.push(Thread::new(child, 1, &children).program(object, shared)?);
            for key in OF_PHASES {
                if key != "runtime"
                    && let Some(value) = object.get(key)
                {
                    shared.leave_out(
                        value,
                        format!(
                            "\"{key}\" of \"{child}\" is left out: a forked thread is as its parent"
                        ),
                    );
                }
            }
        }
        params.insert("child".to_owned(), json!(programs.join(" | ")));
    }
    let mut group = Map::new();
    group.insert("name".to_owned(), json!(name));
    group.insert("count".to_owned(), json!(count));
    group.insert(
        "behaviour".to_owned(),
        json!({ "kind": "script", "params": params }),
    );
    // The threads of rt-app are one process.
    group.insert("process".to_owned(), json!("rt-app"));
    group.insert("startSpacingNs".to_owned(), json!(0));
    properties(task, default_policy, &mut group, shared)?;
    changes(task, shared);
    Ok(Json::Object(group))
}

/// Properties of the whole thread.
fn properties(
    task: &Value,
    default_policy: &str,
    group: &mut Map<String, Json>,
    shared: &mut Shared,
) -> Result<(), ImportError> {
    let policy = task.get("policy");
    let policy = policy.and_then(Value::text).unwrap_or(default_policy);
    let real_time = matches!(policy, "SCHED_FIFO" | "SCHED_RR");
    let ours = match policy {
        "SCHED_OTHER" => "normal",
        "SCHED_BATCH" => "batch",
        "SCHED_IDLE" => "idle",
        "SCHED_FIFO" => "fifo",
        "SCHED_RR" => "roundRobin",
        "SCHED_DEADLINE" => {
            return Err(task.wrong("SCHED_DEADLINE is not simulated; the others are"));
        }
        other => {
            return Err(task.wrong(format!(
                "\"policy\" must be SCHED_OTHER, SCHED_BATCH, SCHED_IDLE, SCHED_FIFO or SCHED_RR, got \"{other}\""
            )));
        }
    };
    if ours != "normal" {
        group.insert("policy".to_owned(), json!(ours));
    }
    let (least, most, usual) = if real_time { (1, 99, 10) } else { (-20, 19, 0) };
    let priority = match task.get("priority") {
        None => usual,
        Some(value) => value
            .whole()
            .filter(|n| (least..=most).contains(n))
            .ok_or_else(|| {
                value.wrong(format!(
                    "\"priority\" must be from {least} to {most} with {policy}"
                ))
            })?,
    };
    if real_time {
        group.insert("rtPriority".to_owned(), json!(priority));
    } else if priority != 0 {
        group.insert("nice".to_owned(), json!(priority));
    }
    if let Some(value) = task.get("dl-runtime") {
        let slice = value.whole().filter(|us| (0..=1_000_000).contains(us));
        let slice = slice.ok_or_else(|| value.wrong("\"dl-runtime\" must be from 0 to 1000000"))?;
        group.insert("sliceNs".to_owned(), json!(slice * 1_000));
    }
    if let Some(value) = task.get("delay") {
        let delay = value.whole().filter(|us| (0..=14_400_000_000).contains(us));
        let delay = delay.ok_or_else(|| value.wrong("\"delay\" must be from 0 to 14400000000"))?;
        group.insert("startNs".to_owned(), json!(delay * 1_000));
    }
    if let Some(value) = task.get("cpus") {
        group.insert("allowed".to_owned(), json!(cpus(value)?));
    }
    if let Some(value) = task.get("taskgroup")
        && let Some(path) = value
            .text()
            .filter(|path| !path.trim_matches('/').is_empty())
    {
        shared.leave_out(
            value,
            format!("the task group \"{path}\" is an application here, without weight and quota"),
        );
        group.insert("process".to_owned(), json!(path));
    }
    for key in ["util_min", "util_max", "nodes_membind"] {
        if let Some(value) = task.get(key) {
            shared.leave_out(
                value,
                format!("\"{key}\" is left out: no scheduler here reads it"),
            );
        }
    }
    Ok(())
}

/// Says which properties change at the beginning of a phase, which scripts do not.
fn changes(task: &Value, shared: &mut Shared) {
    let phases = task.get("phases").map_or(&[][..], Value::entries);
    for (name, phase) in phases {
        for (key, value) in phase.entries() {
            if OF_PHASES.contains(&key.as_str()) && key != "runtime" {
                shared.leave_out(
                    value,
                    format!("\"{key}\" of the phase \"{name}\" is left out: a script changes no properties"),
                );
            } else if event(key).is_none() && !WITHOUT_EFFECT.contains(&key.as_str()) {
                shared.leave_out(value, format!("\"{key}\" is not known and left out"));
            }
        }
    }
}

/// Refuses programs of releases that described threads by time and resources.
fn old(task: &Value) -> Result<(), ImportError> {
    for key in ["exec", "lock_order"] {
        if let Some(value) = task.get(key) {
            return Err(value
                .wrong(format!(
                    "\"{key}\" is of rt-app before 1.0, where a thread had a time and resources in place of events"
                ))
                .remedy("Write the thread as events, such as \"run\" and \"timer\""));
        }
    }
    Ok(())
}

fn cpus(value: &Value) -> Result<Vec<i64>, ImportError> {
    let wrong = || value.wrong("\"cpus\" must be a list of CPUs, such as [0, 2]");
    let Is::List(list) = &value.is else {
        return Err(wrong());
    };
    let cpus: Option<Vec<i64>> = list.iter().map(Value::whole).collect();
    let mut cpus = cpus
        .filter(|cpus| cpus.iter().all(|cpu| (0..4_096).contains(cpu)) && !cpus.is_empty())
        .ok_or_else(wrong)?;
    cpus.sort_unstable();
    cpus.dedup();
    Ok(cpus)
}
