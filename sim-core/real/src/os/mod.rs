//! What only Linux has. The process that was asked for a run starts a *conductor*: it leads a session of its own, because a
//! session is the group whose threads compete with each other alone. The conductor starts an *actor* for each thread.
//! Orders and answers go as lines of JSON through pipes. Whoever dies takes its children along.

mod actor;
mod attributes;
mod channel;
mod conductor;
mod tracer;

use crate::about::{cpu_list, nearest, of_sched, preemption, processor};
use crate::jobs::Job;
use crate::record::{About, Repeat};
use crate::truth::put_true_turns;
use crate::{PART, Program, ROLES};
use nix::errno::Errno;
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::time::{ClockId, ClockNanosleepFlags, clock_getres, clock_gettime, clock_nanosleep};
use nix::unistd::Pid;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::ffi::CString;
use std::fs::read_to_string;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// What the conductor has to do.
#[derive(Serialize, Deserialize)]
struct Order {
    jobs: Vec<Job>,
    cpus: Vec<usize>,
    ns: u64,
}

/// What the conductor answers: what was seen, when the common start was, and by whom.
#[derive(Serialize, Deserialize)]
struct Played {
    repeat: Repeat,
    from: u64,
    /// The processes, in the order of the threads.
    pids: Vec<u32>,
}

/// What a part answers.
type Answer<T> = Result<T, String>;

/// Naps for the floor of how late sleepers wake, and the length of each.
const NAPS: usize = 60;
const NAP_NS: u64 = 1_000_000;

const NS: u64 = 1_000_000_000;

pub(super) fn part(program: &Program, role: &str) -> Result<(), String> {
    if role == ROLES[2] {
        // It outlives its starter for a moment, to put things back.
        return tracer::trace();
    }
    // A run that is broken off leaves no process behind.
    nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL)
        .map_err(|e| failed("prctl", e))?;
    match ROLES.iter().position(|known| *known == role) {
        Some(0) => conductor::conduct(program),
        Some(_) => actor::act(),
        None => Err(format!(
            "must be one of {}, got \"{role}\"",
            ROLES.join(", ")
        )),
    }
}

pub(super) fn run(
    program: &Program,
    jobs: &[Job],
    cpus: &[usize],
    ns: u64,
    traced: bool,
) -> Result<(Repeat, Option<String>), String> {
    let mut tracer = traced.then(|| Tracer::new(program)).transpose()?;
    let order = Order {
        jobs: jobs.to_vec(),
        cpus: cpus.to_vec(),
        ns,
    };
    let mut conductor = start(program, ROLES[0])?;
    if let Some(tracer) = &mut tracer {
        // The conductor waits for its order, and forks nobody before.
        tracer.ask::<()>(&tracer::Order::Follow(conductor.id()))?;
    }
    say(conductor.stdin.take(), &order)?;
    let out = conductor.stdout.take().map(BufReader::new);
    let answer = out.map_or_else(
        || Err("no answer".to_owned()),
        |mut out| hear::<Answer<Played>>(&mut out),
    );
    let _ = conductor.wait();
    let Played {
        mut repeat,
        from,
        pids,
    } = answer??;
    let Some(tracer) = &mut tracer else {
        return Ok((repeat, None));
    };
    let text: String = tracer.ask(&tracer::Order::Give)?;
    put_true_turns(&text, &pids, from, ns, &mut repeat)?;
    Ok((repeat, Some(text)))
}

/// The process that traces. When it is dropped, it puts everything back.
struct Tracer {
    process: Child,
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Tracer {
    fn new(program: &Program) -> Result<Self, String> {
        let mut process = start(program, ROLES[2])?;
        let orders = process.stdin.take();
        let answers = BufReader::new(process.stdout.take().ok_or("no pipe")?);
        let mut tracer = Self {
            process,
            orders,
            answers,
        };
        let ready: Answer<()> = hear(&mut tracer.answers)?;
        ready.map(|()| tracer)
    }

    fn ask<T: DeserializeOwned>(&mut self, order: &tracer::Order) -> Answer<T> {
        say(self.orders.as_mut(), order)?;
        hear::<Answer<T>>(&mut self.answers)?
    }
}

impl Drop for Tracer {
    fn drop(&mut self) {
        // It waits for orders, and ends when there can be none.
        self.orders = None;
        let _ = self.process.wait();
    }
}

/// This program again, in another role.
fn start(program: &Program, role: &str) -> Result<Child, String> {
    program
        .command()
        .args([PART, role])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|e| format!("{} cannot be started: {e}", program.name()))
}

/// Writes a line.
fn say<T: Serialize>(to: Option<impl Write>, what: &T) -> Result<(), String> {
    let mut line = serde_json::to_string(what).map_err(|e| e.to_string())?;
    line.push('\n');
    let mut to = to.ok_or("no pipe")?;
    to.write_all(line.as_bytes())
        .and_then(|()| to.flush())
        .map_err(|e| format!("a process of the run is gone: {e}"))
}

