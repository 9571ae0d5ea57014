//! KTR of FreeBSD: what `ktrdump -ct` prints of `KTR_SCHED`, and what the DTrace script of schedgraph prints.
//!
//! | form | columns | time |
//! |---|---|---|
//! | `ktrdump` | index, CPU, time, text; the newest row first | cycles. The points `statclock` come `stathz` times a second, so they tell how long a cycle is |
//! | DTrace | CPU, time, text | ns |
//!
//! The clocks of CPUs differ a little, so rows are put in order when all are there: until then they are kept, packed.
//! A thread has one row when it leaves a CPU and another has one when it comes; both together are a switch.

use crate::error::ImportError;
use crate::event::{Context, Event, IDLE, Kind, Pid, State};
use crate::read::{Cx, Fault, Layout};
use crate::scan::{LATEST, after, find, number, number_behind, signed, skip};
use std::collections::BTreeMap;

/// Most rows of a file. A kernel's buffer has some thousands, and ten million bytes have 80,000.
const MOST_ROWS: usize = 2_000_000;
/// Rows that are handed on in one go.
const PART: usize = 10_000;
/// A clock that differs from 1 GHz by less than this counts ns: times of ticks are whole cycles.
const SAME_CLOCK: u64 = 1_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Running,
    Added,
    Left(State),
    Tick,
}

/// A row, packed.
#[derive(Clone, Copy, Debug)]
struct Row {
    at: u64,
    pid: Pid,
    /// The waker, where one is told; the rate of ticks in a tick.
    linked: Option<Pid>,
    prio: i32,
    cpu: u16,
    what: What,
}

/// Where a thread is, as far as rows have told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    On(u16),
    Waits(u16),
    Away,
}

/// What a CPU does.
#[derive(Clone, Copy, Debug, Default)]
struct Cpu {
    current: Option<(Pid, i32)>,
    leaving: Option<(Pid, i32, State)>,
}

/// All rows, and then what they say.
#[derive(Debug, Default)]
pub(crate) struct Ktr {
    rows: Vec<Row>,
    /// Times are cycles: rows have an index in front.
    has_index: bool,
    /// How many rows were handed on, once the file has ended.
    done: Option<usize>,
    /// Cycles a second.
    rate: u64,
    cpus: Vec<Cpu>,
    places: BTreeMap<Pid, Place>,
    interrupts: Vec<Pid>,
}

/// A line's columns before `KTRGRAPH`: whether there is an index, CPU, time and what follows.
fn columns(line: &[u8]) -> Option<(bool, u64, u64, &[u8])> {
    let at = find(line, b"KTRGRAPH")?;
    let (first, rest) = number(skip(line))?;
    let (second, rest) = number(skip(rest))?;
    let text = skip(&line[at + b"KTRGRAPH".len()..]);
    match number(skip(rest)) {
        Some((third, _)) => Some((true, second, third, text)),
        None => Some((false, first, second, text)),
    }
}

/// Whether a line is one of KTR's.
pub(crate) fn is_line(line: &[u8]) -> bool {
    columns(line).is_some()
}

/// `NAME tid N` as name and number.
fn thread(text: &[u8]) -> Option<(&[u8], Pid)> {
    let (before, tid) = number_behind(text)?;
    Some((before.strip_suffix(b" tid ")?, Pid::try_from(tid).ok()?))
}

/// What stands in quotes behind a field.
fn quoted<'a>(text: &'a [u8], field: &[u8]) -> Option<&'a [u8]> {
    let inside = after(text, field)?;
    Some(&inside[..memchr::memchr(b'"', inside)?])
}

/// Whether a thread is what runs on an idle CPU.
fn is_idle(name: &[u8]) -> bool {
    name.starts_with(b"idle: cpu") || after(name, b"/idle: cpu").is_some() || name == b"idle/idle"
}

/// Whether a thread serves interrupts: what it wakes was woken by a device or a clock.
fn serves_interrupts(name: &[u8]) -> bool {
    name.starts_with(b"intr/") || name.starts_with(b"swi") || name.starts_with(b"irq")
}

impl Ktr {
    fn see(&mut self, name: &[u8], tid: Pid, cx: &mut Cx<'_>) -> Pid {
        if is_idle(name) {
            return IDLE;
        }
        cx.names.see(tid, name);
        if serves_interrupts(name) && !self.interrupts.contains(&tid) {
            self.interrupts.push(tid);
        }
        tid
    }

