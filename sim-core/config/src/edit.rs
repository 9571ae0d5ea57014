//! Changes during a run. They are input, logged with their time, so that a run replays exactly. Files say them as all
//! changes, by a path and a value; here they are read and written.

mod cgroup_field;

pub use cgroup_field::CgroupField;

use crate::old::OldEdit;
use crate::property::{self, Kind, When, written};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sim_ground::params::ParamValue;
use sim_ground::text::visible;

/// An edit and when it takes effect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "WrittenEdit", into = "WrittenEdit")]
pub struct TimedEdit {
    /// Simulated time of the change.
    pub at_ns: u64,
    /// The change.
    pub edit: Edit,
    /// Position of the only lane that it concerns; all lanes if left out.
    pub lane: Option<u32>,
}

/// An edit as files have it: with either `set` or `copy`.
#[derive(Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    schemars(rename = "TimedEdit"),
    ts(export, rename = "TimedEdit")
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WrittenEdit {
    /// Simulated time of the change.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub at_ns: u64,
    /// The property that changes, by its path, and its new value, e.g. `{ "groups.hog.nice": 5 }`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schemars(extend("minProperties" = 1, "maxProperties" = 1, "examples" = [
            { "groups.hog.nice": 5 },
            { "groups.hog.count": "+2" },
            { "threads.hog-1.allowed": [0, 2] },
            { "threads.hog-1.paused": true },
            { "threads.hog-1": null },
            { "lanes.2.slice": 3 }
        ])),
        ts(optional, type = "{ [path: string]: number | boolean | string | number[] | null }")
    )]
    pub set: Option<Map<String, Value>>,
    /// Instead of `set`: the thread with this name, e.g. `dhry-3`, of which one more is started, with its behaviour and
    /// its present nice value, working set and affinity. If it has not been forked yet, the edit waits for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub copy: Option<String>,
    /// Instead of both, in files of version 1.
    #[serde(default, skip_serializing)]
    #[cfg_attr(feature = "schema", schemars(skip), ts(skip))]
    pub edit: Option<OldEdit>,
    /// Position of the only lane that it concerns; all lanes if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub lane: Option<u32>,
}

/// Which threads an edit is about. With neither field: every thread that is not background.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Target {
    /// Every thread of the group with this name.
    pub group: Option<String>,
    /// The thread with this name, e.g. `dhry-3`. If it has not been forked yet, the edit waits for it.
    pub thread: Option<String>,
}

/// A change during a run.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Act")]
pub enum Edit {
    /// `renice`.
    SetNice {
        /// Which threads.
        target: Target,
        /// New nice value, -20 to 20.
        nice: i8,
    },
    /// `sched_setattr`: changes the slice that threads request.
    SetSlice {
        /// Which threads.
        target: Target,
        /// New slice in ns; 0 for no own slice.
        slice_ns: u64,
    },
    /// Changes the size of the set that threads sweep.
    SetWorkingSet {
        /// Which threads.
        target: Target,
        /// New size in bytes.
        bytes: u64,
    },
    /// `taskset`, `cpuset`: hard affinity.
    Pin {
        /// Which threads.
        target: Target,
        /// CPUs that remain allowed.
        cpus: Vec<u16>,
    },
    /// Removes hard affinity.
    Unpin {
        /// Which threads.
        target: Target,
    },
    /// Starts more threads of a group, or ends its youngest.
    SetCount {
        /// Name of the group. Without it: the youngest threads of all groups, which can only become fewer.
        group: Option<String>,
        /// How many.
        count: Count,
    },
    /// Ends threads.
    Kill {
        /// The thread with this name; every thread that is not background if left out.
        thread: Option<String>,
    },
    /// `SIGSTOP`: the threads stop at the next opportunity of the kernel, and no wake-up makes them run.
    Pause {
        /// Which threads.
        target: Target,
    },
    /// `SIGCONT`: stopped threads resume; they are placed as after a wake-up.
    Resume {
        /// Which threads.
        target: Target,
    },
    /// Starts a copy of a thread, with its behaviour and its present nice value, working set and affinity.
    Copy {
        /// The thread with this name, e.g. `dhry-3`. If it has not been forked yet, the edit waits for it.
        thread: String,
    },
    /// Changes a tunable of the scheduler.
    SetTunable {
        /// Only in this lane (0-based); every lane whose scheduler has the tunable if left out.
        lane: Option<u32>,
        /// Id of the tunable.
        id: String,
        /// New value.
        value: ParamValue,
    },
    /// Another program takes over in lanes with own policies.
    SetProgram {
        /// Only in this lane (0-based); every lane that runs a program of its user if left out.
        lane: Option<u32>,
        /// Its text.
        program: String,
    },
    /// Writes a file of a control group: `cpu.weight`, `cpu.max`, `cpu.max.burst`.
    SetCgroup {
        /// Name of the control group.
        name: String,
        /// What is written.
        field: CgroupField,
        /// New value; `None` for no quota.
        value: Option<u64>,
    },
}

