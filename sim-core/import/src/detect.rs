//! Which format a file has, from its first 64 kB and never from its name.

use crate::error::ImportError;
use crate::ftrace::{self, Ftrace};
use crate::ktr::{self, Ktr};
use crate::perf::{self, Perf};
use crate::read::{Layout, RECORD};
use crate::scan::after;
use crate::unwrap::Page;
use serde::Serialize;

/// A format of traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Format {
    /// ftrace text: the file `trace`, or `trace-cmd report`.
    Ftrace,
    /// A page of systrace with ftrace text in it.
    Systrace,
    /// JSON of Chrome or Perfetto with ftrace text in it.
    ChromeJson,
    /// `perf script` or `perf sched script`.
    Perf,
    /// KTR of FreeBSD, by `ktrdump -ct` or DTrace.
    Ktr,
}

impl Format {
    /// What people call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ftrace => "ftrace text",
            Self::Systrace => "ftrace text in a page of systrace",
            Self::ChromeJson => "ftrace text in JSON of Chrome",
            Self::Perf => "text of perf script",
            Self::Ktr => "KTR of FreeBSD",
        }
    }
}

/// Recognises a format.
pub(crate) fn format(head: &[u8]) -> Result<Format, ImportError> {
    binary(head)?;
    let begin = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let begin = begin.trim_ascii_start();
    if begin.starts_with(b"{") || begin.starts_with(b"[") {
        return json(begin);
    }
    let is_page = |word: &[u8]| {
        let length = word.len();
        begin.len() >= length && begin[..length].eq_ignore_ascii_case(word)
    };
    if is_page(b"<!DOCTYPE html") || is_page(b"<html") {
        return Ok(Format::Systrace);
    }
    for line in head.split(|b| *b == b'\n') {
        if perf::is_line(line) {
            return Ok(Format::Perf);
        }
        if ktr::is_line(line) {
            return Ok(Format::Ktr);
        }
        if ftrace::head(line).is_some() {
            return Ok(Format::Ftrace);
        }
    }
    if begin.starts_with(b"# tracer:") {
        return Ok(Format::Ftrace);
    }
    Err(unknown(head))
}

/// How its lines are read.
pub(crate) fn layout(format: Format) -> Box<dyn Layout> {
    match format {
        Format::Ftrace | Format::ChromeJson => Box::new(Ftrace),
        Format::Systrace => Box::new(Page),
        Format::Perf => Box::new(Perf),
        Format::Ktr => Box::new(Ktr::default()),
    }
}

/// Refuses what is not text, with the command that makes text of it.
fn binary(head: &[u8]) -> Result<(), ImportError> {
    let (what, remedy) = if head.starts_with(b"\x17\x08\x44tracing") {
        (
            "a recording of trace-cmd (trace.dat)",
            "Make text of it with `trace-cmd report -i trace.dat > trace.txt`",
        )
    } else if head.starts_with(b"PERFILE2") || head.starts_with(b"2ELIFREP") {
        (
            "a recording of perf (perf.data)",
            "Make text of it with `perf script -i perf.data > trace.txt`",
        )
    } else if head.starts_with(b"\x1f\x8b") {
        ("a compressed file", "Unpack it with `gunzip`")
    } else if head.starts_with(b"\x28\xb5\x2f\xfd") {
        ("a compressed file", "Unpack it with `unzstd`")
    } else if head.starts_with(b"\x0a") && head.iter().take(4096).any(|b| *b < 7) {
        (
            "a trace of Perfetto as protobuf",
            "Make text of it with `traceconv systrace trace.perfetto-trace trace.txt`",
        )
    } else if head.contains(&0) {
        ("a file that is not text", RECORD)
    } else {
        return Ok(());
    };
    Err(ImportError::new(format!("this is {what}, and only text can be read")).remedy(remedy))
}

fn json(begin: &[u8]) -> Result<Format, ImportError> {
    if after(begin, b"\"systemTraceEvents\"").is_some()
        || after(begin, b"\"traceEvents\"").is_some()
    {
        return Ok(Format::ChromeJson);
    }
    if after(begin, b"\"tasks\"").is_some() || after(begin, b"\"loop\"").is_some() {
        return Err(ImportError::new("this is a program of rt-app, not a trace")
            .remedy("`timeslice import` makes a scenario of it; to see what it does for real, run it under `trace-cmd record -e sched`"));
    }
    Err(unknown(begin))
}

fn unknown(head: &[u8]) -> ImportError {
    let mut lines = (1..).zip(head.split(|b| *b == b'\n'));
    let error = ImportError::new(
        "expected a trace (ftrace text, perf script, or KTR): the first 64 kB have no such line",
    );
    match lines.find(|(_, line)| !line.trim_ascii().is_empty()) {
        Some((number, line)) => error.at(number, line),
        None => error,
    }
    .remedy(RECORD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_text_is_refused_with_a_command() {
        for (head, command) in [
            (&b"\x17\x08\x44tracing6\0"[..], "trace-cmd report"),
            (b"PERFILE2\x68\0\0\0", "perf script"),
            (b"\x1f\x8b\x08\0", "gunzip"),
            (b"\x0a\x3f\x08\x01\x10\x02", "traceconv systrace"),
            (b"{ \"tasks\" : { } }", "trace-cmd record"),
        ] {
            let e = format(head).expect_err(command);
            assert!(e.to_string().contains(command), "{e}");
        }
    }
}
