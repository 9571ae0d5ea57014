//! Changes during a run. They are input, logged with their time, so that a run replays exactly.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use sim_ground::params::ParamValue;

/// An edit and when it takes effect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TimedEdit {
    /// Simulated time of the change.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub at_ns: u64,
    /// The change.
    pub edit: Edit,
    /// Position of the only lane that it concerns; all lanes if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub lane: Option<u32>,
}

/// Which threads an edit is about. With neither field: every thread that is not background.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Target {
    /// Every thread of the group with this name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub group: Option<String>,
    /// The thread with this name, e.g. `dhry-3`. If it has not been forked yet, the edit waits for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub thread: Option<String>,
}

/// A change during a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
pub enum Edit {
    /// `renice`.
    SetNice {
        /// Which threads.
        #[serde(default)]
        target: Target,
        /// New nice value, -20 to 20.
        nice: i8,
    },
    /// `sched_setattr`: changes the slice that threads request.
    SetSlice {
        /// Which threads.
        #[serde(default)]
        target: Target,
        /// New slice in ns; 0 for no own slice.
        #[cfg_attr(feature = "schema", ts(type = "number"))]
        slice_ns: u64,
    },
    /// Changes the size of the set that threads sweep.
    SetWorkingSet {
        /// Which threads.
        #[serde(default)]
        target: Target,
        /// New size in bytes.
        #[cfg_attr(feature = "schema", ts(type = "number"))]
        bytes: u64,
    },
    /// `taskset`, `cpuset`: hard affinity.
    Pin {
        /// Which threads.
        #[serde(default)]
        target: Target,
        /// CPUs that remain allowed.
        cpus: Vec<u16>,
    },
    /// Removes hard affinity.
    Unpin {
        /// Which threads.
        #[serde(default)]
        target: Target,
    },
    /// Starts more threads of a group.
    Spawn {
        /// Name of the group.
        group: String,
        /// How many.
        count: u32,
    },
    /// Ends threads: the named ones, or the `count` youngest of the group.
    Kill {
        /// Which threads.
        #[serde(default)]
        target: Target,
        /// Number of threads to end, youngest first; all if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", ts(optional))]
        count: Option<u32>,
    },
    /// `SIGSTOP`: the threads stop at the next opportunity of the kernel, and no wake-up makes them run.
    Pause {
        /// Which threads.
        #[serde(default)]
        target: Target,
    },
    /// `SIGCONT`: stopped threads resume; they are placed as after a wake-up.
    Resume {
        /// Which threads.
        #[serde(default)]
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
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", ts(optional))]
        lane: Option<u32>,
        /// Id of the tunable.
        id: String,
        /// New value.
        value: ParamValue,
    },
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
            | Self::Kill { target, .. }
            | Self::Pause { target }
            | Self::Resume { target } => target.thread.as_deref(),
            Self::Copy { thread } => Some(thread),
            Self::Spawn { .. } | Self::SetTunable { .. } => None,
        }
    }
}

/// The fields of all kinds of edits. Written by hand, because the derived form of an enum tagged by `kind` reads an edit
/// into a value of any shape first, and so an error loses its line and column.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Fields {
    kind: Kind,
    target: Option<Target>,
    nice: Option<i8>,
    slice_ns: Option<u64>,
    bytes: Option<u64>,
    cpus: Option<Vec<u16>>,
    group: Option<String>,
    count: Option<u32>,
    thread: Option<String>,
    lane: Option<u32>,
    id: Option<String>,
    value: Option<ParamValue>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Kind {
    SetNice,
    SetSlice,
    SetWorkingSet,
    Pin,
    Unpin,
    Spawn,
    Kill,
    Pause,
    Resume,
    Copy,
    SetTunable,
}

impl Kind {
    /// The fields that an edit of this kind may have.
    fn fields(self) -> &'static [&'static str] {
        match self {
            Self::SetNice => &["target", "nice"],
            Self::SetSlice => &["target", "sliceNs"],
            Self::SetWorkingSet => &["target", "bytes"],
            Self::Pin => &["target", "cpus"],
            Self::Unpin | Self::Pause | Self::Resume => &["target"],
            Self::Spawn => &["group", "count"],
            Self::Kill => &["target", "count"],
            Self::Copy => &["thread"],
            Self::SetTunable => &["lane", "id", "value"],
        }
    }
}

