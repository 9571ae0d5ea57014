//! What stands behind the name of a scheduling event of Linux: the kernel's long form (`prev_comm=… prev_pid=…`) and the
//! short one of `trace-cmd` and older `perf` (`comm:pid [prio] S ==> …`).
//!
//! A name may hold spaces, signs and whole words that look like fields. So a name ends only where everything behind it
//! can be read, too.

use crate::event::{Kind, Pid, State};
use crate::names::Names;
use crate::scan::{
    after, find, find_all, number, number_behind, signed, skip, trim_end, whole, word,
};

/// What a line that is about scheduling should have had.
pub(crate) type Expected = &'static str;

/// The event of a line that this crate reads, without its system.
pub(crate) fn ours(line: &[u8]) -> Option<&[u8]> {
    let systems: [&[u8]; 3] = [b"sched:", b"task:", b"syscalls:"];
    let inside = systems.iter().find_map(|s| line.strip_prefix(*s));
    let plain = inside.unwrap_or(line);
    let starts: [&[u8]; 3] = [b"sched_", b"task_rename:", b"sys_"];
    starts.iter().any(|s| plain.starts_with(s)).then_some(plain)
}

/// Reads an event of [`ours`]; `pid` is who was on the CPU.
pub(crate) fn event(line: &[u8], pid: Pid, names: &mut Names) -> Result<Option<Kind>, Expected> {
    if line.starts_with(b"sys_") {
        return Ok(yields(line).map(|returns| Kind::Yield { pid, returns }));
    }
    let Some(end) = memchr::memchr(b':', line) else {
        return Ok(None);
    };
    read(&line[..end], &line[end + 1..], names)
}

/// Whether a line of a system call is about `sched_yield`, and then whether the thread comes back: as the file `trace` of
/// tracefs has it, and as other programs do.
fn yields(line: &[u8]) -> Option<bool> {
    if let Some(rest) = line.strip_prefix(b"sys_sched_yield") {
        return match skip(rest) {
            rest if rest.starts_with(b"->") => Some(true),
            rest if rest.starts_with(b"(") => Some(false),
            _ => None,
        };
    }
    let (name, _) = word(line);
    match name.strip_suffix(b":")? {
        b"sys_enter_sched_yield" => Some(false),
        b"sys_exit_sched_yield" => Some(true),
        _ => None,
    }
}

/// Reads an event by its name. Nothing for an event that is not about scheduling, or not needed.
fn read(event: &[u8], payload: &[u8], names: &mut Names) -> Result<Option<Kind>, Expected> {
    let payload = trim_end(skip(payload));
    let kind = match event {
        b"sched_switch" => switch(payload, names)?,
        b"sched_waking" => {
            let (pid, prio, target) = woken(payload, names)?;
            Kind::Waking { pid, prio, target }
        }
        b"sched_wakeup" => {
            let (pid, prio, target) = woken(payload, names)?;
            Kind::Wakeup {
                pid,
                prio,
                target,
                twin: false,
            }
        }
        b"sched_wakeup_new" => {
            let (pid, prio, target) = woken(payload, names)?;
            Kind::WakeupNew { pid, prio, target }
        }
        b"sched_migrate_task" => migrate(payload, names)?,
        b"sched_process_fork" => fork(payload, names)?,
        b"sched_process_exec" => exec(payload)?,
        b"sched_process_exit" => Kind::Exit {
            pid: named(
                payload,
                names,
                "`comm=NAME pid=N` behind sched_process_exit",
            )?
            .0,
        },
        b"task_rename" => rename(payload, names)?,
        b"sched_stat_runtime" => {
            let expected = "`comm=NAME pid=N runtime=N [ns]` behind sched_stat_runtime";
            let (pid, rest) = named(payload, names, expected)?;
            let ns = after(rest, b"runtime=").and_then(number);
            Kind::Runtime {
                pid,
                ns: ns.ok_or(expected)?.0,
            }
        }
        _ => return Ok(None),
    };
    Ok(Some(kind))
}

fn switch(payload: &[u8], names: &mut Names) -> Result<Kind, Expected> {
    let long = payload.starts_with(b"prev_comm=");
    let ((prev, prev_prio, prev_state), (next, next_prio)) = if long {
        long_switch(payload, names)
            .ok_or("`prev_comm= prev_pid= prev_prio= prev_state= ==> next_comm= next_pid= next_prio=` behind sched_switch")?
    } else {
        short_switch(payload, names)
            .ok_or("`NAME:PID [PRIO] STATE ==> NAME:PID [PRIO]` behind sched_switch")?
    };
    Ok(Kind::Switch {
        prev,
        prev_prio,
        prev_state,
        next,
        next_prio,
    })
}

