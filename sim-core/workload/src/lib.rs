//! What threads do: a behaviour answers, again and again, what its thread does next.

pub mod registry;

mod barrier;
mod browser;
mod chase;
mod compute;
mod daemon;
mod dhrystone;
mod hog;
mod interactive;
mod jobs;
mod kernel_thread;
mod parent;
mod pipeline;
mod ray_tracer;
mod request_server;
mod script;
mod spin_array;
mod yield_loop;

pub use jobs::JobStream;
pub use parent::ENDED;

use sim_ground::ids::CpuId;
use sim_ground::params::{ParamSpec, Params};
use sim_ground::provenance::Constant;
use sim_ground::rng::Rng;
use sim_machine::rate::{DataUse, WorkClass};

/// What a thread does next.
#[derive(Debug)]
pub enum Phase {
    /// Computes until this much work is done (ns at full speed).
    Run(u64),
    /// Computes for ever.
    RunForever,
    /// Sleeps.
    Sleep {
        /// How long.
        ns: u64,
        /// What ends the sleep.
        via: WakeVia,
    },
    /// Gives up the CPU once.
    Yield,
    /// Wakes a random sleeping thread of its group, if there is one, and goes on.
    WakePeer,
    /// Posts tokens to a channel, wakes as many of those who wait there, and goes on.
    Post {
        /// Where to.
        channel: Channel,
        /// How many.
        tokens: u32,
        /// The kernel's hint that the waker is about to block (`wake_up_sync`: pipes, sockets).
        sync: bool,
    },
    /// Takes what there is, but waits until there is a token; then goes on. [`WorkCx::taken`] says how many it got.
    Take {
        /// Where from.
        channel: Channel,
        /// Most that it takes.
        most: u32,
    },
    /// Waits until all living threads of its group have come to this point; then goes on.
    Meet,
    /// Has done its job, if it had one, and takes the next of its group; waits until there is one, then goes on.
    /// [`WorkCx::job_ns`] says how much work it is.
    NextJob,
    /// Starts a child that does this, and goes on.
    Fork(Box<dyn Behaviour>),
    /// Forks the next thread of the group that it is the parent of, if one is left, and goes on.
    ForkMember,
    /// Replaces its program by another (`execve`) and goes on: an occasion on which a system may move it.
    Exec,
    /// Ends.
    Exit,
}

/// What ends a sleep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WakeVia {
    /// A timer of the CPU on which the thread went to sleep.
    Timer,
    /// The same, rounded up to that CPU's next tick.
    TickTimer,
    /// A device interrupt on the named CPU.
    Interrupt(CpuId),
}

/// Where threads post tokens and wait for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channel {
    /// 0: the channel belongs to the thread's group. Else groups that name the same port share it.
    pub port: u16,
    /// Number among those of the group or the port; [`u32::MAX`] is taken.
    pub number: u32,
}

/// What a behaviour may look at.
pub struct WorkCx<'a> {
    /// The thread's own random stream.
    pub rng: &'a mut Rng,
    /// Number of CPUs of the machine.
    pub cpus: u16,
    /// Number of the thread within its group, from 1.
    pub number: u32,
    /// Tokens that it took last.
    pub taken: u32,
    /// Work of the job that it has, in ns at full speed; 0 if it has none.
    pub job_ns: u64,
}

/// What a thread does: a small state machine.
pub trait Behaviour: std::fmt::Debug + Send {
    /// The next phase.
    fn next(&mut self, cx: &mut WorkCx<'_>) -> Phase;

    /// Whether it ever starts threads of its own: then a group may come to have threads that nobody counted.
    fn forks(&self) -> bool {
        false
    }

    /// Jobs that arrive at its group by themselves, for [`Phase::NextJob`].
    fn jobs(&self) -> Option<JobStream> {
        None
    }

    /// Appends the state to a snapshot.
    fn save(&self, out: &mut Vec<u64>);

    /// Takes the state back, as [`Behaviour::save`] wrote it; missing words count as 0.
    fn load(&mut self, words: &[u64]);
}

/// A registered behaviour.
#[derive(Debug)]
pub struct BehaviourInfo {
    /// Id in scenarios.
    pub id: &'static str,
    /// Display name.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// Whether the working set matters to it.
    pub uses_working_set: bool,
    /// Whether users may choose it (the background's own behaviours are not offered).
    pub offered: bool,
    /// Working set if the scenario does not name one, in bytes.
    pub working_set_bytes: u64,
    /// How it shares a core.
    pub class: WorkClass,
    /// Its parameters.
    pub params: &'static [ParamSpec],
    /// Makes one; the error names what is wrong with a parameter.
    pub make: fn(&Params) -> Result<Box<dyn Behaviour>, String>,
}

sim_ground::constants! {
    /// What two ordinary programs on a core do together, against one alone.
    TYPICAL_PAIR: u16 = 1200, "thousandths", Published,
        "Wong 2011: 15 to 25 % more for most programs; the middle. Linux assumes 15 %.";
    /// What two threads of the background on a core do together, against one alone: each its whole speed.
    BACKGROUND_PAIR: u16 = 2000, "thousandths", Assumed,
        "Run lengths of the background are CPU times, as in the runs of the real BFS code that its preset comes from.";
    /// How much a thread that computes stretches its sibling's computing.
    PRESSURE: u16 = 1000, "thousandths", Assumed,
        "The same for every kind of work: which kinds of instructions meet does not matter. A choice.";
    /// Working set of a program for which a scenario names none, where it touches data at all.
    ORDINARY_SET: u64 = 65_536, "bytes", Assumed,
        "A choice: between the first and the second level of cache of most presets.";
}

/// The constants of this crate, by file.
pub const ALL_CONSTANTS: &[&[Constant]] = &[
    CONSTANTS,
    browser::CONSTANTS,
    chase::CONSTANTS,
    dhrystone::CONSTANTS,
    pipeline::CONSTANTS,
    request_server::CONSTANTS,
    spin_array::CONSTANTS,
];

/// Any ordinary program.
pub const TYPICAL: WorkClass = WorkClass {
    smt_pair_milli: TYPICAL_PAIR,
    pressure_milli: PRESSURE,
    data: DataUse::Footprint,
};

/// The background: its run lengths are CPU times (as in the runs of the real code that its preset comes
/// from), so a busy sibling does not stretch them; but it slows its sibling down as any program does.
pub const BACKGROUND: WorkClass = WorkClass {
    smt_pair_milli: BACKGROUND_PAIR,
    pressure_milli: PRESSURE,
    data: DataUse::Footprint,
};
