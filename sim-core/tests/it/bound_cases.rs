//! For every place where a range of `config::bounds` applies: a scenario in which only that number varies.

use serde_json::{Value, json};
use sim_core::config::bounds;
use sim_core::info::BoundEntry;

/// A number that a range bounds.
pub(crate) struct Case {
    /// The range.
    pub(crate) bound: BoundEntry,
    /// Path in error messages.
    pub(crate) path: &'static str,
    /// JSON pointer of the number, list or text.
    pointer: &'static str,
    /// How a value of the range is written there.
    write: fn(i64) -> Value,
    /// Whether the number may be negative in JSON.
    pub(crate) signed: bool,
}

impl Case {
    /// The scenario with this value there.
    pub(crate) fn with(&self, base: &Value, value: i64) -> Value {
        let mut scenario = base.clone();
        *scenario.pointer_mut(self.pointer).expect(self.pointer) = (self.write)(value);
        scenario
    }
}

/// A valid scenario in which every bounded field is written out.
pub(crate) fn base() -> Value {
    json!({
        "version": 1,
        "name": "bounds",
        "notes": "",
        "seed": 1,
        "machine": "i7860",
        "schedulers": [{ "id": "bfs" }],
        "groups": [group("a", 1), {
            "name": "rt", "count": 1, "behaviour": { "kind": "dhrystone" },
            "policy": "fifo", "rtPriority": 5
        }],
        "background": {
            "daemons": {
                "count": 1, "wakesPerSecond": 1, "interruptPercent": 1,
                "tickAlignedPercent": 1, "runMeanNs": 1, "chainPercent": 1
            },
            "kernelThreads": { "wakesPerSecond": 1, "runNs": 1 }
        },
        "timing": { "kickNs": 0, "idleExitNs": 0, "idleExitDeepNs": 0 },
        "edits": [
            { "atNs": 1, "edit": { "kind": "setNice", "target": { "thread": "a-1" }, "nice": 1 } },
            { "atNs": 1, "edit": { "kind": "setWorkingSet", "bytes": 1 } },
            { "atNs": 1, "edit": { "kind": "spawn", "group": "a", "count": 1 } },
            { "atNs": 1, "edit": { "kind": "pin", "cpus": [0] } }
        ],
        "end": { "atNs": 1_000 }
    })
}

fn group(name: &str, count: i64) -> Value {
    json!({
        "name": name, "count": count, "behaviour": { "kind": "dhrystone" }, "nice": 0,
        "workingSetBytes": 1, "startNs": 0, "startSpacingNs": 0, "process": "app", "allowed": [0]
    })
}

fn text(length: i64) -> Value {
    json!("x".repeat(usize::try_from(length.max(0)).expect("small")))
}

fn repeat(value: &Value, n: i64) -> Value {
    Value::Array(vec![
        value.clone();
        usize::try_from(n.max(0)).expect("small")
    ])
}

fn schedulers(n: i64) -> Value {
    repeat(&json!({ "id": "bfs" }), n)
}

fn groups(n: i64) -> Value {
    let name = |i| {
        if i == 0 {
            "a".to_owned()
        } else {
            format!("g{i}")
        }
    };
    (0..n).map(|i| group(&name(i), 1)).collect()
}

/// Groups with `n` threads in all, less those of base()'s other fields: a daemon, 8 kernel threads, one
/// spawned thread; no more than 2,000 in each.
fn threads(n: i64) -> Value {
    let mut rest = n - 10;
    let mut all = vec![group("a", 0)];
    while rest > 0 {
        let count = rest.min(2_000);
        all.push(group(&format!("g{}", all.len()), count));
        rest -= count;
    }
    Value::Array(all)
}

fn cpus(n: i64) -> Value {
    repeat(&json!(0), n)
}

fn edits(n: i64) -> Value {
    repeat(&json!({ "atNs": 1, "edit": { "kind": "unpin" } }), n)
}

