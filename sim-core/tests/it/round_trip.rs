//! A run that is written as ftrace and read again is the same run, to the nanosecond: who had each CPU from when to when,
//! who woke whom, who began and ended. What is expected comes from the records of the run, not from the writer.

use sim_core::config::validate;
use sim_core::engine::{Options, Sim};
use sim_core::experiment::registry;
use sim_core::export::{CHUNK, Exporter, Format};
use sim_core::text::comm;
use sim_core::time::SimTime;
use sim_core::trace::{SwitchCode, TraceKind, TraceRecord};
use sim_import::{Event, Kind, Reading, State, Trace};
use std::sync::Arc;

/// The part of each run that is written.
const UNTIL_NS: u64 = 1_000_000_000;

/// Threads are numbered from 1 in a trace, and from 0 in a run; -1 is nobody.
fn pid(task: i64) -> u32 {
    u32::try_from(task + 1).expect("a thread")
}

/// What has to be in the trace of a record.
fn expected(r: &TraceRecord, out: &mut Vec<Told>) {
    let cpu = u16::try_from(r.cpu.max(0)).expect("a CPU");
    let at = r.at.0;
    let mut tell = |what| out.push(Told { at, cpu, what });
    match r.kind {
        TraceKind::Switch => {
            let left = [
                (SwitchCode::Block, State::Sleeping),
                (SwitchCode::Exit, State::Ended),
            ];
            let found = left.iter().find(|(code, _)| *code as i32 == r.reason);
            let state = found.map_or(State::Runnable, |(_, state)| *state);
            tell(What::Switch(pid(r.other), state, pid(r.task)));
        }
        TraceKind::Wakeup => {
            let place = u16::try_from(r.other).ok();
            tell(What::Wakeup(pid(r.task), place, r.interrupt));
        }
        TraceKind::Fork => {
            if r.other >= 0 {
                tell(What::Fork(pid(r.other), pid(r.task)));
            }
            tell(What::New(pid(r.task), u16::try_from(r.target).ok()));
        }
        TraceKind::Exit => tell(What::Exit(pid(r.task))),
        _ => {}
    }
}

#[derive(Debug, PartialEq)]
struct Told {
    at: u64,
    cpu: u16,
    what: What,
}

#[derive(Debug, PartialEq)]
enum What {
    /// Who leaves, how, and who follows.
    Switch(u32, State, u32),
    /// Who, where it waits (if one CPU has the queue), and whether an interrupt did it.
    Wakeup(u32, Option<u16>, bool),
    /// Parent and child.
    Fork(u32, u32),
    /// Who, and where it waits.
    New(u32, Option<u16>),
    Exit(u32),
}

/// What an event of the trace tells. Where one queue is for all CPUs, the trace names the one of the last turn.
fn told(e: &Event, like: Option<&Told>) -> Option<Told> {
    let place = |target: Option<u16>| match like.map(|l| &l.what) {
        Some(What::Wakeup(_, None, _) | What::New(_, None)) => None,
        _ => target,
    };
    let what = match e.kind {
        Kind::Switch {
            prev,
            prev_state,
            next,
            ..
        } => What::Switch(prev, prev_state, next),
        Kind::Wakeup { pid, target, .. } => {
            What::Wakeup(pid, place(target), e.context.irq.expect("flags"))
        }
        Kind::Fork { parent, child } => What::Fork(parent, child),
        Kind::WakeupNew { pid, target, .. } => What::New(pid, place(target)),
        Kind::Exit { pid } => What::Exit(pid),
        _ => return None,
    };
    Some(Told {
        at: e.at,
        cpu: e.cpu,
        what,
    })
}

#[test]
fn every_shipped_run_is_read_as_it_was() {
    let (mut lanes, mut events) = (0, 0);
    for (id, _) in registry::SCENARIOS {
        let scenario = registry::scenario(id).expect("shipped");
        let plan = Arc::new(validate::plan(&scenario).expect("valid"));
        for lane in 0..plan.lanes.len() {
            let place = format!("{id} lane {}", lane + 1);
            let options = Options {
                trace_limit: CHUNK,
                ..Options::default()
            };
            let mut sim = Sim::new(&plan, lane, options);
            let until = SimTime(UNTIL_NS).min(sim.end());
            let mut exporter = Exporter::new(Format::Ftrace);
            let (mut text, mut wanted, mut seq) = (String::new(), Vec::new(), 0);
            loop {
                let (before, most) = (sim.handled(), exporter.events());
                sim.advance(until, most);
                sim.trace()
                    .from_seq(seq)
                    .for_each(|r| expected(r, &mut wanted));
                seq = sim.trace().next_seq();
                exporter.more(sim.refresh(), &mut text);
                if sim.handled() - before < most {
                    break;
                }
            }
            text.insert_str(0, &exporter.header(&sim));

            let (mut trace, mut read) = (Trace::default(), Vec::new());
            for piece in text.as_bytes().chunks(60_000) {
                let pushed = trace.push(piece, &mut read);
                pushed.unwrap_or_else(|e| panic!("{place}: {e}"));
            }
            let facts = trace.finish(&mut read);
            let facts = facts.unwrap_or_else(|e| panic!("{place}: {e}"));
            let cpus = u16::try_from(plan.machine.cpu_count()).expect("CPUs");
            assert_eq!((facts.bad, facts.cpus), (0, Some(cpus)), "{place}");
            let lines = text.lines().filter(|l| !l.starts_with('#'));
            assert_eq!(facts.events, lines.count() as u64, "{place}");

            let mut wanted = wanted.iter().peekable();
            for event in &read {
                let Some(told) = told(event, wanted.peek().copied()) else {
                    continue;
                };
                assert_eq!(Some(&told), wanted.next(), "{place}");
            }
            assert_eq!(wanted.next(), None, "{place}: nothing is left out");
            for task in (0..sim.task_count()).map(sim_core::ids::TaskId::new) {
                let number = pid(i64::try_from(task.index()).expect("a thread"));
                let name = trace.names().of(number);
                assert!(
                    name.is_empty() || name == comm(&sim.task_name(task)),
                    "{place}: {name}"
                );
            }
            lanes += 1;
            events += read.len();
        }
    }
    assert!(
        lanes > 30 && events > 100_000,
        "{lanes} lanes, {events} events"
    );
}
