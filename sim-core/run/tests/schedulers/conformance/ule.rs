//! Facts about ULE's arithmetic: rows of arguments and results, by era and function.

use serde::Deserialize;
use sim_run::params::Params;
use sim_run::sched::freebsd::clocks;
use sim_run::sched::registry;
use sim_run::sched::ule::calendar::{self, Hands};
use sim_run::sched::ule::eras::{self, Era};
use sim_run::sched::ule::interact::{self, History};
use sim_run::sched::ule::preempt::should_preempt;
use sim_run::sched::ule::priority::{effective_score, user_priority};
use sim_run::sched::ule::tunables::Tune;
use sim_run::sched::ule::window::Window;
use sim_run::sched::ule::{place, slice};

/// Rows of a function in an era; hz is 1000 unless an argument says otherwise.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    /// Id of the era.
    era: String,
    /// The function; the match below lists its arguments.
    function: String,
    /// Pairs of arguments and results.
    rows: Vec<(Vec<i64>, Vec<i64>)>,
}

/// The differences.
pub(super) fn differences(table: &Table) -> Vec<String> {
    let era = eras::find(&table.era);
    let mut wrong = Vec::new();
    for (args, expected) in &table.rows {
        let seen = value(era, &table.function, args);
        if seen != *expected {
            wrong.push(format!("{args:?}: expected {expected:?}, saw {seen:?}"));
        }
    }
    wrong
}

fn u(x: i64) -> u64 {
    u64::try_from(x).expect("not negative")
}

fn small(x: i64) -> u32 {
    u32::try_from(x).expect("small")
}

fn byte(x: i64) -> u8 {
    u8::try_from(x).expect("a byte")
}

fn i(x: u64) -> i64 {
    i64::try_from(x).expect("small")
}

fn history(run: i64, sleep: i64) -> History {
    History {
        run: u(run),
        sleep: u(sleep),
    }
}

/// The first slot of a list, going round the ring.
fn first(full: &[i64], slots: u8) -> impl Fn(u8) -> Option<u8> + '_ {
    move |from| {
        (0..slots)
            .map(|step| (from + step) % slots)
            .find(|slot| full.contains(&i64::from(*slot)))
    }
}

fn hands(idx: i64, ridx: i64) -> Hands {
    Hands {
        idx: byte(idx),
        ridx: byte(ridx),
        rest: 0,
    }
}

/// The slot of a priority in an era's calendar, with given hands.
pub(super) fn own_slot(era: &str, pri: i64, idx: i64, ridx: i64) -> i64 {
    let era = eras::find(era);
    i64::from(hands(idx, ridx).slot(era, byte(pri)))
}

fn value(era: &Era, function: &str, args: &[i64]) -> Vec<i64> {
    match (function, args) {
        ("tickincr", [hz, stathz]) => vec![i(clocks::tickincr(small(*hz), small(*stathz)))],
        ("slice, least", [stathz]) => {
            let full = slice::default_slice(small(*stathz));
            vec![i64::from(full), i64::from(slice::least(full))]
        }
        ("slice by sysload", [sysload]) => {
            vec![i64::from(slice::length(era, 12, small(*sysload)))]
        }
        ("rr_interval", [hz, stathz]) => {
            let full = slice::default_slice(small(*stathz));
            vec![i64::from(slice::rr_interval(
                era,
                full,
                small(*hz),
                small(*stathz),
            ))]
        }
        ("score", [run, sleep, threshold]) => {
            vec![i(interact::score(history(*run, *sleep), u(*threshold)))]
        }
        // A history with the given score, at a nice value: score with nice, and priority or -1 for batch.
        ("interactive", [score, nice]) => {
            let h = history(score * 1_024, 50 * 1_024);
            let nice = i8::try_from(*nice).expect("nice");
            let found = user_priority(era, h, &Window::new(0), nice, 30, 1_000);
            let pri = if found.interactive {
                i64::from(found.pri)
            } else {
                -1
            };
            vec![i(effective_score(era, h, nice, 30)), pri]
        }
        ("limit", [run, sleep]) => {
            let mut h = history(*run, *sleep);
            h.limit(interact::cap(1_000));
            vec![i(h.run), i(h.sleep)]
        }
        ("inherit", [run, sleep]) => {
            let mut h = history(*run, *sleep);
            h.inherit(interact::fork_cap(1_000));
            vec![i(h.run), i(h.sleep)]
        }
        // A hog that ran this many of this many ticks, at a nice value.
        ("hog", [ran, total, nice]) => {
            let window = Window {
                ticks: u(*ran) << 10,
                first: 0,
                last: *total,
            };
            let nice = i8::try_from(*nice).expect("nice");
            let h = history(5, 5);
            vec![i64::from(
                user_priority(era, h, &window, nice, 30, 1_000).pri,
            )]
        }
        // It ran 8000 of 8000 ticks, then was off the CPU: ticks, total, priority.
        ("off for", [ticks]) => {
            let mut window = Window {
                ticks: 8_000 << 10,
                first: 0,
                last: 8_000,
            };
            match era.window {
                eras::WindowRule::Elapsed => window.update(8_000 + ticks, false, 1_000),
                eras::WindowRule::PerTick => window.stretch(8_000 + ticks, 1_000),
            }
            let pri = user_priority(era, history(5, 5), &window, 0, 30, 1_000).pri;
            vec![
                i(window.ticks >> 10),
                i(window.total(1_000)),
                i64::from(pri),
            ]
        }
        ("offset", [pri]) => vec![i64::from(calendar::offset(era, byte(*pri)))],
        ("slot", [idx, ridx, pri]) => {
            vec![i64::from(hands(*idx, *ridx).slot(era, byte(*pri)))]
        }
        // Hands, ticks, ticks per call, slots that are not empty.
        ("turn", [idx, ridx, ticks, cnt, full @ ..]) => {
            let mut h = hands(*idx, *ridx);
            h.tick(era, u(*ticks), u(*cnt), first(full, era.slots));
            vec![i64::from(h.idx), i64::from(h.ridx)]
        }
        ("shouldpreempt", [pri, cpri, remote]) => {
            let thresh = era.ranges.min_kern;
            let yes = should_preempt(era, thresh, byte(*pri), byte(*cpri), *remote != 0);
            vec![i64::from(yes)]
        }
        ("steal_thresh", [cpus]) => {
            let cpus = usize::try_from(*cpus).expect("a number of CPUs");
            let info = registry::ALL.find("ule").expect("ULE is there");
            let of_era = info
                .eras
                .iter()
                .find(|e| std::ptr::eq(eras::find(e.id), era));
            let params = Params::defaults(of_era.expect("one of its eras").tunables);
            vec![i64::from(Tune::new(era, &params, cpus).steal_thresh)]
        }
        // Level of cache, ticks since it was switched out, and whether its affinity holds.
        ("affinity", [level, ago]) => {
            let level = u8::try_from(*level).expect("a level");
            vec![i64::from(place::is_warm(1_000 - ago, 1_000, level, 1))]
        }
        other => panic!("no such function: {other:?}"),
    }
}