/// A number of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// So many that have not ended.
    To(u32),
    /// So many more than there are; `"+2"` in files.
    More(u32),
    /// So many fewer; `"-2"` in files.
    Fewer(u32),
}

/// An edit without a time.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Act {
    set: Option<Map<String, Value>>,
    copy: Option<String>,
}

/// Every thread, group or lane, in a path.
const ALL: &str = "*";

fn one_act() -> String {
    "must set one property, or copy a thread".to_owned()
}

fn one_group() -> String {
    "must be set for one group at a time during the run".to_owned()
}

impl Edit {
    /// The only thread that it is about, by name, if it is about one.
    #[must_use]
    pub fn thread(&self) -> Option<&str> {
        match self {
            Self::SetNice { target, .. }
            | Self::SetSlice { target, .. }
            | Self::SetWorkingSet { target, .. }
            | Self::Pin { target, .. }
            | Self::Unpin { target }
            | Self::Pause { target }
            | Self::Resume { target } => target.thread.as_deref(),
            Self::Kill { thread } => thread.as_deref(),
            Self::Copy { thread } => Some(thread),
            Self::SetCount { .. }
            | Self::SetTunable { .. }
            | Self::SetProgram { .. }
            | Self::SetCgroup { .. } => None,
        }
    }

    /// The only lane (0-based) whose scheduler it changes, if it changes one.
    #[must_use]
    pub fn lane(&self) -> Option<u32> {
        match self {
            Self::SetTunable { lane, .. } | Self::SetProgram { lane, .. } => *lane,
            _ => None,
        }
    }

    /// The same, to change it.
    pub fn lane_mut(&mut self) -> Option<&mut u32> {
        match self {
            Self::SetTunable { lane, .. } | Self::SetProgram { lane, .. } => lane.as_mut(),
            _ => None,
        }
    }

