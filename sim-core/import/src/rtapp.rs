//! Programs of [rt-app](https://github.com/scheduler-tools/rt-app) as scenarios: what its threads do becomes scripts.
//!
//! | rt-app | script |
//! |---|---|
//! | `run`, `runtime`, `sleep` | `run`, `sleep` |
//! | `timer` | `every T anew`, or `every T` in mode `absolute` |
//! | `lock`, `unlock`, `signal`, `broad`, `wait`, `sync` | `lock`, `unlock`, `signal`, `broadcast`, `wait on` |
//! | `suspend`, `resume` | `wait on` the thread's own name, `broadcast` |
//! | `barrier` | `barrier N of K`, with K counted |
//! | `sem_wait`, `sem_post`, `yield`, `fork` | `take`, `post`, `yield`, `fork` |
//! | `loop`, phases | `loop N { … }`, `repeat` |
//!
//! What has no such word is left out and told, or the program is refused by name. Source: rt-app's `doc/tutorial.txt`
//! and the reading of its events in `rt-app_parse_config.c`, release 1.0 and later.

mod program;
mod scenario;
mod text;

use crate::error::ImportError;
use crate::scan::after;
use serde::Serialize;

/// A program of rt-app as a scenario.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Told {
    /// The scenario, in its JSON form.
    pub scenario: serde_json::Value,
    /// What is not said as the program says it; none if all of it is.
    pub left_out: Vec<Note>,
    /// What the program says but perhaps does not mean.
    pub remarks: Vec<Note>,
}

/// A sentence about a place of the program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Note {
    /// Line of the program.
    pub line: u64,
    /// What, and what stands in its place.
    pub text: String,
}

/// What the program does not say.
#[derive(Clone, Copy, Debug)]
pub struct Choices<'a> {
    /// Name of the scenario.
    pub name: &'a str,
    /// Id of a preset of machines.
    pub machine: &'a str,
    /// Schedulers of the lanes in their JSON form.
    pub schedulers: &'a serde_json::Value,
}

/// Whether a file is a program of rt-app, from its beginning.
#[must_use]
pub fn is_program(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let begin = head.trim_ascii_start();
    (begin.starts_with(b"{") || begin.starts_with(b"/*") || begin.starts_with(b"//"))
        && after(begin, b"\"traceEvents\"").is_none()
        && [
            &b"\"tasks\""[..],
            b"\"phases\"",
            b"\"default_policy\"",
            b"\"resources\"",
        ]
        .into_iter()
        .any(|key| after(begin, key).is_some())
}

/// Reads a program.
///
/// # Errors
///
/// If the text is wrong, or asks for what the simulation does not have; with the line.
pub fn read(text: &str, choices: &Choices<'_>) -> Result<Told, ImportError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    scenario::scenario(&text::parse(text)?, choices)
}
