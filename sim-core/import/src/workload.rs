//! The reconstructed workload: what threads of a trace would do on any machine, and a file of it (`.tsw`).
//!
//! A thread's life is its bursts. How long it ran between two blocks is its own; how long it waited for a CPU is the
//! scheduler's, and is left out. What woke it is either a time or a place in another thread's life.
//!
//! The file is a line that says what it is, a line of JSON ([`Header`]), and the bursts of each thread, packed.

use crate::burst::{Burst, Point, Then, pack, unpack};
use crate::error::ImportError;
use crate::event::Pid;
use crate::lane::{Lane, Thread};
use crate::names::Names;
use crate::others::{self, OTHERS};
use crate::read::Facts;
use serde::{Deserialize, Serialize};
use sim_ground::text::unreadable;
use std::collections::{BTreeMap, BTreeSet};
/// Threads that stay as they are: those with most CPU time. All others are left out.
pub const MOST_THREADS: usize = 200;
/// A thread of which more than one part in so many of its time is unknown is left out: its CPU time could be further off
/// than a close comparison allows.
const MOST_UNKNOWN: u64 = 50;
/// Largest file, in bytes.
pub const MOST_BYTES: usize = 16 << 20;
/// What the file begins with.
pub const MAGIC: &[u8] = b"timeslice-workload 1\n";
/// Runs on few CPUs from which a hint is made.
const HINT_RUNS: u64 = 20;
/// Priorities of Linux from which nice values begin, and that of nice 0.
const FIRST_NICE: i32 = 100;
const NICE_ZERO: i32 = 120;

/// What a file says before its bursts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Header {
    /// Format of the trace.
    pub source: String,
    /// Number of CPUs, from the header of the trace or the highest that was seen.
    pub cpus: u16,
    /// Length of the trace in ns.
    pub span_ns: u64,
    /// Whether names of threads and programs were replaced.
    pub names_replaced: bool,
    /// Threads by CPU time, the longest first.
    pub threads: Vec<Member>,
    /// All other threads together.
    pub rest: Option<Rest>,
    /// What the trace cannot tell, in sentences.
    pub hints: Vec<String>,
}

/// A thread of the workload.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Its program: the threads of a process, or those whose names differ in digits.
    pub group: String,
    /// Its nice value, if the trace tells it.
    pub nice: Option<i32>,
    /// Its priority above all ordinary threads, if it has one: 0 to 99.
    pub real_time: Option<i32>,
    /// The CPU to which it is bound.
    pub bound: Option<u16>,
    /// From when on it may use only some CPUs, because others had the rest: ns from the beginning, and the CPUs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept_to: Option<(u64, Vec<u16>)>,
    /// When the trace first tells of it, in ns from the beginning.
    pub begins_ns: u64,
    /// Where another thread began it: thread, burst and ns of that burst.
    pub begun_by: Option<(u32, u64, u64)>,
    /// CPU time in ns.
    pub cpu_ns: u64,
    /// Number of bursts, and how many bytes they take.
    pub bursts: u64,
    /// Bytes of its bursts in the file.
    pub bytes: u64,
    /// What it ran after its last burst, in ns.
    pub open_run_ns: u64,
    /// Whether nothing says that it would have gone on running when the trace ended.
    #[serde(default)]
    pub ends_asleep: bool,
    /// The period of its wake-ups in ns, if they have one.
    pub period_ns: Option<u64>,
    /// What may be true of it and is not told.
    pub hints: Vec<String>,
    /// Whether it is no thread, but the time of its CPU in which others had it, or of which nothing is known.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_others: bool,
}

/// The threads that were left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Rest {
    /// How many.
    pub threads: u64,
    /// Their CPU time in ns.
    pub cpu_ns: u64,
    /// Their part of all CPU time, in ten-thousandths.
    pub share: u64,
}

