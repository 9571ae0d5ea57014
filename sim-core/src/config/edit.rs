//! Changes during a run. They are input, logged with their time, so that a run replays exactly.

use crate::params::ParamValue;
use serde::{Deserialize, Serialize};

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
    /// Position of the only lane that it concerns; without it all are concerned. So a run can be forked.
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
    /// Every thread of the group of this name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub group: Option<String>,
    /// The thread of this name, e.g. `dhry-3`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub thread: Option<String>,
}

/// A change during a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// Changes what a thread sweeps.
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
    /// Takes hard affinity away.
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
        /// Only so many of them, youngest first; all if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", ts(optional))]
        count: Option<u32>,
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