    fn row(&mut self, text: &[u8], cx: &mut Cx<'_>) -> Result<Option<Row>, Fault> {
        if !text.starts_with(b"group:\"thread\"") {
            return Ok(None);
        }
        let expected = "`id:\"NAME tid N\"` behind group:\"thread\"";
        let id = quoted(text, b"id:\"").ok_or(expected)?;
        let (name, tid) = thread(id).ok_or(expected)?;
        let rest = after(text, b"attributes: ").unwrap_or(b"");
        let point = quoted(text, b"point:\"");
        let state = quoted(text, b"state:\"");
        let what = match (state, point) {
            (Some(b"running"), _) => What::Running,
            (Some(b"runq add"), _) => What::Added,
            (Some(b"runq rem" | b"loaned"), _) => return Ok(None),
            (Some(state), _) => What::Left(left(state)),
            (None, Some(b"statclock")) => What::Tick,
            (None, Some(_)) => return Ok(None),
            (None, None) => return Err("`state:\"…\"` or `point:\"…\"` behind the thread".into()),
        };
        let linked = if what == What::Tick {
            let hz = after(rest, b"stathz:").and_then(number);
            hz.and_then(|(hz, _)| u32::try_from(hz).ok())
        } else {
            let waker = quoted(rest, b"linkedto:\"").and_then(thread);
            waker.map(|(name, tid)| self.see(name, tid, cx))
        };
        Ok(Some(Row {
            at: 0,
            pid: self.see(name, tid, cx),
            linked,
            prio: after(rest, b"prio:").and_then(signed).map_or(0, |p| p.0),
            cpu: 0,
            what,
        }))
    }

    /// Puts rows in order, and finds how long a cycle is.
    fn prepare(&mut self) -> Result<(), Fault> {
        if let [first, .., last] = self.rows[..]
            && first.at > last.at
        {
            self.rows.reverse();
        }
        self.rows.sort_by_key(|row| row.at);
        self.rate = if self.has_index {
            self.rate()?
        } else {
            1_000_000_000
        };
        Ok(())
    }

    /// Cycles a second, from the ticks of one CPU. Ticks of an idle CPU may be left out.
    fn rate(&self) -> Result<u64, Fault> {
        let unknown = || {
            let text = "no two points `statclock` with `stathz` of one CPU say how long a cycle is";
            let remedy = "Record KTR_SCHED for longer, or use the DTrace form (`tools/sched/schedgraph.d`), whose times are ns";
            Fault::Trace(Box::new(ImportError::new(text).remedy(remedy)))
        };
        let mut ticks: BTreeMap<u16, Vec<u64>> = BTreeMap::new();
        let mut hz = 0;
        for row in self.rows.iter().filter(|row| row.what == What::Tick) {
            ticks.entry(row.cpu).or_default().push(row.at);
            hz = row.linked.map_or(hz, u64::from);
        }
        let most = ticks.into_values().max_by_key(Vec::len).unwrap_or_default();
        let mut steps: Vec<u64> = most.windows(2).map(|pair| pair[1] - pair[0]).collect();
        steps.retain(|step| *step > 0);
        steps.sort_unstable();
        // What is left out makes steps longer, never shorter.
        let tick = *steps.get(steps.len() / 4).ok_or_else(unknown)?;
        let count: u64 = steps.iter().map(|step| (step + tick / 2) / tick).sum();
        let span = u128::from(steps.iter().sum::<u64>());
        let rate = span * u128::from(hz) / u128::from(count.max(1));
        let rate = u64::try_from(rate).ok().filter(|rate| *rate > 0);
        let rate = rate.ok_or_else(unknown)?;
        Ok(if rate.abs_diff(1_000_000_000) < SAME_CLOCK {
            1_000_000_000
        } else {
            rate
        })
    }

    fn ns(&self, at: u64) -> u64 {
        let ns = u128::from(at) * 1_000_000_000 / u128::from(self.rate.max(1));
        u64::try_from(ns).map_or(LATEST, |ns| ns.min(LATEST))
    }