/// A workload: a header and the bursts of each of its threads. In them a point names a thread by its place in the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workload {
    /// Threads and what is known of them.
    pub header: Header,
    /// The bursts of each thread, packed.
    pub bursts: Vec<Vec<u8>>,
}

impl Workload {
    /// Reconstructs the workload of a trace. With `replace`, nobody learns from it what programs were called.
    #[must_use]
    pub fn new(lane: &Lane, names: &Names, facts: &Facts, replace: bool) -> Self {
        let (order, others) = by_time(lane);
        let all = lane.threads().values();
        let total: u128 = all.map(|thread| u128::from(thread.ran)).sum();
        let places: BTreeMap<Pid, u32> = (0..).zip(&order).map(|(i, (pid, _))| (*pid, i)).collect();
        let known: BTreeSet<Pid> = places.keys().copied().collect();
        let stays = others::bound(lane, &known);
        let mut kept_there = Vec::new();
        let (begin, end) = lane.span();
        let is_linux = facts.format != Some(crate::detect::Format::Ktr);
        let mut bursts = Vec::new();
        let mut groups = Groups::default();
        let mut threads = Vec::new();
        for (pid, thread) in &order {
            let packed = among(thread, &places);
            let (name, group) = groups.name(*pid, names, replace);
            let mut member = Member {
                name,
                group,
                bound: bound(names.of(*pid)).filter(|_| is_linux),
                begins_ns: thread.first.saturating_sub(begin),
                begun_by: thread
                    .bursts
                    .begun_by()
                    .and_then(|p| Some((*places.get(&p.pid)?, p.burst, p.after))),
                cpu_ns: thread.ran,
                bursts: thread.bursts.count(),
                bytes: packed.len() as u64,
                open_run_ns: thread.bursts.open_run(),
                ends_asleep: thread.is_asleep(),
                period_ns: thread.bursts.period(),
                ..Member::default()
            };
            class(&mut member, thread.prio.filter(|_| is_linux));
            if let (Some((cpu, ns)), None) = (stays.get(pid), member.bound) {
                member.bound = Some(*cpu);
                kept_there.push((member.name.clone(), *cpu, *ns));
            }
            member.hints.extend(stayed(thread, &member, facts));
            threads.push(member);
            bursts.push(packed);
        }
        let all_others = others::others(lane, &known, cpus(facts));
        let taken = all_others.iter().filter(|o| others::took(o, end - begin));
        let taken: BTreeSet<u16> = taken.map(|others| others.cpu).collect();
        keep_off(&mut threads, &order, &taken, lane, cpus(facts));
        for others in all_others {
            threads.push(Member {
                name: format!("{OTHERS} {}", others.cpu),
                group: format!("{OTHERS} {}", others.cpu),
                // Before all others, so that the time is taken when it was.
                real_time: Some(99),
                bound: Some(others.cpu),
                begins_ns: others.begins,
                cpu_ns: others.ran,
                bursts: others.count,
                bytes: others.packed.len() as u64,
                open_run_ns: others.open_run,
                ends_asleep: others.open_run == 0,
                is_others: true,
                ..Member::default()
            });
            bursts.push(others.packed);
        }
        let cpu: u128 = others
            .iter()
            .map(|(_, thread)| u128::from(thread.ran))
            .sum();
        let rest = (!others.is_empty()).then(|| Rest {
            threads: others.len() as u64,
            cpu_ns: u64::try_from(cpu).unwrap_or(u64::MAX),
            share: u64::try_from(cpu * 10_000 / total.max(1)).unwrap_or(0),
        });
        let header = Header {
            source: facts
                .format
                .map_or("", crate::detect::Format::name)
                .to_owned(),
            cpus: cpus(facts),
            span_ns: end - begin,
            names_replaced: replace,
            threads,
            rest,
            hints: hints(facts, lane, &kept_there, &taken),
        };
        Self { header, bursts }
    }

