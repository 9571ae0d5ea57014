//! Own policies: a scheduler that its user writes, beside the real ones.
//!
//! Two layers. The *host* (`host`) is a scheduler of the ordinary contract. It owns lists, columns, timers, checks of
//! answers, records and snapshots. It calls a *program* by a small trait ([`Program`]), which sees threads and CPUs by
//! [`Shared`] and nothing else. A language makes programs of texts:
//!
//! - Python's syntax as Starlark (`language`, behind the feature `starlark`), which ends by itself, knows no clock, and
//!   reaches nothing outside.
//! - What a program around the core brings with it ([`speak`]): the Python package lets CPython run the same files.
//!
//! The textbook's policies are the eras of this scheduler: a program each (`templates`). So every template goes through
//! all situations that a scheduler must survive.
//!
//! The state of a policy is what it declares: integers of threads, of CPUs and of the lane. So snapshots, seeking, digests
//! and edits work as for every scheduler, and the program is read again from its text.

mod columns;
mod hook;
mod host;
#[cfg(feature = "starlark")]
mod language;
mod moment;
mod observe;
mod program;
mod reasons {
    sim_contract::reasons!("own");
}
mod state;
pub mod templates;
pub mod words;
pub mod world;

pub use hook::{ALL as HOOKS, Hook};
pub use moment::{Column, Declared, Shared};
pub use program::{Argument, Described, Program, Reply};

use sim_contract::{CheckProgram, EraInfo, ProgramError, Scheduler, SchedulerInfo, Setup};
use std::sync::OnceLock;

/// The registry's entry.
pub static INFO: SchedulerInfo = SchedulerInfo {
    id: "own",
    name: "Own policy",
    summary: "What its user writes: a program of a few functions, or one of the textbook's policies.",
    family: "baseline",
    nice_max: 19,
    queue_shape: "perCpuFifo",
    eras: templates::ERAS,
    cgroups: &[],
    slices: &[],
    reasons: reasons::TABLE,
    task_columns: &[],
    cpu_columns: &[],
    make,
    check_program: Some(CheckProgram {
        first: check,
        later: Some(check_later),
    }),
};

/// What a program of a user has instead of an era.
static PROGRAM: &[EraInfo] = &[EraInfo {
    id: "program",
    name: "a program",
    summary: "What its user wrote.",
    year: 2026,
    tunables: &[],
}];

/// A language: makes a program of a text, or nothing if the text is none of its own.
pub type Language = fn(&str) -> Option<Result<Box<dyn Program>, ProgramError>>;

static SPOKEN: OnceLock<Language> = OnceLock::new();

/// Adds the language of the program around the core, once. It is asked before the language that is built in.
pub fn speak(language: Language) {
    // A second one would change what texts mean; there is none.
    let _ = SPOKEN.set(language);
}

/// A text as a program.
fn program(source: &str) -> Result<Box<dyn Program>, ProgramError> {
    if let Some(read) = SPOKEN.get().and_then(|language| language(source)) {
        return read;
    }
    built_in(source)
}

#[cfg(feature = "starlark")]
fn built_in(source: &str) -> Result<Box<dyn Program>, ProgramError> {
    Ok(Box::new(language::Starlark::read(source)?))
}

#[cfg(not(feature = "starlark"))]
fn built_in(_: &str) -> Result<Box<dyn Program>, ProgramError> {
    Err(ProgramError {
        line: 1,
        column: 1,
        sentence:
            "no language here runs this program; in Python, load it with timeslice.policy first"
                .to_owned(),
    })
}

/// Reads a program without running it.
///
/// # Errors
/// The first thing that is wrong with it, with its place.
pub fn read(source: &str) -> Result<(), ProgramError> {
    program(source).map(|_| ())
}

fn check(
    era: &'static EraInfo,
    text: Option<&str>,
) -> Result<&'static SchedulerInfo, ProgramError> {
    let eras = if text.is_some() { PROGRAM } else { INFO.eras };
    let read = program(text.unwrap_or_else(|| templates::source(era.id)))?;
    Ok(columns::described(&read.described().declared, eras))
}

/// Reads a program that takes over during the run of another. What the machine and the page have been told stays: how
/// often CPUs tick, whether all take from one list, and which numbers threads and CPUs have.
fn check_later(era: &'static EraInfo, first: Option<&str>, text: &str) -> Result<(), ProgramError> {
    let first = program(first.unwrap_or_else(|| templates::source(era.id)))?;
    let later = program(text)?;
    let (first, later) = (first.described(), later.described());
    let settled = |word: &str, sentence: String| {
        let (line, column) = words::place_of(text, word);
        Err(ProgramError {
            line,
            column,
            sentence,
        })
    };
    let hz = first.hz();
    if later.has(Hook::Tick) && later.hz() != hz {
        return settled(
            "HZ",
            format!("`HZ` is {hz} since the run began, and stays so"),
        );
    }
    if later.shares_a_list && !first.shares_a_list {
        let sentence =
            "`EVERYONE` is new: whether all CPUs take from one list is settled when the run begins";
        return settled("EVERYONE", sentence.to_owned());
    }
    let kinds = [
        (
            "threads keep",
            &later.declared.thread,
            &first.declared.thread,
        ),
        ("CPUs keep", &later.declared.cpu, &first.declared.cpu),
    ];
    for (who, columns, known) in kinds {
        let new = columns
            .iter()
            .find(|c| moment::position(known, &c.name).is_none());
        if let Some(Column { name, .. }) = new {
            let sentence = format!("`{name}` is new: what {who} is settled when the run begins");
            return settled(name, sentence);
        }
    }
    Ok(())
}

fn make(setup: &Setup) -> Box<dyn Scheduler> {
    let source = setup.program.as_deref();
    let source = source.unwrap_or_else(|| templates::source(setup.era));
    let program = program(source).expect("invariant: programs are checked with the plan");
    let info = columns::described(&program.described().declared, INFO.eras);
    Box::new(host::Own::new(program, info.task_columns, setup.cpus))
}
