//! Which format a file has, from its first 64 kB and never from its name.

use crate::error::ImportError;
use crate::ftrace::{self, Ftrace};
use crate::read::Layout;
use serde::Serialize;

/// A format of traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Format {
    /// ftrace text: the file `trace`, or `trace-cmd report`.
    Ftrace,
}

impl Format {
    /// What people call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ftrace => "ftrace text",
        }
    }
}

/// Recognises a format.
pub(crate) fn format(head: &[u8]) -> Result<Format, ImportError> {
    let mut lines = head.split(|b| *b == b'\n');
    if lines.any(|line| ftrace::head(line).is_some()) || head.starts_with(b"# tracer:") {
        return Ok(Format::Ftrace);
    }
    Err(unknown(head))
}

/// How its lines are read.
pub(crate) fn layout(format: Format) -> Box<dyn Layout> {
    match format {
        Format::Ftrace => Box::new(Ftrace),
    }
}

fn unknown(head: &[u8]) -> ImportError {
    let line = head.split(|b| *b == b'\n').find(|line| !line.is_empty());
    let error =
        ImportError::new("expected a trace: the first 64 kB have no line of a known format");
    match line {
        Some(line) => error.at(1, line),
        None => error,
    }
    .remedy(crate::read::RECORD)
}