    /// The bursts of a thread.
    pub fn life(&self, thread: usize) -> impl Iterator<Item = Burst> + '_ {
        let mut rest = self.bursts.get(thread).map_or(&[][..], Vec::as_slice);
        std::iter::from_fn(move || unpack(&mut rest))
    }

    /// The workload as a file.
    ///
    /// # Errors
    /// It is larger than 16 MB.
    pub fn write(&self) -> Result<Vec<u8>, ImportError> {
        let mut file = MAGIC.to_vec();
        let header = serde_json::to_vec(&self.header);
        file.extend(header.map_err(|e| ImportError::new(format!("the header: {e}")))?);
        file.push(b'\n');
        for bursts in &self.bursts {
            file.extend_from_slice(bursts);
        }
        if file.len() > MOST_BYTES {
            return Err(too_large());
        }
        Ok(file)
    }

    /// Reads such a file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(file: &[u8]) -> Result<Self, ImportError> {
        if file.len() > MOST_BYTES {
            return Err(too_large());
        }
        let text = file.strip_prefix(MAGIC).ok_or_else(|| {
            ImportError::new("expected `timeslice-workload 1` in the first line")
                .remedy("Make the file with `timeslice import TRACE -o FILE.tsw`")
        })?;
        let end = memchr::memchr(b'\n', text)
            .ok_or_else(|| ImportError::new("expected a header that ends with its line"))?;
        let header: Header = serde_json::from_slice(&text[..end]).map_err(|e| {
            ImportError::new(format!(
                "the header, column {}: {}",
                e.column(),
                unreadable(&e.to_string())
            ))
        })?;
        let mut rest = &text[end + 1..];
        let mut bursts = Vec::new();
        for (i, member) in header.threads.iter().enumerate() {
            let wrong = |what: &str| ImportError::new(format!("threads[{i}]: {what}"));
            let bytes = usize::try_from(member.bytes)
                .ok()
                .filter(|n| *n <= rest.len());
            let bytes = bytes.ok_or_else(|| wrong("bytes: the file ends before its bursts do"))?;
            let (own, more) = rest.split_at(bytes);
            check(own, member.bursts, &header).map_err(|e| wrong(&e))?;
            bursts.push(own.to_vec());
            rest = more;
        }
        if !rest.is_empty() {
            let message = format!(
                "{} bytes behind the last burst belong to no thread",
                rest.len()
            );
            return Err(ImportError::new(message));
        }
        Ok(Self { header, bursts })
    }
}

/// Threads by CPU time, the longest first.
type Threads<'a> = Vec<(Pid, &'a Thread)>;

/// The threads of a workload by CPU time, the longest first; and all others.
fn by_time(lane: &Lane) -> (Threads<'_>, Threads<'_>) {
    let (begin, end) = lane.span();
    let all = lane.threads().iter().map(|(pid, thread)| (*pid, thread));
    // Where a filter left switches out, a thread of which little is told was met by chance.
    let is_whole = lane.missing() == 0;
    let (mut known, mut others): (Threads<'_>, Threads<'_>) =
        all.partition(|(_, t)| is_known(t, begin, end) && (is_whole || t.is_followed()));
    known.sort_by_key(|(pid, thread)| (std::cmp::Reverse(thread.ran), *pid));
    others.extend(known.drain(known.len().min(MOST_THREADS)..));
    (known, others)
}

/// Whether the trace tells what a thread did. A trace that was filtered by threads has lines of others, too, where they
/// met one of these; what they did between is unknown, and so is what they would do on another machine.
fn is_known(thread: &Thread, begin: u64, end: u64) -> bool {
    // Before the first line about it, nothing can be known.
    let before = if thread.has_begun {
        0
    } else {
        thread.first.saturating_sub(begin)
    };
    let unknown = thread.unknown.saturating_sub(before);
    thread.ran > 0 && unknown <= end.saturating_sub(thread.first) / MOST_UNKNOWN
}

/// The number of each thread of a workload in its trace, by its place in the header. Those that stand for others come
/// after them.
#[must_use]
pub fn numbers(lane: &Lane) -> Vec<Pid> {
    let (order, _) = by_time(lane);
    order.into_iter().map(|(pid, _)| pid).collect()
}

