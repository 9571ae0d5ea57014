//! What a machine did as a lane beside the model: the turns of the first repeat, as threads saw them themselves.
//!
//! The lane's threads are those of the scenario, with their own behaviours. They compute, sleep and wait by themselves, and
//! each has its CPU when it had it. So work fits: who had an interrupt in a turn is done with it a little before its end.

use crate::compare::modelled;
use crate::record::{Recording, Repeat};
use sim_run::bounds;
use sim_run::config::{Scenario, SchedulerChoice};
use sim_run::ids::{CpuId, TaskId};
use sim_run::params::ParamMap;
use sim_run::sched::recording::{OF_RUN, Recording as Visits, Visit};

/// The scenario of two lanes: this machine, and the model that [`crate::compare::compare`] lays it beside.
///
/// # Errors
/// A sentence, if the recording does not say its release.
pub fn beside(recording: &Recording) -> Result<Scenario, String> {
    let mut scenario = modelled(recording)?;
    let visits = recording.repeats.first().map_or_else(Vec::new, |repeat| {
        visits(repeat, &recording.cpus, recording.ns)
    });
    let (program, until) = packed(visits);
    let traced = recording.repeats.first().is_some_and(|r| r.traced);
    let whose = if traced {
        "as the kernel's trace has it"
    } else {
        "as the threads saw it"
    };
    let mut notes = format!(
        "The first lane is what a machine of Linux {} did in the first of {} repeats, {whose}. Where nobody runs, others had the CPU or it idled. The second lane is the model.",
        recording.about.release,
        recording.repeats.len()
    );
    if let Some(ns) = until.filter(|ns| *ns < scenario.end.at_ns) {
        scenario.end.at_ns = ns.max(1);
        notes += " The recording is too long for a scenario: this is its beginning.";
    }
    let room = usize::try_from(bounds::NOTES.max).unwrap_or(0);
    if !scenario.notes.is_empty() && notes.len() + 1 + scenario.notes.len() <= room {
        notes = format!("{}\n{notes}", scenario.notes);
    }
    scenario.notes = notes;
    scenario.ask = "Does this machine do as the model says?".to_owned();
    let lane = SchedulerChoice {
        id: OF_RUN.id.to_owned(),
        era: None,
        tunables: ParamMap::new(),
        program: Some(program),
    };
    scenario.schedulers.insert(0, lane);
    Ok(scenario)
}

/// Who had which CPU when. The k-th CPU that was used is CPU k of the scenario.
fn visits(repeat: &Repeat, cpus: &[usize], end: u64) -> Vec<Visit> {
    let mut all = Vec::new();
    for (k, cpu) in cpus.iter().enumerate() {
        let of_thread = |(i, thread): (usize, &'_ crate::record::Thread)| {
            let turns = thread.seen.turns.iter().filter(|t| t.cpu == *cpu);
            turns.map(|t| (t.at, t.end(), i)).collect::<Vec<_>>()
        };
        let mut turns: Vec<(u64, u64, usize)> = repeat
            .threads
            .iter()
            .enumerate()
            .flat_map(of_thread)
            .filter(|(at, to, _)| at < to && *at < end)
            .collect();
        turns.sort_unstable();
        for (i, (at, to, thread)) in turns.iter().enumerate() {
            let visit = |at, task| Visit {
                at,
                cpu: CpuId::new(k),
                task,
            };
            all.push(visit(*at, Some(TaskId::new(*thread))));
            if turns.get(i + 1).is_none_or(|(next, ..)| to < next) && *to < end {
                all.push(visit(*to, None));
            }
        }
    }
    all.sort_by_key(|v| v.at);
    all
}

