//! True turns: what the kernel's trace of a repeat says, in place of what threads saw themselves.

use crate::perform::MAX_KEPT;
use crate::record::{End, Repeat, Thread, Turn};
use sim_import::lane::{Doing, Lane};
use sim_import::names::Names;
use sim_import::read::{Options, Reading, Sink, Trace};
use sim_import::{Event, Kind, Pid, State};
use std::collections::BTreeSet;

/// What a trace says of turns.
struct Told {
    lane: Lane,
    /// Who gave way of itself, and when.
    yields: BTreeSet<(Pid, u64)>,
    /// Whether it tells calls of `sched_yield` at all.
    has_yields: bool,
}

impl Sink for Told {
    fn event(&mut self, event: &Event, names: &Names) {
        match event.kind {
            Kind::Switch {
                prev,
                prev_state: State::Yields,
                ..
            } => {
                self.yields.insert((prev, event.at));
            }
            Kind::Yield { .. } => self.has_yields = true,
            _ => {}
        }
        self.lane.event(event, names);
    }
}

/// Puts the turns of a trace in place of those that threads saw. The trace's clock is that of the run, which began at
/// `from` and took `ns`; the repeat's threads have these numbers. How a turn ended, the thread knows best, but for yields: of
/// those it may not notice that others had the CPU, and a trace that tells calls of `sched_yield` does.
///
/// # Errors
/// A sentence, if the trace cannot be read or lacks a thread; then nothing has changed.
pub fn put_true_turns(
    trace: &str,
    pids: &[Pid],
    from: u64,
    ns: u64,
    repeat: &mut Repeat,
) -> Result<(), String> {
    let mut all = Told {
        lane: Lane::with_stretches(),
        yields: BTreeSet::new(),
        has_yields: false,
    };
    let mut reading = Trace::new(Options::default());
    let read = reading.push(trace.as_bytes(), &mut all);
    read.and_then(|()| reading.finish(&mut all))
        .map_err(|e| format!("the trace of this machine cannot be read: {e}"))?;
    all.lane.close();
    let told: Result<Vec<Vec<Turn>>, String> = pids
        .iter()
        .zip(&repeat.threads)
        .map(|(pid, thread)| {
            let turns = turns_of(&all, *pid, from, ns, thread);
            let none = || format!("the trace of this machine lacks {}", thread.name);
            (!turns.is_empty()).then_some(turns).ok_or_else(none)
        })
        .collect();
    for (thread, turns) in repeat.threads.iter_mut().zip(told?) {
        thread.seen.turns = turns;
    }
    repeat.traced = true;
    Ok(())
}

fn turns_of(told: &Told, pid: Pid, from: u64, ns: u64, thread: &Thread) -> Vec<Turn> {
    let mut turns = Vec::new();
    let to = from.saturating_add(ns);
    let mut own = told
        .lane
        .stretches()
        .iter()
        .filter(|s| s.pid == pid && s.to > from && s.from < to)
        .peekable();
    while let Some(stretch) = own.next() {
        if stretch.doing != Doing::Runs || turns.len() == MAX_KEPT {
            continue;
        }
        let at = stretch.from.max(from) - from;
        // Its last turn goes on behind the end of the run.
        let last = stretch.to >= to || own.peek().is_none();
        let waits = own.peek().is_some_and(|next| next.doing == Doing::Waits);
        let end = stretch.to.max(from) - from;
        let by = match (last, waits) {
            (true, _) => End::Over,
            (false, true) if told.yields.contains(&(pid, stretch.to)) => End::Yielded,
            (false, true) if told.has_yields => End::Taken,
            (false, true) => said(thread, end, &[End::Taken, End::Yielded]),
            (false, false) => said(thread, end, &[End::Slept, End::Waited]),
        };
        let turn = Turn {
            at,
            ns: end - at,
            cpu: usize::from(stretch.cpu),
            by,
        };
        if turn.ns > 0 {
            turns.push(turn);
        }
    }
    turns
}

