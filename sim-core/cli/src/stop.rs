//! `timeslice run FILE --stop-at …`: runs to a decision, prints that moment, and ends.

use crate::arguments;
use crate::exit::Exit;
use crate::moment::{Cpu, MachineView, Thread};
use crate::output::{self, Failure};
use serde::Serialize;
use sim_core::config::plan::Plan;
use sim_core::engine::{Options, Sim};
use sim_host::decision_text::{Teller, Told, Wanted, clock};
use std::sync::Arc;

/// The decision at which to stop.
#[derive(Clone, Debug)]
pub(crate) struct StopAt {
    wanted: Wanted,
    /// Lane, from 1.
    lane: usize,
    /// Which of these decisions, from 1.
    nth: u64,
}

/// The form of the argument.
const FORM: &str = "must look like REASON[,thread=NAME][,cpu=N][,lane=N][,nth=N]";

/// Reads the argument.
pub(crate) fn parse(text: &str) -> Result<StopAt, String> {
    let mut parts = text.split(',').map(str::trim);
    let reason = parts.next().filter(|r| !r.is_empty() && !r.contains('='));
    let mut stop = StopAt {
        wanted: Wanted {
            reason: Some(reason.ok_or(FORM)?.to_owned()),
            ..Wanted::default()
        },
        lane: 1,
        nth: 1,
    };
    for part in parts {
        let (key, value) = part.split_once('=').ok_or(FORM)?;
        let number = || {
            value
                .parse::<u16>()
                .map_err(|_| format!("{key} must be a number"))
        };
        match key {
            "thread" => stop.wanted.thread = Some(value.to_owned()),
            "cpu" => stop.wanted.cpu = Some(number()?),
            "lane" => stop.lane = usize::from(number()?),
            "nth" => {
                let nth = value.parse().ok().filter(|n| *n > 0);
                stop.nth = nth.ok_or("nth must be a number from 1 on")?;
            }
            _ => return Err(FORM.to_owned()),
        }
    }
    Ok(stop)
}

/// The moment as data.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Stopped {
    scenario: String,
    lane: usize,
    scheduler: &'static str,
    era: &'static str,
    decision: Told,
    /// Threads that wait in a queue of all CPUs.
    queued_for_all: u32,
    cpus: Vec<Cpu>,
    /// The thread that the decision is about.
    thread: Option<Thread>,
}

/// Number of decisions that are kept of one event: a balancer moves dozens of threads.
const KEPT: usize = 4_096;

pub(crate) fn run(plan: &Arc<Plan>, stop: &StopAt, json: bool) -> Result<Exit, Failure> {
    const HERE: &str = "--stop-at";
    let lane = arguments::lane(plan, stop.lane, HERE)?;
    arguments::check_reason(plan, lane, stop.wanted.reason.as_deref(), HERE)?;
    arguments::check_cpu(plan, stop.wanted.cpu, HERE)?;
    let options = Options {
        decision_limit: KEPT,
        ..Options::default()
    };
    let mut sim = Sim::new(plan, lane, options);
    sim.keep_candidates();
    let mut teller = Teller::new(&sim, stop.wanted.clone());
    let mut left = stop.nth;
    let mut next = 0;
    loop {
        let mut found = None;
        for d in sim.decisions().since(next) {
            if teller.wants(&sim, d) {
                left -= 1;
                if left == 0 {
                    found = Some(d.clone());
                    break;
                }
            }
        }
        if let Some(d) = found {
            let told = teller.tell(&sim, &d, true);
            print(&mut sim, told, stop, json);
            return Ok(Exit::Good);
        }
        next = sim.decisions().next_id();
        if !sim.step_event() {
            break;
        }
    }
    arguments::check_thread(&sim, stop.wanted.thread.as_deref(), HERE)?;
    let seen = stop.nth - left;
    let end = clock(sim.end().0);
    let message = format!("no such decision up to {end}: {seen} of {} found", stop.nth);
    output::error(&Failure::new(HERE, message));
    Ok(Exit::Bad)
}

fn print(sim: &mut Sim, told: Told, stop: &StopAt, json: bool) {
    let moment = MachineView::of(sim);
    let lane = &sim.plan().lanes[sim.lane()];
    let (scheduler, era) = (lane.info.id, lane.era.id);
    let thread = told.task.clone();
    if json {
        let mut threads = moment.threads.into_iter();
        output::json(&Stopped {
            scenario: sim.plan().scenario.name.clone(),
            lane: stop.lane,
            scheduler,
            era,
            queued_for_all: moment.queued_for_all,
            cpus: moment.cpus,
            thread: threads.find(|t| Some(&t.name) == thread.as_ref()),
            decision: told,
        });
        return;
    }
    output::line(&format!(
        "{} · lane {} · {scheduler} {era} · decision #{}, {}",
        clock(told.at_ns),
        stop.lane,
        told.id,
        told.reason
    ));
    output::line(&told.words);
    let numbers = told.numbers();
    if !numbers.is_empty() {
        output::line(&format!("  numbers: {numbers}"));
    }
    if let Some(considered) = told.considered() {
        output::line(&format!("  considered: {considered}"));
    }
    output::line(&format!("  kernel: {}", told.place()));
    moment.print_cpus();
    if let Some(name) = &thread {
        moment.print_threads(|t| t.name == *name);
    }
}