/// Who leaves, with priority and state.
type Leaving = (Pid, i32, State);
/// Who leaves, and who comes with which priority.
type Sides = (Leaving, (Pid, i32));

fn long_switch(payload: &[u8], names: &mut Names) -> Option<Sides> {
    let text = payload.strip_prefix(b"prev_comm=")?;
    for at in find_all(text, b" prev_pid=") {
        let Some((prev, next_text)) = leaving(&text[at..]) else {
            continue;
        };
        for end in find_all(next_text, b" next_pid=") {
            let Some(next) = coming(&next_text[end..]) else {
                continue;
            };
            names.see(prev.0, &text[..at]);
            names.see(next.0, &next_text[..end]);
            return Some((prev, next));
        }
    }
    None
}

/// ` prev_pid=… prev_prio=… prev_state=… ==> next_comm=`, and what follows. Raw text of `trace-cmd report -R` has no arrow.
fn leaving(text: &[u8]) -> Option<(Leaving, &[u8])> {
    let (pid, rest) = number(text.strip_prefix(b" prev_pid=")?)?;
    let (prio, rest) = signed(rest.strip_prefix(b" prev_prio=")?)?;
    let (letters, rest) = word(rest.strip_prefix(b" prev_state=")?);
    let rest = rest.strip_prefix(b" ==>").unwrap_or(rest);
    let rest = rest.strip_prefix(b" next_comm=")?;
    Some(((Pid::try_from(pid).ok()?, prio, state(letters)?), rest))
}

fn coming(text: &[u8]) -> Option<(Pid, i32)> {
    let (pid, rest) = number(text.strip_prefix(b" next_pid=")?)?;
    let (prio, rest) = signed(rest.strip_prefix(b" next_prio=")?)?;
    let ends = rest.is_empty() || rest.starts_with(b" ");
    ends.then_some((Pid::try_from(pid).ok()?, prio))
}

fn short_switch(payload: &[u8], names: &mut Names) -> Option<Sides> {
    for at in find_all(payload, b" ==>") {
        let (left, right) = (&payload[..at], &payload[at + 4..]);
        let left = trim_end(left);
        let Some(begin) = left.iter().rposition(|b| *b == b' ') else {
            continue;
        };
        let (Some(prev), Some(prev_state)) = (short(&left[..begin]), state(&left[begin + 1..]))
        else {
            continue;
        };
        if let Some(next) = short(right) {
            names.see(prev.1, prev.0);
            names.see(next.1, next.0);
            return Some(((prev.1, prev.2, prev_state), (next.1, next.2)));
        }
    }
    None
}

/// `name:pid [prio]` as name, number and priority.
fn short(text: &[u8]) -> Option<(&[u8], Pid, i32)> {
    let text = trim_end(text).strip_suffix(b"]")?;
    let open = text.iter().rposition(|b| *b == b'[')?;
    let (prio, rest) = signed(&text[open + 1..])?;
    let (name, pid) = number_behind(trim_end(&text[..open]))?;
    let name = name.strip_suffix(b":")?;
    rest.is_empty()
        .then_some((skip(name), Pid::try_from(pid).ok()?, prio))
}

/// A wake-up: who, its priority, and the CPU.
fn woken(payload: &[u8], names: &mut Names) -> Result<(Pid, i32, Option<u16>), Expected> {
    if payload.starts_with(b"comm=") {
        let expected = "`comm=NAME pid=N prio=N target_cpu=N` behind a wake-up";
        let (pid, rest) = named(payload, names, expected)?;
        let (prio, rest) = rest
            .strip_prefix(b" prio=")
            .and_then(signed)
            .ok_or(expected)?;
        return Ok((pid, prio, cpu_behind(rest, b"target_cpu=")));
    }
    let expected = "`NAME:PID [PRIO] CPU:N` behind a wake-up";
    for at in memchr::memchr_iter(b']', payload) {
        if let Some((name, pid, prio)) = short(&payload[..=at]) {
            names.see(pid, name);
            return Ok((pid, prio, cpu_behind(&payload[at + 1..], b"CPU:")));
        }
    }
    Err(expected)
}

fn cpu_behind(text: &[u8], field: &[u8]) -> Option<u16> {
    whole(word(after(text, field)?).0)
}

