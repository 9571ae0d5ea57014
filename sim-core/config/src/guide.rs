//! What the page shows first of a scenario: its question, the number that answers it, the time at which the run opens,
//! and the controls beside it. None of this changes a run.

use super::Scenario;
use serde::{Deserialize, Serialize};

impl Scenario {
    /// Removes what the page shows first. A scenario that is made from this one has another run, which may not contain
    /// what the guide names.
    pub fn drop_guide(&mut self) {
        self.ask.clear();
        self.opening = None;
        self.answer = None;
        self.controls.clear();
        self.moments.clear();
        self.thumb = None;
    }
}

/// The time at which the page opens the run, and the view. The page chooses what is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Opening {
    /// Simulated time to open at. Not together with `moment`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(type = "number", optional))]
    pub at_ns: Option<u64>,
    /// Opens shortly before the first moment of this kind. Not together with `atNs`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub moment: Option<MomentKind>,
    /// Simulated ns in a second of real time.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(type = "number", optional))]
    pub speed: Option<u64>,
    /// A higher speed after the first moment has been shown. It ends when the user changes the speed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub later: Option<Later>,
    /// Length of time that the timeline shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(type = "number", optional))]
    pub window_ns: Option<u64>,
    /// The tab of the timeline.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub tab: Option<Tab>,
    /// Name of the thread that is selected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub select: Option<String>,
}

/// The speed with which an opened run continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Later {
    /// From this simulated time on.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub at_ns: u64,
    /// Simulated ns in a second of real time.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub speed: u64,
}

/// The number that answers the scenario's question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Answer {
    /// What is measured; either this or an expression is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub measure: Option<Measure>,
    /// What is measured, as an expression of the measure language. In it the word `lane` means each lane in turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub expression: Option<String>,
    /// Name of the group or thread that is measured; all threads of the workload if left out. An expression names it
    /// itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub of: Option<String>,
    /// Which direction is better; that of the measure if left out, and none for an expression.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub better: Option<Better>,
    /// The fair value, in the unit of the measure: ns, a part of one, or a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub fair: Option<f64>,
    /// The measure of the cost of a better answer; shown beside it, smaller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub price: Option<Measure>,
}

/// A control that is always visible.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Control {
    /// What it changes.
    pub kind: ControlKind,
    /// Name of the only group that it changes; every group if left out. Not for a tunable. For the kinds limit and period the
    /// name of the control group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub group: Option<String>,
    /// Id of the tunable; for a tunable only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub id: Option<String>,
    /// Only in this lane (0-based); every lane whose scheduler has the tunable if left out. For a tunable only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub lane: Option<u32>,
}

macro_rules! words {
    ($($(#[$doc:meta])* pub enum $name:ident { $($(#[$of:meta])* $variant:ident,)* })*) => {
        $($(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(
            feature = "schema",
            derive(schemars::JsonSchema, ts_rs::TS),
            ts(export)
        )]
        #[serde(rename_all = "camelCase")]
        pub enum $name {
            $($(#[$of])* $variant,)*
        })*
    };
}

words! {
    /// Tabs of the timeline.
    pub enum Tab {
        /// The running threads of each CPU.
        Runs,
        /// Shares of CPU time over time.
        Shares,
        /// Lengths of queues.
        Queues,
        /// Priorities of threads.
        Priorities,
        /// The waiting threads.
        Waiting,
        /// The scheduler's values of a thread.
        Values,
        /// How fast threads run, and what slows them down.
        Speed,
        /// The events, as a list.
        Events,
    }

    /// The measures that can answer a question.
    pub enum Measure {
        /// When the last thread ends.
        LastExit,
        /// Share of a CPU.
        Share,
        /// Share of the thread with the smallest one.
        LeastShare,
        /// Longest wait.
        LongestWait,
        /// Work per time.
        Throughput,
        /// Time that a switch takes.
        SwitchCost,
        /// Number of threads on the fullest core.
        FullestCore,
        /// Clock of the cores.
        Clock,
        /// Changes of CPU.
        Moves,
        /// Share of CPU time that was not useful work.
        WorkLost,
        /// Context switches.
        Switches,
        /// CPUs that are idle while a thread waits that may run there.
        IdleWhileWaiting,
        /// Part of all deadlines for which threads came too late.
        MissedDeadlines,
    }

    /// The better direction of a number.
    pub enum Better {
        /// More is better.
        Higher,
        /// Less is better.
        Lower,
    }

    /// What a control changes.
    pub enum ControlKind {
        /// The number of threads.
        Processes,
        /// The bytes that each thread sweeps.
        WorkingSet,
        /// The nice value.
        Nice,
        /// A tunable of a scheduler.
        Tunable,
        /// When the threads start.
        Start,
        /// How many CPUs a control group may use: its quota, for its period.
        Limit,
        /// The length of a control group's period; its limit stays.
        Period,
    }

    /// Moments that are worth seeing.
    pub enum MomentKind {
        /// A CPU may not take a thread that waits.
        Refusal,
        /// Two threads of the workload share a core beside an idle one.
        SharedCore,
        /// An idle CPU takes a thread from another.
        Steal,
        /// The balancer moves a thread.
        Balance,
        /// A thread runs on another CPU than before.
        Migration,
        /// A thread waits.
        Wait,
        /// A thread ends.
        Exit,
        /// A thread wakes up.
        Wakeup,
    }

    /// What a small picture of the scenario shows.
    pub enum Thumb {
        /// Threads on the cores of the machine.
        Machine,
        /// Which thread ran when.
        Timeline,
        /// The queues.
        Queue,
        /// Shares as bars.
        Bars,
    }
}