/// Reads a line.
fn hear<T: DeserializeOwned>(from: &mut impl BufRead) -> Result<T, String> {
    let mut line = String::new();
    from.read_line(&mut line).map_err(|e| e.to_string())?;
    if line.is_empty() {
        return Err("a process of the run ended before its time".to_owned());
    }
    serde_json::from_str(&line).map_err(|e| e.to_string())
}

fn failed(call: &str, e: Errno) -> String {
    format!("{call}: {}", e.desc())
}

/// Gives this thread a name, as traces show it.
fn name(name: &str) -> Result<(), String> {
    let name = CString::new(name).map_err(|e| e.to_string())?;
    nix::sys::prctl::set_name(&name).map_err(|e| failed("prctl", e))
}

fn now() -> u64 {
    clock(ClockId::CLOCK_MONOTONIC)
}

fn clock(id: ClockId) -> u64 {
    clock_gettime(id).map_or(0, ns_of)
}

fn ns_of(t: nix::sys::time::TimeSpec) -> u64 {
    let part = |n: i64| u64::try_from(n).unwrap_or(0);
    part(t.tv_sec()) * NS + part(t.tv_nsec())
}

fn sleep_until(at: u64) {
    let part = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
    let due = nix::sys::time::TimeSpec::new(part(at / NS), part(at % NS));
    while clock_nanosleep(
        ClockId::CLOCK_MONOTONIC,
        ClockNanosleepFlags::TIMER_ABSTIME,
        &due,
    ) == Err(Errno::EINTR)
    {}
}

/// Binds the calling thread to CPUs.
fn bind(cpus: &[usize]) -> Result<(), String> {
    let mut set = CpuSet::new();
    for cpu in cpus {
        set.set(*cpu)
            .map_err(|_| format!("there is no CPU {cpu}"))?;
    }
    let list: Vec<String> = cpus.iter().map(usize::to_string).collect();
    sched_setaffinity(Pid::from_raw(0), &set)
        .map_err(|e| format!("CPU {} cannot be used: {}", list.join(", "), e.desc()))
}

pub(super) fn about(cpus: &[usize]) -> Result<About, String> {
    let file = |path: &str| read_to_string(path).ok();
    let release = file("/proc/sys/kernel/osrelease")
        .unwrap_or_default()
        .trim()
        .to_owned();
    if nearest(&release).is_none() {
        return Err("this Linux does not say its release (/proc/sys/kernel/osrelease)".to_owned());
    }
    let (name, is_virtual) = processor(&file("/proc/cpuinfo").unwrap_or_default());
    let config = file(&format!("/boot/config-{release}")).or_else(|| {
        let text = Command::new("zcat")
            .arg("/proc/config.gz")
            .stderr(Stdio::null())
            .output()
            .ok()?;
        String::from_utf8(text.stdout).ok()
    });
    let tick = clock_getres(ClockId::CLOCK_MONOTONIC_COARSE).map_or(0, ns_of);
    Ok(About {
        processor: name,
        online: file("/sys/devices/system/cpu/online")
            .and_then(|text| cpu_list(&text))
            .map_or(1, |list| list.len()),
        hz: (tick > 0).then(|| u32::try_from(NS / tick).unwrap_or(0)),
        preemption: preemption(
            file("/sys/kernel/debug/sched/preempt").as_deref(),
            &file("/proc/cmdline").unwrap_or_default(),
            config.as_deref(),
            &file("/proc/sys/kernel/version").unwrap_or_default(),
        ),
        base_slice_ns: file("/proc/self/sched").and_then(|text| of_sched(&text, "se.slice")),
        autogroup: file("/proc/sys/kernel/sched_autogroup_enabled").map(|text| text.trim() == "1"),
        is_virtual,
        floor_ns: Some(floor(cpus)?),
        release,
    })
}

pub(super) fn last_cpu() -> Result<usize, String> {
    let set = sched_getaffinity(Pid::from_raw(0)).map_err(|e| failed("sched_getaffinity", e))?;
    let may = |cpu: &usize| set.is_set(*cpu).unwrap_or(false);
    (0..CpuSet::count())
        .rev()
        .find(may)
        .ok_or_else(|| "no CPU may be used".to_owned())
}

/// How late a sleeper wakes that nobody holds up. Afterwards the calling thread may use the CPUs that it might before.
fn floor(cpus: &[usize]) -> Result<u64, String> {
    let before = sched_getaffinity(Pid::from_raw(0)).map_err(|e| failed("sched_getaffinity", e))?;
    bind(cpus)?;
    let slack = nix::sys::prctl::get_timerslack();
    let _ = nix::sys::prctl::set_timerslack(1);
    let mut late: Vec<u64> = (0..NAPS)
        .map(|_| {
            let due = now() + NAP_NS;
            sleep_until(due);
            now().saturating_sub(due)
        })
        .collect();
    if let Some(slack) = slack.ok().and_then(|s| u64::try_from(s).ok()) {
        let _ = nix::sys::prctl::set_timerslack(slack);
    }
    sched_setaffinity(Pid::from_raw(0), &before).map_err(|e| failed("sched_setaffinity", e))?;
    late.sort_unstable();
    Ok(late[NAPS / 4])
}
