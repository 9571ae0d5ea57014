//! The process that starts the threads of a run, gives the sign, and gathers what they saw.

use super::{Answer, Order, hear, now, say, sleep_until, start};
use crate::ROLES;
use crate::about::{busy, foreign};
use crate::jobs::Job;
use crate::record::{Repeat, Thread};
use std::fs::read_to_string;
use std::io::BufReader;
use std::process::{Child, ChildStdin, ChildStdout};

/// From the sign to the common start, so that everybody sleeps by then.
const PAUSE_NS: u64 = 30_000_000;

struct Actor {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

pub(super) fn conduct() -> Result<(), String> {
    let order: Order = hear(&mut std::io::stdin().lock())?;
    let answer: Answer<Repeat> = play(&order);
    say(Some(std::io::stdout().lock()), &answer)
}

fn play(order: &Order) -> Answer<Repeat> {
    nix::unistd::setsid().map_err(|e| super::failed("setsid", e))?;
    let mut actors = Vec::new();
    let played = gather(order, &mut actors);
    for actor in &mut actors {
        if played.is_err() {
            let _ = actor.process.kill();
        }
        let _ = actor.process.wait();
    }
    played
}

/// Starts the actors one after the other; each has its place and attributes when the next one begins.
fn gather(order: &Order, actors: &mut Vec<Actor>) -> Answer<Repeat> {
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    for job in &order.jobs {
        let mut actor = enter(&program, job)?;
        say(actor.input.as_mut(), job)?;
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
    let mut threads = Vec::new();
    for actor in &mut *actors {
        threads.push(hear::<Answer<Thread>>(&mut actor.output)??);
    }
    let own = threads.iter().map(|t| t.cpu_ns).sum();
    let (foreign, stolen) = foreign(before, after, own, order.ns, order.cpus.len());
    Ok(Repeat {
        foreign,
        stolen,
        threads,
    })
}

fn enter(program: &std::path::Path, job: &Job) -> Result<Actor, String> {
    let mut process = start(program, ROLES[1]).map_err(|e| format!("{}: {e}", job.name))?;
    let (input, output) = (process.stdin.take(), process.stdout.take());
    Ok(Actor {
        input,
        output: BufReader::new(output.ok_or("no pipe")?),
        process,
    })
}