/// As many visits as a lane may have, as its program; and until when these are, if they are not all.
fn packed(mut visits: Vec<Visit>) -> (String, Option<u64>) {
    let room = usize::try_from(bounds::RECORDING.max).unwrap_or(0);
    let mut until = None;
    loop {
        let recording = Visits {
            asleep: Vec::new(),
            visits,
        };
        let program = recording.write();
        if program.len() <= room {
            return (program, until);
        }
        visits = recording.visits;
        // Numbers are of different lengths, so a little less than what would be right for equal ones.
        visits.truncate(visits.len() * room / program.len() * 19 / 20);
        until = visits.last().map(|v| v.at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{End, Seen, Thread, Turn};
    use sim_run::config::validate;
    use sim_run::engine::{Options, Sim};
    use sim_run::report::report;
    use sim_run::time::SimTime;
    use std::sync::Arc;

    fn turn(at: u64, ns: u64, cpu: usize, by: End) -> Turn {
        Turn { at, ns, cpu, by }
    }

    fn thread(name: &str, turns: &[Turn]) -> Thread {
        Thread {
            name: name.to_owned(),
            cpu_ns: turns.iter().map(|t| t.ns).sum(),
            seen: Seen {
                turns: turns.to_vec(),
                ..Seen::default()
            },
            ..Thread::default()
        }
    }

    /// Two hogs share CPU 3, a sleeper has CPU 7 beside a third one; both CPUs are siblings on the machine of the model.
    fn recording() -> Recording {
        let text = r#"{ "version": 2, "name": "x", "notes": "Mine.", "machine": "i7860", "schedulers": [{ "id": "eevdf" }],
            "groups": [
                { "name": "hog", "count": 2, "allowed": [0], "startSpacingNs": 0, "behaviour": { "kind": "compute" } },
                { "name": "typist", "count": 1, "allowed": [4],
                  "behaviour": { "kind": "script", "params": { "program": "run 2ms; sleep 5ms; repeat" } } },
                { "name": "other", "count": 1, "allowed": [4], "behaviour": { "kind": "compute" } }
            ], "end": { "atNs": 100000000 } }"#;
        let ms = 1_000_000;
        let threads = vec![
            thread(
                "hog-1",
                &[
                    turn(60, 4 * ms, 3, End::Taken),
                    turn(8 * ms, 22 * ms, 3, End::Over),
                ],
            ),
            thread("hog-2", &[turn(4 * ms + 70, 4 * ms - 90, 3, End::Taken)]),
            thread(
                "typist-1",
                &[
                    turn(50, 2 * ms + 300, 7, End::Slept),
                    turn(9 * ms, ms, 7, End::Taken),
                    turn(12 * ms, ms + 100, 7, End::Slept),
                    turn(20 * ms, 2 * ms, 7, End::Slept),
                ],
            ),
            thread(
                "other-1",
                &[
                    turn(10 * ms + 40, ms, 7, End::Taken),
                    turn(25 * ms, 9 * ms, 7, End::Over),
                ],
            ),
        ];
        Recording {
            real_version: crate::record::VERSION,
            scenario: validate::parse(text).expect("a scenario"),
            about: crate::record::About {
                release: "6.18.44".to_owned(),
                ..crate::record::About::default()
            },
            cpus: vec![3, 1, 2, 0, 7],
            ns: 30 * ms,
            repeats: vec![Repeat {
                threads,
                ..Repeat::default()
            }],
        }
    }

    #[test]
    fn the_lane_is_what_threads_saw_on_a_machine_with_costs() {
        let recording = recording();
        let scenario = beside(&recording).expect("a release");
        assert!(
            scenario
                .notes
                .starts_with("Mine.\nThe first lane is what a machine of Linux 6.18.44 did")
        );
        let ids: Vec<&str> = scenario.schedulers.iter().map(|s| s.id.as_str()).collect();
        assert_eq!(
            (&ids[..], scenario.end.at_ns),
            (&["thisMachine", "eevdf"][..], 30_000_000)
        );
        let plan = Arc::new(validate::plan(&scenario).expect("a plan"));
        let mut sim = Sim::new(&plan, 0, Options::default());
        sim.run_until(SimTime(scenario.end.at_ns));
        let told = report(&mut sim).threads;
        let ran: Vec<u64> = told.iter().map(|t| t.cpu_ns).collect();
        // Three bursts of 2 ms; its turns are 400 ns longer. The last turn goes on behind the end.
        assert_eq!(ran, [26_000_000, 3_999_910, 6_000_000, 6_000_000]);
        let mut model = Sim::new(&plan, 1, Options::default());
        model.run_until(SimTime(scenario.end.at_ns));
        assert!(report(&mut model).threads.iter().all(|t| t.cpu_ns > 0));
    }

    #[test]
    fn what_is_too_long_is_cut() {
        let many = (0..1_000_000).map(|i| Visit {
            at: i * 9_000,
            cpu: CpuId::new(0),
            task: Some(TaskId::new(0)),
        });
        let (program, until) = packed(many.collect());
        let room = usize::try_from(bounds::RECORDING.max).expect("small");
        assert!(
            program.len() <= room && program.len() > room / 2,
            "{}",
            program.len()
        );
        assert!(until.is_some());
    }
}