fn too_large() -> ImportError {
    ImportError::new(format!("a workload has at most {} MB", MOST_BYTES >> 20))
        .remedy("Record a shorter time, or fewer programs")
}

/// Whether bytes are so many bursts, with points that are there.
fn check(mut bytes: &[u8], count: u64, header: &Header) -> Result<(), String> {
    let mut found = 0;
    while !bytes.is_empty() {
        let burst = unpack(&mut bytes).ok_or_else(|| format!("burst {found} cannot be read"))?;
        if let Then::Wait(point, _) = burst.then {
            let waker = usize::try_from(point.pid).ok();
            let waker = waker.and_then(|i| header.threads.get(i));
            let waker = waker.ok_or_else(|| {
                let most = header.threads.len().saturating_sub(1);
                format!(
                    "burst {found} waits for thread {}, and there are 0 to {most}",
                    point.pid
                )
            })?;
            if point.burst > waker.bursts {
                return Err(format!(
                    "burst {found} waits for burst {} of a thread with {}",
                    point.burst, waker.bursts
                ));
            }
        }
        found += 1;
    }
    if found == count {
        Ok(())
    } else {
        Err(format!(
            "bursts: {found} are there, and the header says {count}"
        ))
    }
}

/// The bursts of a thread with wakers by their places. Who waits for a thread that was left out sleeps as long.
fn among(thread: &Thread, places: &BTreeMap<Pid, u32>) -> Vec<u8> {
    let mut packed = Vec::new();
    for burst in thread.bursts.iter() {
        let then = match burst.then {
            Then::Wait(point, ns) => match places.get(&point.pid) {
                Some(place) => Then::Wait(
                    Point {
                        pid: *place,
                        ..point
                    },
                    ns,
                ),
                None => Then::Sleep(ns),
            },
            then => then,
        };
        pack(Burst { then, ..burst }, &mut packed);
    }
    packed
}

/// The CPU of a thread of the kernel that serves one: `name/3`, also with a number of its own behind a colon.
fn bound(name: &str) -> Option<u16> {
    let (what, number) = name.split_once('/')?;
    let is_kernel = [
        "kworker",
        "ksoftirqd",
        "migration",
        "cpuhp",
        "rcuc",
        "rcuop",
        "idle_inject",
        "irq_work",
    ];
    if !is_kernel.contains(&what) {
        return None;
    }
    number.split(':').next()?.parse().ok()
}

/// Nice value or priority above all ordinary threads, from a priority of Linux.
fn class(member: &mut Member, prio: Option<i32>) {
    match prio {
        Some(prio) if (FIRST_NICE..=139).contains(&prio) => member.nice = Some(prio - NICE_ZERO),
        Some(prio) if (0..FIRST_NICE).contains(&prio) => member.real_time = Some(99 - prio),
        Some(_) => member
            .hints
            .push("has a deadline (SCHED_DEADLINE), which no model has here".to_owned()),
        None => {}
    }
}

/// Keeps threads off CPUs that others had, from when they ran there last. A thread that ran only there stays.
fn keep_off(
    threads: &mut [Member],
    order: &Threads<'_>,
    taken: &BTreeSet<u16>,
    lane: &Lane,
    cpus: u16,
) {
    let free: Vec<u16> = (0..cpus).filter(|cpu| !taken.contains(cpu)).collect();
    if taken.is_empty() || free.is_empty() {
        return;
    }
    let last = others::last_there(lane, taken);
    for (member, (pid, thread)) in threads.iter_mut().zip(order) {
        let ran_elsewhere = thread.cpus.keys().any(|cpu| !taken.contains(cpu));
        if member.bound.is_none() && ran_elsewhere {
            let from = last.get(pid).copied().unwrap_or(0);
            member.kept_to = Some((from, free.clone()));
        }
    }
}

