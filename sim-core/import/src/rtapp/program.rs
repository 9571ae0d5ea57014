//! Events of rt-app's threads as statements of a script.

use super::Note;
use super::text::{Is, Value};
use crate::error::ImportError;
use std::collections::BTreeMap;

/// Rounds of a loop that has no end but has others around or after it.
const FOR_EVER: u64 = 1_000_000_000;

/// Events of rt-app; an event's key begins with one of them, the first that fits.
const EVENTS: [&str; 20] = [
    "lock", "unlock", "wait", "signal", "broad", "sync", "sleep", "runtime", "run", "timer",
    "suspend", "resume", "memrun", "mem", "iorun", "yield", "barrier", "fork", "sem_post",
    "sem_wait",
];

/// The event that a key means: `run1` is `run`.
pub(super) fn event(key: &str) -> Option<&'static str> {
    EVENTS.into_iter().find(|event| key.starts_with(event))
}

/// Numbers of names, in the order in which they come first.
#[derive(Default)]
struct Numbers(BTreeMap<String, usize>);

impl Numbers {
    fn of(&mut self, name: &str) -> usize {
        let next = self.0.len();
        *self.0.entry(name.to_owned()).or_insert(next)
    }
}

/// What all threads of a program share, and what was left out.
#[derive(Default)]
pub(super) struct Shared {
    conditions: Numbers,
    locks: Numbers,
    /// Whether locks lend priority (`pi_enabled`).
    pub(super) locks_lend: bool,
    semaphores: Numbers,
    barriers: Numbers,
    /// How many threads meet at each barrier.
    meeting: BTreeMap<String, u64>,
    /// Timers that several threads name, by which thread did first.
    timers: BTreeMap<String, String>,
    pub(super) left_out: Vec<Note>,
    pub(super) remarks: Vec<Note>,
}

impl Shared {
    pub(super) fn new(meeting: BTreeMap<String, u64>) -> Self {
        Self {
            meeting,
            ..Self::default()
        }
    }

    /// The statement that takes a lock.
    fn lock(&mut self, name: &str) -> String {
        let number = self.locks.of(name);
        let lends = if self.locks_lend { " inherit" } else { "" };
        format!("lock {number}{lends}")
    }

    pub(super) fn leave_out(&mut self, at: &Value, text: impl Into<String>) {
        add(&mut self.left_out, at, text.into());
    }
}

fn add(notes: &mut Vec<Note>, at: &Value, text: String) {
    let line = at.line;
    let note = Note { line, text };
    if !notes.contains(&note) {
        notes.push(note);
    }
}

/// A thread object whose events are being read.
pub(super) struct Thread<'a> {
    pub(super) name: &'a str,
    /// How many threads have these events.
    pub(super) instances: u64,
    /// The program of each thread that this one or its children fork, from 1.
    pub(super) children: &'a [&'a str],
    /// Which timer uses a grid: threads have one grid for each period.
    grids: BTreeMap<(u64, bool), String>,
}

