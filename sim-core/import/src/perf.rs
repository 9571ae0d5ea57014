//! Text of `perf script` and `perf sched script`: `NAME PID [CPU] SECONDS.FRACTION: EVENT: PAYLOAD`.
//!
//! A process may stand before the thread (`12/34`), a period before the event. Lines of call stacks follow an event and
//! are passed over. perf does not say whether an interrupt woke a thread.

use crate::event::{Context, Event, Pid};
use crate::payload;
use crate::read::{Cx, Fault, Layout};
use crate::scan::{after, number, number_behind, skip, time, trim_end, whole, word};

/// Columns before the name of the event.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Head<'a> {
    name: &'a [u8],
    pid: Pid,
    process: Option<Pid>,
    cpu: u64,
    at: u64,
    /// Name of the event and payload.
    rest: &'a [u8],
}

/// Reads the columns of a line, if it has them.
pub(crate) fn head(line: &[u8]) -> Option<Head<'_>> {
    for open in memchr::memchr_iter(b'[', line) {
        if let Some((cpu, right)) = number(&line[open + 1..])
            && let Some(right) = right.strip_prefix(b"]")
            && let (stamp, rest) = word(skip(right))
            && let Some((at, b":")) = time(stamp)
            && let Some((name, pid, process)) = left_side(&line[..open])
        {
            return Some(Head {
                name,
                pid,
                process,
                cpu,
                at,
                rest: event(skip(rest)),
            });
        }
    }
    None
}

/// Name, thread and process.
fn left_side(text: &[u8]) -> Option<(&[u8], Pid, Option<Pid>)> {
    let (mut before, pid) = number_behind(trim_end(text))?;
    let pid = Pid::try_from(pid).ok()?;
    let mut process = None;
    if let Some(slash) = before.strip_suffix(b"/")
        && let Some((name, number)) = number_behind(slash)
    {
        process = Some(Pid::try_from(number).ok()?);
        before = name;
    }
    let is_apart = before.last().is_some_and(u8::is_ascii_whitespace);
    is_apart.then(|| (trim_end(skip(before)), pid, process))
}

/// Without the period before the event.
fn event(text: &[u8]) -> &[u8] {
    match number(text) {
        Some((_, rest)) if rest.starts_with(b" ") => skip(rest),
        _ => text,
    }
}

/// Whether a line is one of perf's about scheduling.
pub(crate) fn is_line(line: &[u8]) -> bool {
    head(line).is_some_and(|head| payload::ours(head.rest).is_some())
}

/// The layout of a file, which has no state of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Perf;

impl Layout for Perf {
    fn line(&mut self, line: &[u8], cx: &mut Cx<'_>) -> Result<(), Fault> {
        let Some(head) = head(line) else {
            return other(line, cx);
        };
        let cpu = cx.cpu(head.cpu)?;
        if let Some(lost) = lost(head.rest) {
            cx.lost(cpu, lost);
            return Ok(());
        }
        let Some(event) = payload::ours(head.rest) else {
            return Ok(());
        };
        cx.names.see(head.pid, head.name);
        if let Some(process) = head.process {
            cx.names.belongs(head.pid, process);
        }
        if let Some(kind) = payload::event(event, head.pid, cx.names)? {
            let context = Context {
                pid: head.pid,
                irq: None,
            };
            cx.emit(Event {
                at: head.at,
                cpu,
                context,
                kind,
            });
        }
        Ok(())
    }
}

/// `LOST 20 events`, `PERF_RECORD_LOST lost 20`.
fn lost(text: &[u8]) -> Option<Option<u64>> {
    if let Some(count) = after(text, b"PERF_RECORD_LOST") {
        return Some(after(count, b"lost ").and_then(number).map(|n| n.0));
    }
    let (count, rest) = number(text.strip_prefix(b"LOST ")?)?;
    skip(rest).starts_with(b"events").then_some(Some(count))
}

/// `# nrcpus online : 8` of a header, losses, and events without a CPU.
fn other(line: &[u8], cx: &mut Cx<'_>) -> Result<(), Fault> {
    let text = skip(line);
    if let Some(cpus) = text.strip_prefix(b"# nrcpus online : ").and_then(whole) {
        cx.facts.cpus = Some(cx.cpu(cpus)?);
    } else if let Some(lost) = lost(text) {
        cx.lost(0, lost);
    } else if after(text, b"sched:sched_switch: ").is_some() {
        return Err("`NAME PID [CPU] SECONDS.FRACTION:` before the name of the event".into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_all_layouts() {
        for (line, name, process) in [
            (
                "  tsw-b    9341 [000]  1165.178852:       sched:sched_switch: x",
                "tsw-b",
                None,
            ),
            (
                "  Web Content    9341 [000]  1165.178852:  1 sched:sched_switch: x",
                "Web Content",
                None,
            ),
            (
                "a 12 [1] b  9000/9341  [000]  1165.178852000: sched:sched_switch: x",
                "a 12 [1] b",
                Some(9000),
            ),
        ] {
            let head = head(line.as_bytes()).expect(line);
            assert_eq!(
                (head.name, head.process),
                (name.as_bytes(), process),
                "{line}"
            );
            assert_eq!(
                (head.pid, head.cpu, head.at),
                (9341, 0, 1_165_178_852_000),
                "{line}"
            );
            assert_eq!(
                payload::ours(head.rest),
                Some(&b"sched_switch: x"[..]),
                "{line}"
            );
        }
        assert_eq!(head(b"  a-1 [000] 1.0: sched_switch: x"), None);
    }
}
