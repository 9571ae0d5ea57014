//! What was seen, as it is kept in a file.

use serde::{Deserialize, Serialize};
use sim_run::config::Scenario;

/// Version of the file.
pub const VERSION: u32 = 1;

/// A scenario that was run on a machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Recording {
    /// Version of this format.
    pub real_version: u32,
    /// The scenario.
    pub scenario: Scenario,
    /// The machine.
    pub about: About,
    /// CPUs of the machine that were used.
    pub cpus: Vec<usize>,
    /// How long each repeat took, in ns.
    pub ns: u64,
    /// The repeats.
    pub repeats: Vec<Repeat>,
}

impl Recording {
    /// Reads a file of a run.
    ///
    /// # Errors
    /// A sentence, if it is none, or one of another version.
    pub fn read(text: &str) -> Result<Self, String> {
        let recording: Self = serde_json::from_str(text)
            .map_err(|e| format!("is no file of `timeslice real`: {e}"))?;
        if recording.real_version != VERSION {
            let version = recording.real_version;
            return Err(format!("realVersion: must be {VERSION}, got {version}"));
        }
        Ok(recording)
    }
}

/// What is known of a machine. What cannot be read is left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct About {
    /// The kernel's release, such as 6.18.44.
    pub release: String,
    /// Name of the processor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processor: Option<String>,
    /// CPUs that are in use.
    pub online: usize,
    /// Ticks a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hz: Option<u32>,
    /// Preemption inside the kernel, in words.
    pub preemption: String,
    /// Slice of a thread that asks for none, in ns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_slice_ns: Option<u64>,
    /// Whether each session is a group of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub autogroup: Option<bool>,
    /// Whether it is a virtual machine.
    #[serde(rename = "virtual")]
    pub is_virtual: bool,
    /// How late a sleeper wakes that nobody holds up, in ns: the lower quartile of many short sleeps before the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor_ns: Option<u64>,
}

/// All threads, run once.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Repeat {
    /// Time of others on the CPUs that were used, as a part of all their time: what `/proc/stat` counts as busy, without
    /// the own threads.
    pub foreign: f64,
    /// Of it, the time that the host of a virtual machine took.
    pub stolen: f64,
    /// The threads.
    pub threads: Vec<Thread>,
}

/// A thread, run once.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Thread {
    /// Its name in the scenario.
    pub name: String,
    /// CPU time by the kernel's account, in ns.
    pub cpu_ns: u64,
    /// Time in the queue, by the kernel's account (`schedstat`), in ns. It counts waits for everybody's threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queued_ns: Option<u64>,
    /// How often it got a CPU (`schedstat`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dispatches: Option<u64>,
    /// How often it gave its CPU up.
    pub voluntary: u64,
    /// How often the CPU was taken away.
    pub involuntary: u64,
    /// What it saw itself.
    pub seen: Seen,
}

/// What a thread saw itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Seen {
    /// Time in which it computed, in ns.
    pub work_ns: u64,
    /// Its turns, in order; the last one, which the end cut off, is not among them.
    pub turns: Vec<Turn>,
    /// How late it woke, each time, in ns.
    pub latencies: Vec<u64>,
    /// How often it found itself on another CPU.
    pub moves: u64,
    /// How often it yielded.
    pub yields: u64,
    /// How often it stood still for more than 5 µs without a switch: interrupts, or the host of a virtual machine.
    pub interruptions: u64,
    /// For how long altogether, in ns.
    pub interrupted_ns: u64,
    /// Whether its program came to its end.
    pub exited: bool,
}

/// How a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The thread slept.
    Slept,
    /// The CPU was taken away.
    Taken,
    /// The thread let others go first.
    Yielded,
    /// The thread waited for another one's token.
    Waited,
}

impl End {
    /// Whether the thread wanted nothing more for now.
    #[must_use]
    pub fn is_own_wish(self) -> bool {
        matches!(self, Self::Slept | Self::Waited)
    }
}

/// A turn: from getting a CPU to losing it or giving it up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(u64, u64, usize, u8)", into = "(u64, u64, usize, u8)")]
pub struct Turn {
    /// Its begin, in ns after the common start.
    pub at: u64,
    /// Its length, in ns.
    pub ns: u64,
    /// The CPU.
    pub cpu: usize,
    /// How it ended; in a file 0 to 3 in the order of [`End`].
    pub by: End,
}

impl Turn {
    /// Its end, in ns after the common start.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.at + self.ns
    }
}

impl From<(u64, u64, usize, u8)> for Turn {
    fn from((at, ns, cpu, by): (u64, u64, usize, u8)) -> Self {
        let by = match by {
            0 => End::Slept,
            1 => End::Taken,
            2 => End::Yielded,
            _ => End::Waited,
        };
        Self { at, ns, cpu, by }
    }
}

impl From<Turn> for (u64, u64, usize, u8) {
    fn from(t: Turn) -> Self {
        (t.at, t.ns, t.cpu, t.by as u8)
    }
}