/// How the thread itself says that its turn ended that is nearest; the first of those that fit, if it says another end.
fn said(thread: &Thread, end: u64, fit: &[End; 2]) -> End {
    let own = &thread.seen.turns;
    let next = own.partition_point(|t| t.end() < end);
    let around = [next.checked_sub(1), Some(next)];
    let around = around.into_iter().flatten().filter_map(|i| own.get(i));
    let nearest = around.min_by_key(|t| t.end().abs_diff(end)).map(|t| t.by);
    nearest.filter(|by| fit.contains(by)).unwrap_or(fit[0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Seen;

    const TRACE: &str = "\
# tracer: nop
#
# entries-in-buffer/entries-written: 6/6   #P:2
#
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
#              | |         |   |||||     |         |
          <idle>-0       [001] d..2.   100.000000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=ts-hog-1 next_pid=11 next_prio=120
       ts-hog-1-11      [001] d..2.   100.030000: sched_switch: prev_comm=ts-hog-1 prev_pid=11 prev_prio=120 prev_state=R ==> next_comm=ts-nap-1 next_pid=12 next_prio=120
       ts-nap-1-12      [001] d..2.   100.031000: sched_switch: prev_comm=ts-nap-1 prev_pid=12 prev_prio=120 prev_state=S ==> next_comm=ts-hog-1 next_pid=11 next_prio=120
       ts-hog-1-11      [001] d..2.   100.090000: sched_switch: prev_comm=ts-hog-1 prev_pid=11 prev_prio=120 prev_state=R+ ==> next_comm=ts-nap-1 next_pid=12 next_prio=120
       ts-nap-1-12      [001] d..2.   100.200000: sched_switch: prev_comm=ts-nap-1 prev_pid=12 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
          <idle>-0       [001] d..2.   100.210000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=ts-nap-1 next_pid=12 next_prio=120
";

    #[test]
    fn a_trace_that_tells_yields_says_who_gave_way() {
        let line = |at: &str, event: &str| {
            format!("       ts-hog-1-11      [001] .....   {at}: {event}\n")
        };
        // The first switch is one of a yield, of which the thread noticed nothing.
        let told = TRACE.replace(
            "       ts-hog-1-11      [001] d..2.   100.030000",
            &(line("100.029000", "sys_sched_yield()")
                + "       ts-hog-1-11      [001] d..2.   100.030000"),
        );
        let back = "next_comm=ts-hog-1 next_pid=11 next_prio=120\n";
        let at = told.rfind(back).expect("it comes back") + back.len();
        let after = line("100.032000", "sys_sched_yield -> 0x0");
        let told = [&told[..at], &after, &told[at..]].concat();
        let noticed = Turn {
            at: 70_000_000,
            ns: 10_100_000,
            cpu: 1,
            by: End::Yielded,
        };
        let ends = |trace: &str| {
            let mut thread = Thread {
                name: "hog-1".to_owned(),
                ..Thread::default()
            };
            thread.seen.turns.push(noticed);
            let mut repeat = Repeat {
                threads: vec![thread],
                ..Repeat::default()
            };
            put_true_turns(trace, &[11], 100_010_000_000, 100_000_000, &mut repeat).expect("whole");
            let turns = repeat.threads[0].seen.turns.iter();
            turns.map(|turn| turn.by).collect::<Vec<_>>()
        };
        assert_eq!(ends(&told), [End::Yielded, End::Taken]);
        // Without these lines the thread is believed, also where it is wrong.
        assert_eq!(ends(TRACE), [End::Yielded, End::Yielded]);
    }

    #[test]
    fn the_kernel_says_when_and_the_thread_says_why() {
        let waited = Turn {
            at: 20_000_000,
            ns: 990_000,
            cpu: 1,
            by: End::Waited,
        };
        let named = |name: &str, turns: Vec<Turn>| Thread {
            name: name.to_owned(),
            seen: Seen {
                turns,
                ..Seen::default()
            },
            ..Thread::default()
        };
        let mut repeat = Repeat {
            threads: vec![named("hog-1", Vec::new()), named("nap-1", vec![waited])],
            ..Repeat::default()
        };
        let ms = 1_000_000;
        let from = 100_010 * ms;
        put_true_turns(TRACE, &[11, 12], from, 100 * ms, &mut repeat).expect("whole");
        assert!(repeat.traced);
        let turn = |at, ns, by| Turn { at, ns, cpu: 1, by };
        // The first turn began before the run, and the last goes on behind it.
        assert_eq!(
            repeat.threads[0].seen.turns,
            [
                turn(0, 20 * ms, End::Taken),
                turn(21 * ms, 59 * ms, End::Taken)
            ]
        );
        assert_eq!(
            repeat.threads[1].seen.turns,
            [
                turn(20 * ms, ms, End::Waited),
                turn(80 * ms, 110 * ms, End::Over)
            ]
        );
        let before = repeat.clone();
        let refused = put_true_turns(TRACE, &[11, 13], from, 100 * ms, &mut repeat);
        assert_eq!(
            refused.expect_err("lacks one"),
            "the trace of this machine lacks nap-1"
        );
        assert_eq!(repeat, before);
    }
}