/// A hint where a thread used fewer CPUs than there are.
fn stayed(thread: &Thread, member: &Member, facts: &Facts) -> Option<String> {
    let runs: u64 = thread.cpus.values().sum();
    let is_few = thread.cpus.len() < usize::from(cpus(facts));
    if member.bound.is_some() || runs < HINT_RUNS || !is_few {
        return None;
    }
    let cpus: Vec<String> = thread.cpus.keys().map(u16::to_string).collect();
    Some(format!("ran only on {} in {runs} runs", cpus.join(", ")))
}

fn cpus(facts: &Facts) -> u16 {
    facts.cpus.unwrap_or(0).max(facts.seen_cpus)
}

/// What the whole trace cannot tell.
fn hints(
    facts: &Facts,
    lane: &Lane,
    stays: &[(String, u16, u64)],
    taken: &BTreeSet<u16>,
) -> Vec<String> {
    let mut hints = Vec::new();
    if !facts.knows_interrupts {
        hints.push("The trace does not say what interrupts did: a wake-up by one counts as one by the thread that ran there.");
    }
    if !facts.has_waking {
        hints.push("The trace has no wake-ups: a thread sleeps until it runs again, and nothing is known of its waits.");
    }
    if !facts.has_runtime {
        hints.push("The trace has no accountings (sched_stat_runtime): time that a host or an interrupt took counts as a thread's.");
    }
    if lane.missing() > 0 {
        hints.push("Some switches are missing: a filter or the recorder left them out, and what lies between is unknown.");
    }
    if facts.gaps > 0 {
        hints.push("The recorder lost events: what threads did there is unknown.");
    }
    if facts.format == Some(crate::detect::Format::Ktr) {
        hints.push("Priorities of FreeBSD are not nice values: every thread has nice 0.");
    }
    let mut hints: Vec<String> = hints.into_iter().map(str::to_owned).collect();
    if !taken.is_empty() {
        let list: Vec<String> = taken.iter().map(u16::to_string).collect();
        let list = list.join(", ");
        hints.push(format!("Others had CPU {list} nearly all the time, or the trace does not tell. Threads keep off it from when they ran there last: the trace cannot tell whether they were bound."));
    }
    if let Some((name, cpu, ns)) = stays.first() {
        let waited = ns / 1_000_000;
        let more = match stays.len() - 1 {
            0 => String::new(),
            n => format!(", and so are {n} more threads"),
        };
        hints.push(format!("{name} ran on CPU {cpu} only, although it waited {waited} ms while another CPU idled. So it is bound to that CPU here{more}."));
    }
    hints
}

/// What programs and their threads are called.
#[derive(Debug, Default)]
struct Groups {
    /// Program → its place, and how many of its threads have been named.
    known: BTreeMap<String, (usize, usize)>,
}

impl Groups {
    fn name(&mut self, pid: Pid, names: &Names, replace: bool) -> (String, String) {
        let own = names.of(pid);
        let own = if own.is_empty() {
            format!("thread {pid}")
        } else {
            own.to_owned()
        };
        let process = names.process(pid);
        let group = match process
            .map(|process| names.of(process))
            .filter(|n| !n.is_empty())
        {
            Some(name) => name.to_owned(),
            None => without_digits(&own),
        };
        let key = process.map_or_else(|| group.clone(), |process| format!("{process} {group}"));
        let next = self.known.len() + 1;
        let (place, threads) = self.known.entry(key).or_insert((next, 0));
        *threads += 1;
        if replace {
            return (format!("p{place}-{threads}"), format!("p{place}"));
        }
        (own, group)
    }
}

/// A name without its digits, and without the signs at its end that stood around them.
fn without_digits(name: &str) -> String {
    let plain: String = name.chars().filter(|c| !c.is_ascii_digit()).collect();
    let short = plain.trim_end_matches(|c: char| !c.is_alphanumeric());
    if short.is_empty() { name } else { short }.to_owned()
}

#[cfg(test)]
mod tests;
