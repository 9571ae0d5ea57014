//! What threads do: a behaviour returns, phase by phase, what its thread does next.

pub mod registry;

mod audio;
mod barrier;
mod browser;
mod chase;
mod compute;
mod daemon;
mod database;
mod dhrystone;
mod game;
mod hog;
mod interactive;
mod jitter;
mod jobs;
mod kernel_thread;
mod parent;
mod pipeline;
mod ray_tracer;
pub mod recorded;
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
    /// Posts tokens to a channel, wakes at most that many waiting threads, and goes on.
    Post {
        /// The channel.
        channel: Channel,
        /// Number of tokens.
        tokens: u32,
        /// The kernel's hint that the waker is about to block (`wake_up_sync`: pipes, sockets).
        sync: bool,
    },
    /// Takes the tokens that are there, but waits until there is at least one; then goes on. [`WorkCx::taken`] is the
    /// number it got.
    Take {
        /// The channel.
        channel: Channel,
        /// Largest number that it takes.
        most: u32,
    },
    /// Waits until all living threads of its group have reached this point; then goes on.
    Meet,
    /// Sleeps until a time by a timer of its CPU. If the time has passed, it has missed a deadline and goes on.
    Until {
        /// The time, in ns.
        at_ns: u64,
    },
    /// Blocks until another thread wakes it there ([`Phase::Wake`]); then goes on.
    Await(Channel),
    /// Wakes the first of those that wait there, at most that many, and goes on.
    Wake {
        /// Where they wait.
        channel: Channel,
        /// Largest number.
        most: u32,
    },
    /// Waits until so many threads are there; then all go on.
    MeetAt {
        /// Where they meet.
        channel: Channel,
        /// How many.
        threads: u32,
    },
    /// Takes a lock, or blocks until its holder hands it over; then goes on.
    Lock {
        /// The lock.
        channel: Channel,
        /// Whether it lends its priority to the holder while it waits.
        lends: bool,
    },
    /// Hands a lock that it holds to the first that waits for it, and goes on.
    Unlock(Channel),
    /// Has a device serve a request, after those that came before, and sleeps until that is done.
    Io {
        /// The device.
        device: Channel,
        /// How long the device takes for the request alone.
        ns: u64,
    },
    /// Waits until all its children have ended; then goes on.
    WaitChildren,
    /// Finishes its job, if it had one, and takes the next one of its group; waits until there is one, then goes on.
    /// [`WorkCx::job_ns`] is the work of the new job.
    NextJob,
    /// Starts a child with this behaviour, and goes on.
    Fork(Box<dyn Behaviour>),
    /// Forks the next thread of the group whose parent it is, if one is left, and goes on.
    ForkMember,
    /// Replaces its program by another (`execve`) and goes on; a system may move it then.
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

/// A channel to which threads post tokens and at which they wait for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channel {
    /// 0: the channel belongs to the thread's group. Any other port is shared by all groups that name it.
    pub port: u16,
    /// Number among the channels of the group or the port; [`u32::MAX`] is reserved.
    pub number: u32,
}

/// What a behaviour may read.
pub struct WorkCx<'a> {
    /// The thread's own random stream.
    pub rng: &'a mut Rng,
    /// Number of CPUs of the machine.
    pub cpus: u16,
    /// Number of the thread within its group, from 1.
    pub number: u32,
    /// Number of tokens that it took last.
    pub taken: u32,
    /// When the thread started, in ns.
    pub started_ns: u64,
    /// When the phase begins, in ns.
    pub now_ns: u64,
    /// Work of the job that it has, in ns at full speed; 0 if it has none.
    pub job_ns: u64,
}

/// What a thread does: a small state machine.
pub trait Behaviour: std::fmt::Debug + Send {
    /// The next phase.
    fn next(&mut self, cx: &mut WorkCx<'_>) -> Phase;

    /// Whether it ever starts threads: if so, a group may get more threads than the scenario counts.
    fn forks(&self) -> bool {
        false
    }

    /// Whether it takes a lock at which it lends priority.
    fn lends(&self) -> bool {
        false
    }

    /// Jobs that arrive at its group by themselves, for [`Phase::NextJob`].
    fn jobs(&self) -> Option<JobStream> {
        None
    }

    /// Appends the state to a snapshot.
    fn save(&self, out: &mut Vec<u64>);

    /// Restores the state that [`Behaviour::save`] wrote; missing words count as 0.
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
    /// Whether users may choose it (behaviours of the background are not offered).
    pub offered: bool,
    /// Working set in bytes if the scenario gives none.
    pub working_set_bytes: u64,
    /// How it shares a core.
    pub class: WorkClass,
    /// Its parameters.
    pub params: &'static [ParamSpec],
    /// Makes a behaviour. The error names the wrong parameter.
    pub make: fn(&Params) -> Result<Box<dyn Behaviour>, String>,
}

sim_ground::constants! {
    /// Throughput of two ordinary programs on a core, relative to one alone.
    TYPICAL_PAIR: u16 = 1200, "thousandths", Published,
        "Wong 2011: 15 to 25 % more for most programs; the middle. Linux assumes 15 %.";
    /// Throughput of two background threads on a core, relative to one alone: each has its full speed.
    BACKGROUND_PAIR: u16 = 2000, "thousandths", Assumed,
        "Run lengths of the background are CPU times, as in the runs of the real BFS code that its preset comes from.";
    /// How much a thread that computes stretches its sibling's computing.
    PRESSURE: u16 = 1000, "thousandths", Assumed,
        "The same for every kind of work: which kinds of instructions meet does not matter. A choice.";
    /// Working set of a program for which the scenario gives none, if it uses data at all.
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

/// Background threads. Their run lengths are CPU times, as in the runs of the real code from which the preset comes, so
/// a busy sibling does not stretch them. They slow their sibling down as any program does.
pub const BACKGROUND: WorkClass = WorkClass {
    smt_pair_milli: BACKGROUND_PAIR,
    pressure_milli: PRESSURE,
    data: DataUse::Footprint,
};
