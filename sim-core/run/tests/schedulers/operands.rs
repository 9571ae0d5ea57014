//! Decisions of CFS and EEVDF are what the queues say: a run goes on event by event, and each pick, wake-up and end of a
//! slice is decided once more from the queues before and after it, at each level of groups. Every operand is found again
//! there, in the columns, and in what waited meanwhile.

mod judge;
mod mistakes;
mod records;
mod rules;
mod scenarios;
mod seen;
mod told;
mod walk;

use crate::support::is_nightly;
use mistakes::mistakes;
use records::About;
use scenarios::{on_one_cpu, releases, runs};
use walk::{Counts, walk_through};

#[test]
fn every_decision_is_what_the_queues_say() {
    // Decisions of each release with groups and without, and of one run.
    let (most, each) = if is_nightly() {
        (52_000, 4_000)
    } else {
        (8_000, 500)
    };
    let mut wrong = Vec::new();
    for release in releases() {
        for grouped in [true, false] {
            let (mut counts, before) = (Counts::default(), wrong.len());
            for scenario in runs(release, grouped) {
                let found = walk_through(&scenario, each, |walk, step, cpu| {
                    walk.columns_agree(step, cpu)?;
                    walk.event(step, &step.told, cpu).examine()
                });
                match found {
                    Ok(more) => counts.join(&more),
                    Err(why) => wrong.push(why),
                }
                if counts.all() >= most || wrong.len() > before + 2 {
                    break;
                }
            }
            println!("{release:?}, groups: {grouped}: {counts}");
            if wrong.len() == before {
                let groups = counts.of(About::PickOfGroup);
                assert_eq!(groups > 0, grouped, "{release:?}: picks between groups");
                assert!(
                    counts.unclear * 20 < counts.all(),
                    "{release:?}: {counts:?}"
                );
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Number of drawn runs of each release on one CPU; `TIMESLICE_RUNS` asks for others.
fn asked_runs() -> u64 {
    #[allow(clippy::disallowed_methods)] // how much is tested, not what comes out
    let asked = std::env::var("TIMESLICE_RUNS");
    match asked
        .ok()
        .map(|n| n.parse().expect("TIMESLICE_RUNS is a number"))
    {
        Some(runs) => runs,
        None if is_nightly() => 300,
        None => 30,
    }
}

#[test]
fn drawn_runs_on_one_cpu_follow_the_rules() {
    let (asked, each) = (asked_runs(), if is_nightly() { 1_000 } else { 200 });
    let mut wrong = Vec::new();
    for release in releases() {
        let (mut counts, mut right) = (Counts::default(), 0);
        for scenario in on_one_cpu(release, asked) {
            let found = walk_through(&scenario, each, |walk, step, cpu| {
                walk.columns_agree(step, cpu)?;
                walk.event(step, &step.told, cpu).examine()
            });
            match found {
                Ok(more) => {
                    counts.join(&more);
                    right += 1;
                }
                Err(why) => wrong.push(why),
            }
        }
        println!("{release:?}: {right} of {asked} runs: {counts}");
        assert!(counts.all() > 20 * asked, "{release:?}: hardly a decision");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn a_mistake_in_any_decision_is_found() {
    let mut tried = 0;
    for release in releases() {
        for grouped in [true, false] {
            for scenario in runs(release, grouped).skip(1).take(12) {
                let found = walk_through(&scenario, 60, |walk, step, cpu| {
                    let checked = walk.event(step, &step.told, cpu).examine()?;
                    for (what, told) in mistakes(walk, step, &checked) {
                        tried += 1;
                        // A wake-up from a delayed sleep may be one that cannot be told: then it is not counted.
                        let found = walk.event(step, &told, cpu).examine();
                        if found.is_ok_and(|now| now.len() >= checked.len()) {
                            return Err(format!("nobody noticed {what}"));
                        }
                    }
                    Ok(checked)
                });
                if let Err(why) = found {
                    panic!("{why}");
                }
            }
        }
    }
    println!("{tried} mistakes, all found");
    // Where another scheduler is asked for, there are none.
    let none = releases().is_empty();
    assert!(tried > 5_000 || none, "only {tried} mistakes");
}
