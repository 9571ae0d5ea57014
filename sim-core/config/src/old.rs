//! What version 1 of the format says in other words: changes during a run, as
//! `{ "atNs": 5, "edit": { "kind": "setNice", … } }`. This is the only reader of them.

use crate::SCENARIO_VERSION;
use crate::edit::{Count, Edit, Target};
use serde::{Deserialize, Deserializer};
use sim_ground::params::ParamValue;

/// The version of a scenario after it was read.
pub(crate) fn version<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    let version = u32::deserialize(from)?;
    Ok(if version == 1 {
        SCENARIO_VERSION
    } else {
        version
    })
}

/// A change during a run in the words of version 1.
#[derive(Deserialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
#[allow(missing_docs)]
pub enum OldEdit {
    SetNice {
        #[serde(default)]
        target: Target,
        nice: i8,
    },
    SetSlice {
        #[serde(default)]
        target: Target,
        slice_ns: u64,
    },
    SetWorkingSet {
        #[serde(default)]
        target: Target,
        bytes: u64,
    },
    Pin {
        #[serde(default)]
        target: Target,
        cpus: Vec<u16>,
    },
    Unpin {
        #[serde(default)]
        target: Target,
    },
    Pause {
        #[serde(default)]
        target: Target,
    },
    Resume {
        #[serde(default)]
        target: Target,
    },
    Copy {
        thread: String,
    },
    SetTunable {
        lane: Option<u32>,
        id: String,
        value: ParamValue,
    },
    Spawn {
        group: String,
        count: u32,
    },
    Kill {
        #[serde(default)]
        target: Target,
        count: Option<u32>,
    },
}

impl From<OldEdit> for Edit {
    fn from(old: OldEdit) -> Self {
        match old {
            OldEdit::SetNice { target, nice } => Self::SetNice { target, nice },
            OldEdit::SetSlice { target, slice_ns } => Self::SetSlice { target, slice_ns },
            OldEdit::SetWorkingSet { target, bytes } => Self::SetWorkingSet { target, bytes },
            OldEdit::Pin { target, cpus } => Self::Pin { target, cpus },
            OldEdit::Unpin { target } => Self::Unpin { target },
            OldEdit::Pause { target } => Self::Pause { target },
            OldEdit::Resume { target } => Self::Resume { target },
            OldEdit::Copy { thread } => Self::Copy { thread },
            OldEdit::SetTunable { lane, id, value } => Self::SetTunable { lane, id, value },
            OldEdit::Spawn { group, count } => Self::SetCount {
                group: Some(group),
                count: Count::More(count),
            },
            OldEdit::Kill { target, count } => match (target.thread, target.group, count) {
                (Some(thread), ..) => Self::Kill {
                    thread: Some(thread),
                },
                (None, None, None) => Self::Kill { thread: None },
                (None, group, count) => Self::SetCount {
                    group,
                    count: count.map_or(Count::To(0), Count::Fewer),
                },
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::edit::TimedEdit;
    use serde_json::{Value, json};

    fn read(old: &Value) -> Result<Value, serde_json::Error> {
        let timed = json!({ "atNs": 7, "edit": old, "lane": 1 });
        let read: TimedEdit = serde_json::from_str(&timed.to_string())?;
        serde_json::to_value(read)
    }

    #[test]
    fn every_change_of_version_1_is_a_path_and_a_value() {
        let a = json!({ "group": "a" });
        let thread = json!({ "group": "a", "thread": "a-1" });
        for (old, path, value) in [
            (
                json!({ "kind": "setNice", "target": a, "nice": 3 }),
                "groups.a.nice",
                json!(3),
            ),
            (
                json!({ "kind": "setSlice", "target": thread, "sliceNs": 0 }),
                "threads.a-1.sliceNs",
                json!(0),
            ),
            (
                json!({ "kind": "setWorkingSet", "bytes": 9 }),
                "groups.*.workingSetBytes",
                json!(9),
            ),
            (
                json!({ "kind": "pin", "target": a, "cpus": [1] }),
                "groups.a.allowed",
                json!([1]),
            ),
            (
                json!({ "kind": "unpin", "target": {} }),
                "groups.*.allowed",
                json!(null),
            ),
            (
                json!({ "kind": "pause", "target": thread }),
                "threads.a-1.paused",
                json!(true),
            ),
            (
                json!({ "kind": "resume", "target": a }),
                "groups.a.paused",
                json!(false),
            ),
            (
                json!({ "kind": "setTunable", "lane": 0, "id": "hz", "value": 100 }),
                "lanes.1.hz",
                json!(100),
            ),
            (
                json!({ "kind": "setTunable", "id": "hz", "value": 100 }),
                "lanes.*.hz",
                json!(100),
            ),
            (
                json!({ "kind": "spawn", "group": "a", "count": 3 }),
                "groups.a.count",
                json!("+3"),
            ),
            (
                json!({ "kind": "kill", "target": a, "count": 1 }),
                "groups.a.count",
                json!("-1"),
            ),
            (
                json!({ "kind": "kill", "target": a }),
                "groups.a.count",
                json!(0),
            ),
            (
                json!({ "kind": "kill", "count": 3 }),
                "groups.*.count",
                json!("-3"),
            ),
            (
                json!({ "kind": "kill", "target": thread }),
                "threads.a-1",
                json!(null),
            ),
            (json!({ "kind": "kill" }), "threads.*", json!(null)),
        ] {
            let wanted = json!({ "atNs": 7, "set": { path: value }, "lane": 1 });
            assert_eq!(read(&old).expect("valid"), wanted, "{old}");
        }
        let copy = json!({ "kind": "copy", "thread": "a-1" });
        assert_eq!(read(&copy).expect("valid")["copy"], "a-1");
    }

    #[test]
    fn what_is_no_change_of_version_1_is_refused() {
        for (wrong, message) in [
            (json!({ "nice": 1 }), "missing field `kind`"),
            (json!({ "kind": "setNice" }), "missing field `nice`"),
            (
                json!({ "kind": "unpin", "cpus": [1] }),
                "unknown field `cpus`",
            ),
            (json!({ "kind": "dance" }), "unknown variant `dance`"),
        ] {
            let error = read(&wrong).expect_err("wrong");
            assert!(error.to_string().starts_with(message), "{error}");
            assert!(error.line() > 0, "{error}");
        }
    }
}
