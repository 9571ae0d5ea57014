//! ftrace text: the file `trace` of tracefs, `trace-cmd report`, and the same inside other files.
//!
//! `NAME-PID (TGID) [CPU] FLAGS SECONDS.FRACTION: EVENT: PAYLOAD`, with process and flags optional. A name may hold what
//! the columns hold. So each `[digits]` is tried, and what stands on both sides of it has to fit.

use crate::event::{Context, Event, Pid};
use crate::payload;
use crate::read::{Cx, Fault, Layout};
use crate::scan::{find, number, number_behind, skip, time, trim_end, whole, word};

/// Columns before the name of the event.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Head<'a> {
    pub(crate) name: &'a [u8],
    pub(crate) pid: Pid,
    pub(crate) process: Option<Pid>,
    pub(crate) cpu: u64,
    pub(crate) flags: Option<&'a [u8]>,
    pub(crate) at: u64,
    /// Name of the event and payload.
    pub(crate) rest: &'a [u8],
}

/// Reads the columns of a line, if it has them.
pub(crate) fn head(line: &[u8]) -> Option<Head<'_>> {
    for open in memchr::memchr_iter(b'[', line) {
        if let Some((cpu, right)) = number(&line[open + 1..])
            && let Some(right) = right.strip_prefix(b"]")
            && let Some((flags, at, rest)) = right_side(right)
            && let Some((name, pid, process)) = left_side(&line[..open])
        {
            return Some(Head {
                name,
                pid,
                process,
                cpu,
                flags,
                at,
                rest,
            });
        }
    }
    None
}

/// Flags, time and what follows.
type Right<'a> = (Option<&'a [u8]>, u64, &'a [u8]);

fn right_side(text: &[u8]) -> Option<Right<'_>> {
    let text = skip(text);
    let (first, more) = word(text);
    if let Some((at, b":")) = time(first) {
        return Some((None, at, skip(more)));
    }
    let is_flags = matches!(first.len(), 4..=7);
    let (second, rest) = word(skip(more));
    match time(second) {
        Some((at, b":")) if is_flags => Some((Some(first), at, skip(rest))),
        _ => None,
    }
}

/// Name, thread and process.
fn left_side(text: &[u8]) -> Option<(&[u8], Pid, Option<Pid>)> {
    let mut text = trim_end(text);
    let mut process = None;
    if let Some(inside) = text.strip_suffix(b")") {
        let open = inside.iter().rposition(|b| *b == b'(')?;
        let column = skip(&inside[open + 1..]);
        if column.iter().all(|b| *b == b'-') {
            // The kernel has forgotten it.
        } else {
            process = Some(whole(column)?);
        }
        text = trim_end(&text[..open]);
    }
    let (name, pid) = number_behind(text)?;
    let name = name.strip_suffix(b"-")?;
    Some((skip(name), Pid::try_from(pid).ok()?, process))
}

/// Whether an interrupt is on: the third flag is `h`, `H`, `s` for a soft interrupt, `z` or `Z`.
fn interrupt(flags: &[u8]) -> Option<bool> {
    match flags.get(2)? {
        b'.' => Some(false),
        b'h' | b'H' | b's' | b'z' | b'Z' => Some(true),
        _ => None,
    }
}

/// The layout of a file, which has no state of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ftrace;

impl Layout for Ftrace {
    fn line(&mut self, line: &[u8], cx: &mut Cx<'_>) -> Result<(), Fault> {
        read_line(line, cx)
    }
}

/// Reads a line of ftrace text.
pub(crate) fn read_line(line: &[u8], cx: &mut Cx<'_>) -> Result<(), Fault> {
    if line.is_empty() || line[0] == b'#' {
        return header(line, cx);
    }
    let Some(head) = head(line) else {
        return other(line, cx);
    };
    let Some(event) = payload::ours(head.rest) else {
        return Ok(());
    };
    let cpu = cx.cpu(head.cpu)?;
    cx.names.see(head.pid, head.name);
    if let Some(process) = head.process {
        cx.names.belongs(head.pid, process);
    }
    if let Some(kind) = payload::event(event, head.pid, cx.names)? {
        cx.emit(Event {
            at: head.at,
            cpu,
            context: Context {
                pid: head.pid,
                irq: head.flags.and_then(interrupt),
            },
            kind,
        });
    }
    Ok(())
}

/// `#P:8` of a header, and `##### CPU 3 buffer started ####`, which is no loss.
fn header(line: &[u8], cx: &mut Cx<'_>) -> Result<(), Fault> {
    if let Some(cpus) = crate::scan::after(line, b"#P:").and_then(number) {
        cx.facts.cpus = Some(cx.cpu(cpus.0)?);
    }
    Ok(())
}

/// What is not an event: `cpus=6` and `CPU:3 [LOST 20 EVENTS]` of `trace-cmd`, continuation lines.
fn other(line: &[u8], cx: &mut Cx<'_>) -> Result<(), Fault> {
    let line = skip(line);
    if let Some(cpus) = line.strip_prefix(b"cpus=").and_then(whole) {
        cx.facts.cpus = Some(cx.cpu(cpus)?);
    } else if let Some(lost) = lost(line) {
        let cpu = cx.cpu(lost.0)?;
        cx.lost(cpu, lost.1);
    } else if begins_like_an_event(line) {
        return Err("`NAME-PID [CPU] FLAGS SECONDS.FRACTION:` before the name of the event".into());
    }
    Ok(())
}

/// `CPU:3 [LOST 20 EVENTS]`, `CPU:3 [EVENTS DROPPED]`.
fn lost(line: &[u8]) -> Option<(u64, Option<u64>)> {
    let (cpu, rest) = number(line.strip_prefix(b"CPU:")?)?;
    let inside = skip(rest).strip_prefix(b"[")?;
    if let Some(count) = inside.strip_prefix(b"LOST ") {
        return Some((cpu, number(count).map(|n| n.0)));
    }
    inside.starts_with(b"EVENTS DROPPED").then_some((cpu, None))
}

/// Whether a line names an event of ours behind a time that cannot be read.
fn begins_like_an_event(line: &[u8]) -> bool {
    find(line, b": sched_switch:").is_some()
}

#[cfg(test)]
mod tests;
