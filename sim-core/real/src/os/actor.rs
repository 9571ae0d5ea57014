//! A process that is one thread of the scenario.

use super::channel::Channels;
use super::{Answer, attributes, bind, clock, failed, hear, now, say, sleep_until};
use crate::about::schedstat;
use crate::jobs::Job;
use crate::perform::{Stage, perform};
use crate::record::Thread;
use nix::sys::resource::{UsageWho, getrusage};
use nix::time::ClockId;
use std::collections::BTreeMap;
use std::fs::read_to_string;

/// The machine itself.
struct Machine {
    channels: Channels,
}

impl Stage for Machine {
    fn now(&mut self) -> u64 {
        now()
    }

    // The kernel's own account of this would be finer, but reading it has the kernel account the thread, and so changes
    // what is measured. This number does not.
    fn taken_away(&mut self) -> u64 {
        switches().1
    }

    fn cpu(&mut self) -> usize {
        nix::sched::sched_getcpu().unwrap_or(0)
    }

    fn sleep_until(&mut self, at: u64) {
        sleep_until(at);
    }

    fn yields(&mut self) {
        std::thread::yield_now();
    }

    fn post(&mut self, channel: u32) {
        self.channels.post(channel);
    }

    fn take(&mut self, channel: u32) {
        self.channels.take(channel);
    }
}

/// How often this thread gave its CPU up, and how often it lost it.
fn switches() -> (u64, u64) {
    let whole = |n: i64| u64::try_from(n).unwrap_or(0);
    getrusage(UsageWho::RUSAGE_THREAD).map_or((0, 0), |u| {
        (
            whole(u.voluntary_context_switches()),
            whole(u.involuntary_context_switches()),
        )
    })
}

/// The kernel's accounts of this thread so far.
struct Accounts {
    cpu_ns: u64,
    schedstat: Option<[u64; 3]>,
    switches: (u64, u64),
}

impl Accounts {
    fn read() -> Self {
        Self {
            switches: switches(),
            cpu_ns: clock(ClockId::CLOCK_THREAD_CPUTIME_ID),
            schedstat: read_to_string("/proc/thread-self/schedstat")
                .ok()
                .and_then(|text| schedstat(&text)),
        }
    }
}

pub(super) fn act() -> Result<(), String> {
    let mut input = std::io::stdin().lock();
    let (job, places): (Job, BTreeMap<u32, String>) = hear(&mut input)?;
    let channels = prepare(&job).and_then(|()| Channels::open(&places));
    let ready: Answer<()> = channels.as_ref().map(|_| ()).map_err(String::clone);
    say(Some(std::io::stdout().lock()), &ready)?;
    let Ok(channels) = channels else {
        return Ok(());
    };
    let [from, to]: [u64; 2] = hear(&mut input)?;
    let before = Accounts::read();
    sleep_until(from + job.start_ns);
    let seen = perform(&mut Machine { channels }, &job, from, to);
    let after = Accounts::read();
    let both = before.schedstat.zip(after.schedstat);
    let grown = |i: usize| both.map(|(b, a)| a[i].saturating_sub(b[i]));
    let thread: Answer<Thread> = seen.map(|seen| Thread {
        name: job.name.clone(),
        cpu_ns: after.cpu_ns - before.cpu_ns,
        queued_ns: grown(1),
        dispatches: grown(2),
        voluntary: after.switches.0 - before.switches.0,
        involuntary: after.switches.1 - before.switches.1,
        seen,
    });
    say(Some(std::io::stdout().lock()), &thread)
}

/// Takes name, place and attributes of the thread.
fn prepare(job: &Job) -> Result<(), String> {
    super::name(&job.comm)?;
    // Timers of ordinary threads may be late by 50 µs otherwise.
    nix::sys::prctl::set_timerslack(1).map_err(|e| failed("prctl", e))?;
    bind(&job.cpus)?;
    attributes::set(job).map_err(|e| {
        let policy = serde_json::to_string(&job.policy).unwrap_or_default();
        let wants = format!("{}: nice {} and policy {policy}", job.name, job.nice);
        match e {
            nix::errno::Errno::EPERM => format!(
                "{wants} need rights that this user lacks (negative nice values and real time: root, or `ulimit -e` and `-r`)"
            ),
            e => format!("{wants}: {}", e.desc()),
        }
    })
}
