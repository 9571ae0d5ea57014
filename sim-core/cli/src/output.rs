//! Printing: a reader that goes away (a broken pipe) ends the program quietly.

use serde::Serialize;
use sim_core::error::ConfigError;
use std::io::{self, Write};

/// Why a command could not do its work.
pub(crate) struct Failure {
    /// File or argument.
    pub(crate) source: String,
    /// What is wrong with it.
    pub(crate) errors: Vec<ConfigError>,
}

impl Failure {
    pub(crate) fn new(source: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            source: source.into(),
            errors: vec![ConfigError::new("", message)],
        }
    }
}

/// Writes a line to standard output.
pub(crate) fn line(text: &str) {
    self::text(&format!("{text}\n"));
}

/// Writes a text to standard output as it is.
pub(crate) fn text(text: &str) {
    let mut out = io::stdout().lock();
    if out
        .write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .is_err()
    {
        // Nobody reads any more: there is nothing left to do and nobody to tell.
        std::process::exit(0);
    }
}

/// Writes a value as JSON.
pub(crate) fn json<T: Serialize>(value: &T) {
    match serde_json::to_string_pretty(value) {
        Ok(text) => line(&text),
        Err(e) => progress(&format!("cannot be written as JSON: {e}")),
    }
}

/// Writes a line to standard error.
pub(crate) fn progress(text: &str) {
    // Progress that cannot be shown is not worth ending a run for.
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Says what is wrong, one line for each error.
pub(crate) fn error(failure: &Failure) {
    for e in &failure.errors {
        progress(&format!("{}: {e}", failure.source));
    }
}
