//! Scenarios run for real: each thread is a process of this Linux machine, under the machine's own scheduler, and what it
//! did is laid beside the model.
//!
//! | file | what |
//! |---|---|
//! | [`jobs`] | what each process has to do, from the plan; what cannot be done is refused by name |
//! | [`perform`] | a thread's life: its behaviour, phase by phase, and what it sees of its own turns |
//! | [`record`] | what was seen, as it is kept in a file |
//! | [`about`] | the machine: what can be read of it without rights, and which release of the model is nearest |
//! | [`compare`] | the same scenario in the model, and the differences |
//! | [`truth`] | turns from the kernel's trace, in place of what threads saw |
//! | [`lane`] | what was seen as a lane beside the model |
//! | `os` | Linux alone: processes, clocks, CPUs, attributes |
//!
//! A thread knows its turns without any rights. It reads the clock all the time while it computes; what is longer than
//! [`perform::GAP_NS`] was not its own. That is the end of a turn if the kernel counted an involuntary switch, and else an
//! interruption: by an interrupt, or by the host of a virtual machine.

pub mod about;
pub mod compare;
pub mod jobs;
pub mod lane;
#[cfg(target_os = "linux")]
mod os;
pub mod perform;
mod program;
pub mod record;
pub mod truth;

pub use program::Program;

use jobs::Job;
use record::{About, Repeat};

/// The word with which this program starts itself again, as one of the [`ROLES`]: what follows it is the role.
pub const PART: &str = "real-part";

/// What a process of a run may be: the conductor starts the actors, each actor is a thread of the scenario, and the tracer
/// has the kernel's trace.
pub const ROLES: [&str; 3] = ["conductor", "actor", "tracer"];

/// The latest CPU that can be named.
pub const MAX_CPU: usize = 1023;

/// What is known of this machine before a run.
///
/// # Errors
/// A sentence, if this is no Linux or it lacks what a run needs.
pub fn about(cpus: &[usize]) -> Result<About, String> {
    #[cfg(target_os = "linux")]
    return os::about(cpus);
    #[cfg(not(target_os = "linux"))]
    {
        let _ = cpus;
        Err(NOT_LINUX.to_owned())
    }
}

/// The last CPU that this process may use: the first ones serve most interrupts.
///
/// # Errors
/// A sentence, if this is no Linux or it does not say.
pub fn last_cpu() -> Result<usize, String> {
    #[cfg(target_os = "linux")]
    return os::last_cpu();
    #[cfg(not(target_os = "linux"))]
    Err(NOT_LINUX.to_owned())
}

/// Runs jobs once, for so many ns. `program` is this program, which must give [`part`] control where it is called with
/// [`PART`] and a role as its last arguments. With `traced`, the kernel traces the run, for which it wants to be root: turns
/// are the trace's, and its text comes along.
///
/// # Errors
/// A sentence: what the machine refused.
pub fn run(
    program: &Program,
    jobs: &[Job],
    cpus: &[usize],
    ns: u64,
    traced: bool,
) -> Result<(Repeat, Option<String>), String> {
    #[cfg(target_os = "linux")]
    return os::run(program, jobs, cpus, ns, traced);
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (program, jobs, cpus, ns, traced);
        Err(NOT_LINUX.to_owned())
    }
}

/// Plays the role for which this program was started again; the conductor starts the actors by `program`.
///
/// # Errors
/// A sentence, if the role does not exist or its orders cannot be read or answered.
pub fn part(program: &Program, role: &str) -> Result<(), String> {
    #[cfg(target_os = "linux")]
    return os::part(program, role);
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (program, role);
        Err(NOT_LINUX.to_owned())
    }
}

#[cfg(not(target_os = "linux"))]
const NOT_LINUX: &str = "threads run for real under Linux only";