    /// The edit that sets a property.
    ///
    /// # Errors
    /// If there is no such property, it cannot be set during a run, or the value has another form.
    pub fn set(path: &str, value: &Value) -> Result<Self, String> {
        let (property, steps) = property::find(path)?;
        let words: Vec<&str> = steps.iter().map(String::as_str).collect();
        if property.when == When::Start {
            return Err("can only be set before the run, without a time".to_owned());
        }
        if let (["groups", name, "count"], Some(count)) = (&words[..], Count::relative(value)) {
            let group = (*name != ALL).then(|| (*name).to_owned());
            return match (&group, count) {
                (None, Count::More(_)) => Err(one_group()),
                _ => Ok(Self::SetCount { group, count }),
            };
        }
        let value = match value {
            Value::Null => Value::Null,
            value => property::read(property.kind, value)?,
        };
        let missing = || "must have a value during the run; got null".to_owned();
        let (what, name, field) = match words[..] {
            ["lanes", which, id] => {
                if value.is_null() {
                    return Err(missing());
                }
                if let (Kind::Text { .. }, Value::String(program)) = (property.kind, &value) {
                    return Ok(Self::SetProgram {
                        lane: lane(which)?,
                        program: program.clone(),
                    });
                }
                return Ok(Self::SetTunable {
                    lane: lane(which)?,
                    id: id.to_owned(),
                    value: serde_json::from_value(value).map_err(|e| e.to_string())?,
                });
            }
            ["cgroups", name, field] => {
                let row = CgroupField::ALL.iter().find(|(known, _)| *known == field);
                let field = row.expect("invariant: these can change").1;
                if value.is_null() && field != CgroupField::QuotaUs {
                    return Err(missing());
                }
                let number = |value: &Value| whole(property.kind, value);
                let value = (!value.is_null()).then(|| number(&value)).transpose()?;
                return Ok(Self::SetCgroup {
                    name: name.to_owned(),
                    field,
                    value,
                });
            }
            [what, name, ref field @ ..] => (what, name, field.first().copied()),
            _ => unreachable!("invariant: nothing else changes during a run"),
        };
        let owned = (name != ALL).then(|| name.to_owned());
        let (group, thread) = match what {
            "threads" => (None, owned),
            _ => (owned, None),
        };
        let target = Target { group, thread };
        Ok(match (field, &value) {
            (Some("allowed"), Value::Null) => Self::Unpin { target },
            (Some("allowed"), _) => Self::Pin {
                target,
                cpus: serde_json::from_value(value).map_err(|e| e.to_string())?,
            },
            (Some("paused"), Value::Bool(true)) => Self::Pause { target },
            (Some("paused"), _) => Self::Resume { target },
            (Some("sliceNs"), Value::Null) => Self::SetSlice {
                target,
                slice_ns: 0,
            },
            (None, Value::Null) => Self::Kill {
                thread: target.thread,
            },
            (None, _) => return Err("must have another value during the run".to_owned()),
            (Some(_), Value::Null) => return Err(missing()),
            (Some("nice"), _) => Self::SetNice {
                target,
                nice: whole(property.kind, &value)?,
            },
            (Some("sliceNs"), _) => Self::SetSlice {
                target,
                slice_ns: whole(property.kind, &value)?,
            },
            (Some("workingSetBytes"), _) => Self::SetWorkingSet {
                target,
                bytes: whole(property.kind, &value)?,
            },
            (Some(_), _) => Self::SetCount {
                group: Some(target.group.ok_or_else(one_group)?),
                count: Count::To(whole(property.kind, &value)?),
            },
        })
    }

    /// The property that it sets, by its path, and the value; `None` for a copy.
    #[must_use]
    pub fn sets(&self) -> Option<(String, Value)> {
        let of = |target: &Target, field: &str, value: Value| {
            let (what, name) = match (&target.thread, &target.group) {
                (Some(name), _) => ("threads", name.as_str()),
                (None, Some(name)) => ("groups", name.as_str()),
                (None, None) => ("groups", ALL),
            };
            Some((written(&[what, name, field]), value))
        };
        let of_lane = |lane: &Option<u32>, field: &str, value: Value| {
            let lane = lane.map_or_else(|| ALL.to_owned(), |lane| (lane + 1).to_string());
            Some((written(&["lanes", &lane, field]), value))
        };
        match self {
            Self::SetNice { target, nice } => of(target, "nice", Value::from(*nice)),
            Self::SetSlice { target, slice_ns } => of(target, "sliceNs", Value::from(*slice_ns)),
            Self::SetWorkingSet { target, bytes } => {
                of(target, "workingSetBytes", Value::from(*bytes))
            }
            Self::Pin { target, cpus } => of(target, "allowed", Value::from(cpus.clone())),
            Self::Unpin { target } => of(target, "allowed", Value::Null),
            Self::Pause { target } => of(target, "paused", Value::from(true)),
            Self::Resume { target } => of(target, "paused", Value::from(false)),
            Self::SetCount { group, count } => {
                let path = written(&["groups", group.as_deref().unwrap_or(ALL), "count"]);
                Some((path, count.written()))
            }
            Self::Kill { thread } => {
                let name = thread.as_deref().unwrap_or(ALL);
                Some((written(&["threads", name]), Value::Null))
            }
            Self::Copy { .. } => None,
            Self::SetCgroup { name, field, value } => {
                let path = written(&["cgroups", name, field.name()]);
                Some((path, value.map_or(Value::Null, Value::from)))
            }
            Self::SetTunable { lane, id, value } => {
                let value = serde_json::to_value(value).expect("invariant: values are plain data");
                of_lane(lane, id, value)
            }
            Self::SetProgram { lane, program } => {
                of_lane(lane, "program", Value::from(program.as_str()))
            }
        }
    }
}