/// `comm=NAME pid=N`, and what follows.
fn named<'a>(
    payload: &'a [u8],
    names: &mut Names,
    expected: Expected,
) -> Result<(Pid, &'a [u8]), Expected> {
    let text = payload.strip_prefix(b"comm=").ok_or(expected)?;
    let (name, pid, rest) = split_name(text, b" pid=").ok_or(expected)?;
    names.see(pid, name);
    Ok((pid, rest))
}

/// A name that ends before a field with a number.
fn split_name<'a>(text: &'a [u8], field: &[u8]) -> Option<(&'a [u8], Pid, &'a [u8])> {
    for at in find_all(text, field) {
        if let Some((pid, rest)) = number(&text[at + field.len()..])
            && (rest.is_empty() || rest.starts_with(b" "))
        {
            return Some((&text[..at], Pid::try_from(pid).ok()?, rest));
        }
    }
    None
}

fn migrate(payload: &[u8], names: &mut Names) -> Result<Kind, Expected> {
    let expected = "`comm=NAME pid=N prio=N orig_cpu=N dest_cpu=N` behind sched_migrate_task";
    let (pid, rest) = named(payload, names, expected)?;
    let from = cpu_behind(rest, b"orig_cpu=").ok_or(expected)?;
    let to = cpu_behind(rest, b"dest_cpu=").ok_or(expected)?;
    Ok(Kind::Migrate { pid, from, to })
}

fn fork(payload: &[u8], names: &mut Names) -> Result<Kind, Expected> {
    let expected = "`comm=NAME pid=N child_comm=NAME child_pid=N` behind sched_process_fork";
    let (parent, rest) = named(payload, names, expected)?;
    let rest = rest.strip_prefix(b" child_comm=").ok_or(expected)?;
    let (name, child, _) = split_name(rest, b" child_pid=").ok_or(expected)?;
    names.see(child, name);
    Ok(Kind::Fork { parent, child })
}

fn exec(payload: &[u8]) -> Result<Kind, Expected> {
    let expected = "`filename=NAME pid=N` behind sched_process_exec";
    let (_, pid, _) = split_name(payload, b" pid=").ok_or(expected)?;
    Ok(Kind::Exec { pid })
}

fn rename(payload: &[u8], names: &mut Names) -> Result<Kind, Expected> {
    let expected = "`pid=N oldcomm=NAME newcomm=NAME oom_score_adj=N` behind task_rename";
    let (pid, rest) = payload
        .strip_prefix(b"pid=")
        .and_then(number)
        .ok_or(expected)?;
    let pid = Pid::try_from(pid).map_err(|_| expected)?;
    let name = after(rest, b" newcomm=").ok_or(expected)?;
    let end = find(name, b" oom_score_adj=").unwrap_or(name.len());
    names.see(pid, &name[..end]);
    Ok(Kind::Rename { pid })
}

/// By which kernels say that a thread was preempted: 1024, 2048 and 4096 before Linux 4.14, then 256.
const PREEMPTED: [u64; 4] = [256, 1024, 2048, 4096];
/// `TASK_UNINTERRUPTIBLE | TASK_NOLOAD`: an idle thread of the kernel, in numbers that no mask has cut.
const IDLE_THREAD: u64 = 1026;

/// What the leaving thread does, from letters or from a number.
pub(crate) fn state(text: &[u8]) -> Option<State> {
    if text.first()?.is_ascii_digit() {
        let value: u64 = whole(text)?;
        return Some(match value {
            0 => State::Runnable,
            IDLE_THREAD => State::Idle,
            _ if PREEMPTED.contains(&value) => State::Preempted,
            _ if value & 1 != 0 => State::Sleeping,
            _ if value & 2 != 0 => State::Blocked,
            _ if value & (4 | 8) != 0 => State::Stopped,
            _ if value & (16 | 32) != 0 => State::Ended,
            // Old kernels end a thread with 64, later ones park it: an exit before it tells them apart.
            _ if value & 64 != 0 => State::Parked,
            _ if value & 128 != 0 => State::Idle,
            _ => State::Other,
        });
    }
    if text.len() > 16 {
        return None;
    }
    if text.ends_with(b"+") {
        return Some(State::Preempted);
    }
    Some(match text[0] {
        b'R' => State::Runnable,
        b'S' => State::Sleeping,
        b'D' => State::Blocked,
        b'T' | b't' => State::Stopped,
        b'X' | b'x' | b'Z' => State::Ended,
        b'P' => State::Parked,
        b'I' => State::Idle,
        b'K' | b'W' | b'N' | b'?' => State::Other,
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