impl<'a> Thread<'a> {
    pub(super) fn new(name: &'a str, instances: u64, children: &'a [&'a str]) -> Self {
        Self {
            name,
            instances,
            children,
            grids: BTreeMap::new(),
        }
    }

    /// The program of a thread object.
    pub(super) fn program(
        &mut self,
        object: &Value,
        shared: &mut Shared,
    ) -> Result<String, ImportError> {
        let rounds = rounds(object, -1)?;
        let mut parts = Vec::new();
        if let Some(phases) = object.get("phases") {
            for (_, phase) in phases.entries() {
                let events = self.events(phase, shared)?;
                match self::rounds(phase, 1)? {
                    _ if events.is_empty() => {}
                    Some(1) => parts.push(events),
                    // Nothing comes after a phase without end.
                    None if rounds == Some(1) || rounds.is_none() => {
                        parts.push(endless(&events, &parts));
                        let all = parts.join("; ");
                        return Ok(all);
                    }
                    some => {
                        let n = some.unwrap_or(FOR_EVER);
                        parts.push(format!("loop {n} {{ {events} }}"));
                    }
                }
            }
        } else {
            parts.push(self.events(object, shared)?);
        }
        let body = parts.join("; ");
        Ok(match rounds {
            None => format!("{body}; repeat"),
            Some(1) => body,
            Some(n) => format!("loop {n} {{ {body} }}"),
        })
    }

    fn events(&mut self, object: &Value, shared: &mut Shared) -> Result<String, ImportError> {
        let mut statements = Vec::new();
        for (key, value) in object.entries() {
            let Some(event) = event(key) else { continue };
            if let Some(statement) = self.statement(key, event, value, shared)? {
                statements.push(statement);
            }
        }
        Ok(statements.join("; "))
    }

    fn statement(
        &mut self,
        key: &str,
        event: &str,
        value: &Value,
        shared: &mut Shared,
    ) -> Result<Option<String>, ImportError> {
        let named = || name(key, value);
        Ok(Some(match event {
            "run" | "sleep" => match time(key, value)? {
                0 => return Ok(None),
                us => format!("{event} {us}us"),
            },
            "runtime" => {
                shared.leave_out(
                    value,
                    format!("\"{key}\" takes this time however fast the CPU is; here it is work that takes it at full speed"),
                );
                match time(key, value)? {
                    0 => return Ok(None),
                    us => format!("run {us}us"),
                }
            }
            "timer" => self.timer(key, value, shared)?,
            "lock" => shared.lock(named()?),
            "unlock" => format!("unlock {}", shared.locks.of(named()?)),
            "signal" => format!("signal {}", shared.conditions.of(named()?)),
            "broad" => format!("broadcast {}", shared.conditions.of(named()?)),
            "resume" => format!("broadcast {}", shared.conditions.of(named()?)),
            "suspend" => {
                if let Some(other) = value
                    .text()
                    .filter(|other| !["", self.name].contains(other))
                {
                    let text = format!(
                        "\"{key}\" names \"{other}\", which rt-app ignores: \"{}\" sleeps until that name is resumed",
                        self.name
                    );
                    add(&mut shared.remarks, value, text);
                }
                format!("wait on {}", shared.conditions.of(self.name))
            }
            "wait" => {
                let (condition, lock) = condition(key, value)?;
                let condition = shared.conditions.of(condition);
                let taken = shared.lock(lock);
                let lock = shared.locks.of(lock);
                format!("unlock {lock}; wait on {condition}; {taken}")
            }
            // What it does is a signal and a wait, by a thread that holds the lock.
            "sync" => {
                let (condition, lock) = condition(key, value)?;
                let condition = shared.conditions.of(condition);
                let taken = shared.lock(lock);
                let lock = shared.locks.of(lock);
                format!("signal {condition}; unlock {lock}; wait on {condition}; {taken}")
            }
            "barrier" => {
                let barrier = named()?;
                let threads = shared.meeting.get(barrier).copied().unwrap_or(1);
                format!("barrier {} of {threads}", shared.barriers.of(barrier))
            }
            "sem_post" => format!("post {}", shared.semaphores.of(named()?)),
            "sem_wait" => format!("take {}", shared.semaphores.of(named()?)),
            "yield" => "yield".to_owned(),
            "fork" => {
                let child = named()?;
                let number = self.children.iter().position(|c| *c == child);
                let Some(number) = number else {
                    return Err(value.wrong(format!(
                        "\"{key}\" names \"{child}\", which is none of the tasks"
                    )));
                };
                format!("fork {}", number + 1)
            }
            // How long memory and devices take is not in the program.
            _ => {
                shared.leave_out(
                    value,
                    format!("\"{key}\" is left out: how long it takes depends on the machine's memory or device"),
                );
                return Ok(None);
            }
        }))
    }

    fn timer(
        &mut self,
        key: &str,
        value: &Value,
        shared: &mut Shared,
    ) -> Result<String, ImportError> {
        let reference = value.get("ref").and_then(Value::text).unwrap_or("unique");
        let Some(period) = value.get("period") else {
            return Err(value.wrong(format!("\"{key}\" needs a \"period\" in microseconds")));
        };
        let us = time("period", period)?;
        if us == 0 {
            return Err(period.wrong("\"period\" must be at least 1 microsecond"));
        }
        let mode = value.get("mode").and_then(Value::text);
        let absolute = mode.is_some_and(|mode| mode.starts_with("absolute"));
        if !reference.starts_with("unique") {
            let first = shared.timers.entry(reference.to_owned());
            let first = first.or_insert_with(|| self.name.to_owned());
            if first != self.name || self.instances > 1 {
                shared.leave_out(
                    value,
                    format!("threads share the timer \"{reference}\"; here each has its own"),
                );
            }
        }
        let grid = self.grids.entry((us, absolute));
        if grid.or_insert_with(|| reference.to_owned()) != reference {
            shared.leave_out(
                value,
                format!(
                    "\"{}\" has two timers of {us} microseconds; here they are one",
                    self.name
                ),
            );
        }
        if self
            .grids
            .iter()
            .any(|(at, of)| of == reference && *at != (us, absolute))
        {
            shared.leave_out(
                value,
                format!("the timer \"{reference}\" has several periods; here each period has a timer of its own"),
            );
        }
        Ok(if absolute {
            format!("every {us}us")
        } else {
            format!("every {us}us anew")
        })
    }
}

/// Events that repeat without end: `repeat` begins at the top, so with others before them they become a loop.
fn endless(events: &str, before: &[String]) -> String {
    if before.is_empty() {
        format!("{events}; repeat")
    } else {
        format!("loop {FOR_EVER} {{ {events} }}")
    }
}

/// Rounds of an object; `None` for those without end.
fn rounds(object: &Value, usual: i64) -> Result<Option<u64>, ImportError> {
    let Some(value) = object.get("loop") else {
        return Ok(u64::try_from(usual).ok());
    };
    match value.whole() {
        Some(-1) => Ok(None),
        Some(n) if (1..=1_000_000_000).contains(&n) => Ok(Some(n.unsigned_abs())),
        _ => Err(value.wrong("\"loop\" must be -1, or from 1 to 1000000000")),
    }
}

/// A time in microseconds.
fn time(key: &str, value: &Value) -> Result<u64, ImportError> {
    value
        .whole()
        .and_then(|n| u64::try_from(n).ok())
        .filter(|n| *n <= 14_400_000_000)
        .ok_or_else(|| {
            value.wrong(format!(
                "\"{key}\" must be a whole number of microseconds, 0 to 14400000000"
            ))
        })
}

fn name<'v>(key: &str, value: &'v Value) -> Result<&'v str, ImportError> {
    value
        .text()
        .ok_or_else(|| value.wrong(format!("\"{key}\" must be a name in quotes")))
}

/// The condition and the lock of `wait` and `sync`.
fn condition<'v>(key: &str, value: &'v Value) -> Result<(&'v str, &'v str), ImportError> {
    if !matches!(value.is, Is::Object(_)) {
        return Err(value.wrong(format!("\"{key}\" must have a \"ref\" and a \"mutex\"")));
    }
    let part = |id: &str| {
        value
            .get(id)
            .and_then(Value::text)
            .ok_or_else(|| value.wrong(format!("\"{key}\" needs a \"{id}\", a name in quotes")))
    };
    Ok((part("ref")?, part("mutex")?))
}