impl Count {
    /// What a text with a sign says.
    fn relative(value: &Value) -> Option<Self> {
        let text = value.as_str()?;
        let number = |digits: &str| digits.parse().ok();
        match (text.strip_prefix('+'), text.strip_prefix('-')) {
            (Some(more), _) => number(more).map(Self::More),
            (_, Some(fewer)) => number(fewer).map(Self::Fewer),
            _ => None,
        }
    }

    fn written(self) -> Value {
        match self {
            Self::To(count) => Value::from(count),
            Self::More(count) => Value::from(format!("+{count}")),
            Self::Fewer(count) => Value::from(format!("-{count}")),
        }
    }
}

/// A whole number. One that no edit can hold is out of range.
fn whole<N: TryFrom<i64>>(kind: Kind, value: &Value) -> Result<N, String> {
    let number = value.as_i64().and_then(|n| N::try_from(n).ok());
    number.ok_or_else(|| match kind {
        Kind::Integer { bound } | Kind::Time { bound } | Kind::Size { bound } => {
            bound.message(value)
        }
        _ => unreachable!("invariant: only numbers are whole"),
    })
}

/// The position of a lane that a path names.
fn lane(which: &str) -> Result<Option<u32>, String> {
    if which == ALL {
        return Ok(None);
    }
    let position = which.parse::<u32>().ok().and_then(|n| n.checked_sub(1));
    let lane = position.ok_or("must name a lane by its number, from 1 on, or all by *")?;
    Ok(Some(lane))
}

impl TryFrom<Act> for Edit {
    type Error = String;

    fn try_from(Act { set, copy }: Act) -> Result<Self, String> {
        let mut sets = set.iter().flatten();
        match (sets.next(), sets.next(), copy) {
            (None, None, Some(thread)) => Ok(Self::Copy { thread }),
            (Some((path, value)), None, None) => {
                Self::set(path, value).map_err(|e| format!("{}: {e}", visible(path)))
            }
            _ => Err(one_act()),
        }
    }
}

impl TryFrom<WrittenEdit> for TimedEdit {
    type Error = String;

    fn try_from(from: WrittenEdit) -> Result<Self, String> {
        let WrittenEdit {
            at_ns,
            set,
            copy,
            edit,
            lane,
        } = from;
        let edit = match (edit, &set, &copy) {
            (Some(old), None, None) => old.into(),
            (None, ..) => Edit::try_from(Act { set, copy })?,
            _ => return Err(one_act()),
        };
        Ok(Self { at_ns, edit, lane })
    }
}

