//! The process that starts the threads of a run, gives the sign, and gathers what they saw.

use super::channel;
use super::{Answer, Order, Played, hear, now, say, sleep_until, start};
use crate::about::{busy, foreign};
use crate::jobs::Job;
use crate::record::{Repeat, Thread};
use crate::{Program, ROLES};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::read_to_string;
use std::io::{BufReader, PipeReader, PipeWriter, Write, pipe};
use std::os::fd::AsRawFd;
use std::process::{Child, ChildStdin, ChildStdout};

/// From the sign to the common start, so that everybody sleeps by then.
const PAUSE_NS: u64 = 30_000_000;

/// A pipe for each channel. Actors open it by its place below `/proc`, as every process of the same user may.
#[derive(Default)]
struct Pipes {
    ends: Vec<(PipeReader, PipeWriter)>,
    places: BTreeMap<u32, String>,
}

impl Pipes {
    fn add(&mut self, channel: u32) -> Result<(), String> {
        if let Entry::Vacant(place) = self.places.entry(channel) {
            let ends = pipe().map_err(|e| format!("no pipe: {e}"))?;
            let (process, number) = (std::process::id(), ends.0.as_raw_fd());
            place.insert(format!("/proc/{process}/fd/{number}"));
            self.ends.push(ends);
        }
        Ok(())
    }

    /// Lets everybody go who still waits at a channel.
    fn release(&self, waiting: usize) {
        for place in self.places.values() {
            // In a pipe that is full there are tokens for all.
            let _ = channel::writer(place).and_then(|mut w| w.write_all(&vec![0; waiting]));
        }
    }
}

struct Actor {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

pub(super) fn conduct(program: &Program) -> Result<(), String> {
    // It shares the session's group with its actors, so a trace that is asked has to know it.
    super::name(sim_import::CONDUCTOR)?;
    let order: Order = hear(&mut std::io::stdin().lock())?;
    let answer: Answer<Played> = play(&order, program);
    say(Some(std::io::stdout().lock()), &answer)
}

fn play(order: &Order, program: &Program) -> Answer<Played> {
    nix::unistd::setsid().map_err(|e| super::failed("setsid", e))?;
    let mut actors = Vec::new();
    let played = gather(order, program, &mut actors);
    for actor in &mut actors {
        if played.is_err() {
            let _ = actor.process.kill();
        }
        let _ = actor.process.wait();
    }
    played
}

/// Starts the actors one after the other; each has its place and attributes when the next one begins.
fn gather(order: &Order, program: &Program, actors: &mut Vec<Actor>) -> Answer<Played> {
    let mut pipes = Pipes::default();
    for channel in order.jobs.iter().flat_map(|j| &j.channels) {
        pipes.add(*channel)?;
    }
    for job in &order.jobs {
        let mut actor = enter(program, job)?;
        say(actor.input.as_mut(), &(job, &pipes.places))?;
        let ready: Answer<()> = hear(&mut actor.output)?;
        actors.push(actor);
        ready?;
    }
    let stat = || {
        busy(
            &read_to_string("/proc/stat").unwrap_or_default(),
            &order.cpus,
        )
    };
    let from = now() + PAUSE_NS;
    let to = from + order.ns;
    for actor in &mut *actors {
        say(actor.input.as_mut(), &[from, to])?;
    }
    sleep_until(from);
    let before = stat();
    sleep_until(to);
    let after = stat();
    pipes.release(order.jobs.len());
    let mut threads = Vec::new();
    for actor in &mut *actors {
        threads.push(hear::<Answer<Thread>>(&mut actor.output)??);
    }
    let own = threads.iter().map(|t| t.cpu_ns).sum();
    let (foreign, stolen) = foreign(before, after, own, order.ns, order.cpus.len());
    let repeat = Repeat {
        foreign,
        stolen,
        traced: false,
        threads,
    };
    let pids = actors.iter().map(|a| a.process.id()).collect();
    Ok(Played { repeat, from, pids })
}

fn enter(program: &Program, job: &Job) -> Result<Actor, String> {
    let mut process = start(program, ROLES[1]).map_err(|e| format!("{}: {e}", job.name))?;
    let (input, output) = (process.stdin.take(), process.stdout.take());
    Ok(Actor {
        input,
        output: BufReader::new(output.ok_or("no pipe")?),
        process,
    })
}