impl Fields {
    /// The first field that an edit of this kind cannot have.
    fn stray(&self) -> Option<&'static str> {
        let given = [
            ("target", self.target.is_some()),
            ("nice", self.nice.is_some()),
            ("sliceNs", self.slice_ns.is_some()),
            ("bytes", self.bytes.is_some()),
            ("cpus", self.cpus.is_some()),
            ("group", self.group.is_some()),
            ("count", self.count.is_some()),
            ("thread", self.thread.is_some()),
            ("lane", self.lane.is_some()),
            ("id", self.id.is_some()),
            ("value", self.value.is_some()),
        ];
        let known = self.kind.fields();
        let mut stray = given.iter().filter(|(f, is)| *is && !known.contains(f));
        stray.next().map(|(field, _)| *field)
    }
}

impl<'de> Deserialize<'de> for Edit {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let f = Fields::deserialize(from)?;
        if let Some(stray) = f.stray() {
            return Err(Error::unknown_field(stray, f.kind.fields()));
        }
        let missing = Error::missing_field;
        let target = f.target.unwrap_or_default();
        Ok(match f.kind {
            Kind::SetNice => Self::SetNice {
                target,
                nice: f.nice.ok_or_else(|| missing("nice"))?,
            },
            Kind::SetSlice => Self::SetSlice {
                target,
                slice_ns: f.slice_ns.ok_or_else(|| missing("sliceNs"))?,
            },
            Kind::SetWorkingSet => Self::SetWorkingSet {
                target,
                bytes: f.bytes.ok_or_else(|| missing("bytes"))?,
            },
            Kind::Pin => Self::Pin {
                target,
                cpus: f.cpus.ok_or_else(|| missing("cpus"))?,
            },
            Kind::Unpin => Self::Unpin { target },
            Kind::Spawn => Self::Spawn {
                group: f.group.ok_or_else(|| missing("group"))?,
                count: f.count.ok_or_else(|| missing("count"))?,
            },
            Kind::Kill => Self::Kill {
                target,
                count: f.count,
            },
            Kind::Pause => Self::Pause { target },
            Kind::Resume => Self::Resume { target },
            Kind::Copy => Self::Copy {
                thread: f.thread.ok_or_else(|| missing("thread"))?,
            },
            Kind::SetTunable => Self::SetTunable {
                lane: f.lane,
                id: f.id.ok_or_else(|| missing("id"))?,
                value: f.value.ok_or_else(|| missing("value"))?,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_reads_as_it_is_written() {
        let edits = [
            r#"{"kind":"setNice","target":{"thread":"dhry-3"},"nice":-5}"#,
            r#"{"kind":"setSlice","target":{"group":"dhry"},"sliceNs":100000}"#,
            r#"{"kind":"setWorkingSet","target":{},"bytes":4096}"#,
            r#"{"kind":"pin","target":{"group":"dhry"},"cpus":[0,2]}"#,
            r#"{"kind":"unpin","target":{}}"#,
            r#"{"kind":"spawn","group":"dhry","count":2}"#,
            r#"{"kind":"kill","target":{}}"#,
            r#"{"kind":"kill","target":{},"count":1}"#,
            r#"{"kind":"pause","target":{"thread":"dhry-3"}}"#,
            r#"{"kind":"resume","target":{}}"#,
            r#"{"kind":"copy","thread":"dhry-3"}"#,
            r#"{"kind":"setTunable","lane":0,"id":"hz","value":100}"#,
            r#"{"kind":"setTunable","id":"smt","value":false}"#,
            r#"{"kind":"setTunable","id":"mode","value":"on"}"#,
        ];
        for text in edits {
            let edit: Edit = serde_json::from_str(text).expect(text);
            assert_eq!(serde_json::to_string(&edit).expect("plain"), text);
        }
    }

    #[test]
    fn an_edit_has_the_fields_of_its_kind_and_no_others() {
        let wrong = [
            (r#"{"nice":1}"#, "missing field `kind`"),
            (r#"{"kind":"setNice"}"#, "missing field `nice`"),
            (r#"{"kind":"setSlice"}"#, "missing field `sliceNs`"),
            (r#"{"kind":"spawn","group":"a"}"#, "missing field `count`"),
            (
                r#"{"kind":"unpin","cpus":[1]}"#,
                "unknown field `cpus`, expected `target`",
            ),
            (r#"{"kind":"copy"}"#, "missing field `thread`"),
            (
                r#"{"kind":"copy","target":{}}"#,
                "unknown field `target`, expected `thread`",
            ),
            (r#"{"kind":"unpin","colour":1}"#, "unknown field `colour`"),
            (r#"{"kind":"dance"}"#, "unknown variant `dance`"),
            (
                r#"{"kind":"setTunable","id":"hz","value":1.5}"#,
                "invalid type: floating point `1.5`, expected true or false, an integer or a word",
            ),
        ];
        for (text, message) in wrong {
            let error = serde_json::from_str::<Edit>(text).expect_err(text);
            assert!(error.to_string().starts_with(message), "{text}: {error}");
        }
    }
}