impl From<TimedEdit> for WrittenEdit {
    fn from(TimedEdit { at_ns, edit, lane }: TimedEdit) -> Self {
        let set = edit.sets().map(|set| Map::from_iter([set]));
        let copy = match edit {
            Edit::Copy { thread } => Some(thread),
            _ => None,
        };
        Self {
            at_ns,
            set,
            copy,
            edit: None,
            lane,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_reads_as_it_is_written() {
        let edits = [
            r#"{"atNs":1,"set":{"threads.dhry-3.nice":-5}}"#,
            r#"{"atNs":1,"set":{"groups.dhry.sliceNs":100000}}"#,
            r#"{"atNs":1,"set":{"groups.*.workingSetBytes":4096}}"#,
            r#"{"atNs":1,"set":{"groups.\"a.b\".allowed":[0,2]}}"#,
            r#"{"atNs":1,"set":{"groups.*.allowed":null},"lane":1}"#,
            r#"{"atNs":1,"set":{"groups.dhry.count":2}}"#,
            r#"{"atNs":1,"set":{"groups.dhry.count":"+2"}}"#,
            r#"{"atNs":1,"set":{"groups.*.count":"-2"}}"#,
            r#"{"atNs":1,"set":{"threads.*":null}}"#,
            r#"{"atNs":1,"set":{"threads.dhry-3":null}}"#,
            r#"{"atNs":1,"set":{"threads.dhry-3.paused":true}}"#,
            r#"{"atNs":1,"set":{"groups.*.paused":false}}"#,
            r#"{"atNs":1,"copy":"dhry-3"}"#,
            r#"{"atNs":1,"set":{"lanes.1.hz":100}}"#,
            r#"{"atNs":1,"set":{"lanes.*.smt":false}}"#,
            r#"{"atNs":1,"set":{"lanes.*.mode":"on"}}"#,
        ];
        for text in edits {
            let edit: TimedEdit = serde_json::from_str(text).expect(text);
            let written = serde_json::to_string(&edit).expect("plain");
            assert_eq!(written.replace("\\\\", "\\"), text);
        }
        let with_unit: Edit =
            serde_json::from_str(r#"{"set":{"groups.dhry.sliceNs":"3ms"}}"#).expect("a time");
        let (path, value) = with_unit.sets().expect("a property");
        assert_eq!(
            (path.as_str(), value),
            ("groups.dhry.sliceNs", 3_000_000.into())
        );
    }

    #[test]
    fn an_edit_sets_one_property_that_changes_during_a_run() {
        let wrong = [
            ("{}", "must set one property, or copy a thread"),
            (
                r#"{"set":{"groups.*.nice":1,"groups.a.nice":2}}"#,
                "must set one property",
            ),
            (
                r#"{"set":{"groups.*.nice":1},"copy":"a-1"}"#,
                "must set one property",
            ),
            (
                r#"{"set":{"groups.a.nice":300}}"#,
                "groups.a.nice: must be from -20 to 20, got 300",
            ),
            (
                r#"{"set":{"groups.a.nice":null}}"#,
                "groups.a.nice: must have a value during the run; got null",
            ),
            (
                r#"{"set":{"groups.*.count":1}}"#,
                "groups.*.count: must be set for one group at a time",
            ),
            (
                r#"{"set":{"groups.*.count":"+1"}}"#,
                "groups.*.count: must be set for one group at a time",
            ),
            (
                r#"{"set":{"groups.a.policy":"idle"}}"#,
                "groups.a.policy: can only be set before the run",
            ),
            (
                r#"{"set":{"group.a.nice":1}}"#,
                "group.a.nice: no path begins with",
            ),
            (
                r#"{"set":{"lanes.cfs.hz":1}}"#,
                "lanes.cfs.hz: must name a lane by its number",
            ),
            (r#"{"nice":1}"#, "unknown field `nice`"),
            (
                r#"{"set":{"lanes.1.hz":1.5}}"#,
                "lanes.1.hz: invalid type: floating point `1.5`",
            ),
        ];
        for (text, message) in wrong {
            let error = serde_json::from_str::<Edit>(text).expect_err(text);
            assert!(error.to_string().starts_with(message), "{text}: {error}");
        }
    }
}