    fn tell(&mut self, row: Row, cx: &mut Cx<'_>) {
        let at = self.ns(row.at);
        let i = usize::from(row.cpu);
        if self.cpus.len() <= i {
            self.cpus.resize(i + 1, Cpu::default());
        }
        let mut cpu = self.cpus[i];
        let place = self.places.get(&row.pid).copied();
        let is_current = cpu.current.is_some_and(|(pid, _)| pid == row.pid);
        let mut emit = |context: Context, kind: Kind| {
            cx.emit(Event {
                at,
                cpu: row.cpu,
                context,
                kind,
            });
        };
        let plain = |pid| Context { pid, irq: None };
        match row.what {
            What::Tick => {}
            What::Left(state) => {
                cpu.leaving = Some((row.pid, row.prio, state));
                self.places.insert(row.pid, Place::Away);
                if state == State::Ended {
                    emit(plain(row.pid), Kind::Exit { pid: row.pid });
                }
            }
            What::Added if is_current && cpu.leaving.is_none() => {
                cpu.leaving = Some((row.pid, row.prio, State::Preempted));
                self.places.insert(row.pid, Place::Waits(row.cpu));
            }
            // Told again after it left of itself: it gave way.
            What::Added if cpu.leaving.is_some_and(|(pid, ..)| pid == row.pid) => {
                cpu.leaving = Some((row.pid, row.prio, State::Yields));
                self.places.insert(row.pid, Place::Waits(row.cpu));
            }
            What::Added => {
                let by = row.linked.or(cpu.current.map(|c| c.0)).unwrap_or(IDLE);
                let irq = self.interrupts.contains(&by).then_some(true);
                let context = Context { pid: by, irq };
                let (pid, prio, target) = (row.pid, row.prio, Some(row.cpu));
                match place {
                    Some(Place::Waits(from) | Place::On(from)) => {
                        let to = row.cpu;
                        if from != to {
                            emit(context, Kind::Migrate { pid, from, to });
                        }
                    }
                    _ => emit(context, Kind::Waking { pid, prio, target }),
                }
                self.places.insert(row.pid, Place::Waits(row.cpu));
            }
            What::Running => {
                // Where the row of who left is missing, it is whoever was there.
                let (prev, prev_prio, prev_state) = cpu.leaving.take().unwrap_or_else(|| {
                    let (pid, prio) = cpu.current.unwrap_or((IDLE, 0));
                    (pid, prio, State::Runnable)
                });
                let (next, next_prio) = (row.pid, row.prio);
                if prev != next || cpu.current.is_none() {
                    let kind = Kind::Switch {
                        prev,
                        prev_prio,
                        prev_state,
                        next,
                        next_prio,
                    };
                    emit(plain(prev), kind);
                }
                cpu.current = Some((row.pid, row.prio));
                self.places.insert(row.pid, Place::On(row.cpu));
            }
        }
        self.cpus[i] = cpu;
    }
}

/// What a thread does that leaves, in the words of FreeBSD.
fn left(state: &[u8]) -> State {
    match state {
        b"yielding" => State::Yields,
        b"sleep" | b"idle" | b"iwait" => State::Sleeping,
        b"blocked" => State::Blocked,
        b"suspended" | b"swapped" => State::Stopped,
        b"exit" | b"proc exit" => State::Ended,
        _ => State::Other,
    }
}

impl Layout for Ktr {
    fn line(&mut self, line: &[u8], cx: &mut Cx<'_>) -> Result<(), Fault> {
        let Some((has_index, cpu, at, text)) = columns(line) else {
            let is_ours = after(line, b"KTRGRAPH group:\"thread\"").is_some();
            let wrong = "`[INDEX] CPU TIME KTRGRAPH` at the beginning";
            return if is_ours { Err(wrong.into()) } else { Ok(()) };
        };
        let cpu = cx.cpu(cpu)?;
        self.has_index = has_index;
        let Some(row) = self.row(text, cx)? else {
            return Ok(());
        };
        if self.rows.len() == MOST_ROWS {
            return Err(Fault::Trace(Box::new(
                ImportError::new(format!("more than {MOST_ROWS} rows of KTR"))
                    .remedy("Record a shorter time, with KTR_SCHED alone (`sysctl debug.ktr.mask=0x20000000`)"),
            )));
        }
        // Only so that a switch is seen within ten million bytes.
        if row.what == What::Running {
            cx.facts.switches = 1;
        }
        self.rows.push(Row { at, cpu, ..row });
        Ok(())
    }

    fn end(&mut self, cx: &mut Cx<'_>) -> Result<bool, Fault> {
        let done = match self.done {
            Some(done) => done,
            None => {
                cx.facts.switches = 0;
                self.prepare()?;
                0
            }
        };
        let until = (done + PART).min(self.rows.len());
        for i in done..until {
            self.tell(self.rows[i], cx);
        }
        self.done = Some(until);
        Ok(until < self.rows.len())
    }
}

#[cfg(test)]
mod tests;