fn number(n: i64) -> Value {
    json!(n)
}

/// All places.
pub(crate) fn all() -> Vec<Case> {
    let case = |bound, path, pointer, write: fn(i64) -> Value| Case {
        bound,
        path,
        pointer,
        write,
        signed: false,
    };
    let plain = |bound, path, pointer| case(bound, path, pointer, number);
    vec![
        plain(bounds::SEED, "seed", "/seed"),
        case(bounds::SCHEDULERS, "schedulers", "/schedulers", schedulers),
        case(bounds::NAME, "name", "/name", text),
        case(bounds::NAME, "groups[1].name", "/groups/1/name", text),
        case(bounds::NAME, "groups[0].process", "/groups/0/process", text),
        case(
            bounds::THREAD,
            "edits[0].edit.target.thread",
            "/edits/0/edit/target/thread",
            text,
        ),
        case(bounds::NOTES, "notes", "/notes", text),
        case(bounds::GROUPS, "groups", "/groups", groups),
        plain(bounds::COUNT, "groups[0].count", "/groups/0/count"),
        plain(bounds::COUNT, "edits[2].edit.count", "/edits/2/edit/count"),
        case(bounds::THREADS, "groups", "/groups", threads),
        Case {
            signed: true,
            ..plain(bounds::NICE, "groups[0].nice", "/groups/0/nice")
        },
        Case {
            signed: true,
            ..plain(bounds::NICE, "edits[0].edit.nice", "/edits/0/edit/nice")
        },
        plain(
            bounds::RT_PRIORITY,
            "groups[1].rtPriority",
            "/groups/1/rtPriority",
        ),
        plain(
            bounds::WORKING_SET,
            "groups[0].workingSetBytes",
            "/groups/0/workingSetBytes",
        ),
        plain(
            bounds::WORKING_SET,
            "edits[1].edit.bytes",
            "/edits/1/edit/bytes",
        ),
        case(bounds::CPUS, "groups[0].allowed", "/groups/0/allowed", cpus),
        case(
            bounds::CPUS,
            "edits[3].edit.cpus",
            "/edits/3/edit/cpus",
            cpus,
        ),
        plain(bounds::START, "groups[0].startNs", "/groups/0/startNs"),
        plain(
            bounds::SPACING,
            "groups[0].startSpacingNs",
            "/groups/0/startSpacingNs",
        ),
        plain(
            bounds::DAEMONS,
            "background.daemons.count",
            "/background/daemons/count",
        ),
        plain(
            bounds::WAKES,
            "background.daemons.wakesPerSecond",
            "/background/daemons/wakesPerSecond",
        ),
        plain(
            bounds::WAKES,
            "background.kernelThreads.wakesPerSecond",
            "/background/kernelThreads/wakesPerSecond",
        ),
        plain(
            bounds::PERCENT,
            "background.daemons.interruptPercent",
            "/background/daemons/interruptPercent",
        ),
        plain(
            bounds::PERCENT,
            "background.daemons.tickAlignedPercent",
            "/background/daemons/tickAlignedPercent",
        ),
        plain(
            bounds::PERCENT,
            "background.daemons.chainPercent",
            "/background/daemons/chainPercent",
        ),
        plain(
            bounds::BACKGROUND_RUN,
            "background.daemons.runMeanNs",
            "/background/daemons/runMeanNs",
        ),
        plain(
            bounds::BACKGROUND_RUN,
            "background.kernelThreads.runNs",
            "/background/kernelThreads/runNs",
        ),
        plain(bounds::DELAY, "timing.kickNs", "/timing/kickNs"),
        plain(bounds::DELAY, "timing.idleExitNs", "/timing/idleExitNs"),
        plain(
            bounds::DELAY,
            "timing.idleExitDeepNs",
            "/timing/idleExitDeepNs",
        ),
        case(bounds::EDITS, "edits", "/edits", edits),
        plain(bounds::END, "end.atNs", "/end/atNs"),
    ]
}
