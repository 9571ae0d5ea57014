//! Own policies: a scheduler that its user writes, beside the real ones.
//!
//! Two layers. The *host* (`host`) is a scheduler of the ordinary contract. It owns lists, columns, timers, checks of
//! answers, records and snapshots. It calls a *program* by a small trait (`program`). The only language so far is Python's
//! syntax as Starlark (`language`), which ends by itself, knows no clock, and reaches nothing outside.
//!
//! The textbook's policies are the eras of this scheduler: a program each (`templates`). So every template goes through
//! all situations that a scheduler must survive.
//!
//! The state of a program is what it declares: integers of threads, of CPUs and of the lane. Functions keep nothing else. So
//! snapshots, seeking, digests and edits work as for every scheduler, and the program is read again from its text.

mod columns;
mod hook;
mod host;
mod language;
mod moment;
mod observe;
mod program;
mod reasons;
mod state;
pub mod templates;

use language::Starlark;
use program::Program;
use sim_contract::{EraInfo, ProgramError, Scheduler, SchedulerInfo, Setup};

/// The registry's entry.
pub static INFO: SchedulerInfo = SchedulerInfo {
    id: "own",
    name: "Own policy",
    summary: "What its user writes: a program of a few functions, or one of the textbook's policies.",
    family: "baseline",
    nice_max: 19,
    queue_shape: "perCpuFifo",
    eras: templates::ERAS,
    reasons: reasons::TABLE,
    task_columns: &[],
    cpu_columns: &[],
    make,
    check_program: Some(check),
};

/// What a program of a user has instead of an era.
static PROGRAM: &[EraInfo] = &[EraInfo {
    id: "program",
    name: "a program",
    summary: "What its user wrote.",
    year: 2026,
    tunables: &[],
}];

/// Reads a program without running it.
///
/// # Errors
/// The first thing that is wrong with it, with its place.
pub fn read(source: &str) -> Result<(), ProgramError> {
    Starlark::read(source).map(|_| ())
}

fn check(
    era: &'static EraInfo,
    program: Option<&str>,
) -> Result<&'static SchedulerInfo, ProgramError> {
    let eras = if program.is_some() {
        PROGRAM
    } else {
        INFO.eras
    };
    let read = Starlark::read(program.unwrap_or_else(|| templates::source(era.id)))?;
    Ok(columns::described(read.declared(), eras))
}

fn make(setup: &Setup) -> Box<dyn Scheduler> {
    let source = setup.program.as_deref();
    let source = source.unwrap_or_else(|| templates::source(setup.era));
    let program = Starlark::read(source).expect("invariant: programs are checked with the plan");
    let info = columns::described(program.declared(), INFO.eras);
    Box::new(host::Own::new(
        Box::new(program),
        info.task_columns,
        setup.cpus,
    ))
}
