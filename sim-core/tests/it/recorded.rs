//! Traces as scenarios: the recorded lane is what the trace says, and own exports run again as they ran.

#![allow(clippy::unwrap_used)] // a trace that is not read fails the test

use sim_core::config::ThreadGroup;
use sim_core::config::validate;
use sim_core::engine::{Options, Sim};
use sim_core::experiment::registry;
use sim_core::export::{CHUNK, Exporter, Format};
use sim_core::recorded::{Recorded, of_trace, of_workload, trust};
use sim_core::report::{ThreadReport, report};
use sim_core::time::SimTime;
use sim_import::lane::Lane;
use sim_import::spread::Spread;
use sim_import::workload::Workload;
use sim_import::{Event, Facts, Names, Reading, Sink, Trace};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A lane of events that are apart.
struct Apart(Spread, Lane);

impl Sink for Apart {
    fn event(&mut self, event: &Event, names: &Names) {
        self.1.event(&self.0.apart(event), names);
    }
}

fn read(text: &str) -> (Lane, Trace, Facts) {
    let mut sink = Apart(Spread::default(), Lane::with_stretches());
    let mut trace = Trace::default();
    trace.push(text.as_bytes(), &mut sink).unwrap();
    let facts = trace.finish(&mut sink).unwrap();
    sink.1.close();
    (sink.1, trace, facts)
}

fn recorded(text: &str) -> (Lane, Recorded) {
    let (lane, trace, facts) = read(text);
    let made = of_trace(&lane, trace.names(), &facts, true).unwrap();
    (lane, made)
}

/// The threads of a lane at its end, by name.
fn run(scenario: &sim_core::config::Scenario, lane: usize) -> BTreeMap<String, ThreadReport> {
    let plan = validate::plan(scenario).unwrap_or_else(|e| panic!("{e:?}"));
    let mut sim = Sim::new(&Arc::new(plan), lane, Options::default());
    sim.run_until(SimTime(scenario.end.at_ns));
    let threads = report(&mut sim).threads.into_iter();
    threads.map(|t| (t.name.clone(), t)).collect()
}

#[test]
fn the_recorded_lane_is_what_the_trace_says() {
    let traces = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/traces");
    let (mut files, mut whole) = (0, 0);
    for file in std::fs::read_dir(traces).unwrap() {
        let path = file.unwrap().path();
        let what = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.extension().is_none_or(|e| e != "txt") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let (lane, made) = recorded(&text);
        let threads = run(&made.scenario, 0);
        let mut together = [0, 0];
        for (pid, name) in &made.names {
            let (real, run) = (&lane.threads()[pid], &threads[name]);
            together[0] += real.ran;
            together[1] += run.cpu_ns;
            // Where a switch is missing, what the thread did there is unknown.
            let before = real.first - lane.span().0;
            if real.unknown <= before {
                assert_eq!(run.cpu_ns, real.ran, "{what}, {pid}: {real:?} {run:?}");
                assert_eq!(run.migrations, real.moves, "{what}, {pid}");
                whole += 1;
            }
        }
        if lane.missing() == 0 {
            assert_eq!(together[0], together[1], "{what}");
        }
        files += 1;
    }
    assert!(files >= 10 && whole > 50, "{files} {whole}");
}

/// The text of a lane's run up to a time.
fn export(sim: &mut Sim, until: SimTime) -> String {
    let mut exporter = Exporter::new(Format::Ftrace);
    let mut text = String::new();
    loop {
        let (before, most) = (sim.handled(), exporter.events());
        sim.advance(until, most);
        exporter.more(sim.refresh(), &mut text);
        if sim.handled() - before < most {
            break;
        }
    }
    exporter.header(sim) + &text
}

#[test]
fn own_traces_run_again_as_they_ran() {
    const UNTIL: SimTime = SimTime(300_000_000);
    let mut exits = 0;
    for id in [
        "s3-nice",
        "s2a-interactive-batch",
        "s1-yield-storm",
        "cfs-eevdf",
        "queueing",
    ] {
        let scenario = registry::scenario(id).unwrap();
        let plan = Arc::new(validate::plan(&scenario).unwrap());
        let options = Options {
            trace_limit: CHUNK,
            ..Options::default()
        };
        let mut sim = Sim::new(&plan, 0, options);
        let text = export(&mut sim, UNTIL);
        let before = report(&mut sim).threads;
        let (_, made) = recorded(&text);
        let again = run(&made.scenario, 0);
        let mut order = Vec::new();
        for (i, thread) in (1..).zip(&before) {
            let Some(name) = made.names.get(&i) else {
                continue;
            };
            let cpu = again[name].cpu_ns;
            // The trace ends with its last event, and what ran then went on.
            let off = thread
                .cpu_ns
                .abs_diff(cpu)
                .saturating_sub(UNTIL.0 - made.scenario.end.at_ns);
            assert!(
                off * 1_000 <= thread.cpu_ns,
                "{id}, {}: {} {cpu}",
                thread.name,
                thread.cpu_ns
            );
            if let Some(at) = thread.exited_at_ns {
                order.push((at, again[name].exited_at_ns, name.clone()));
            }
        }
        order.sort();
        exits += order.len();
        let ends: Vec<_> = order.iter().map(|(_, again, _)| *again).collect();
        assert!(
            ends.iter().all(Option::is_some) && ends.is_sorted(),
            "{id}: {order:?}"
        );
    }
    assert!(exits > 0);
}

#[test]
fn the_model_is_held_against_what_was_recorded() {
    use sim_import::trust::Trust::{Close, NotComparable, Rough};
    for (name, trust) in [
        ("nice_0_5.1.stat_runtime.ftrace", Close),
        ("hogs2.perf-script", Close),
        ("duty_1000_9000_h2.ftrace", Close),
        ("half1.1.stat_runtime.ftrace", Rough),
        ("slice_100_10.ftrace", Rough),
        ("typist_h2.excerpt", Rough),
        // Its hog had SCHED_IDLE, which the lines of a trace do not tell.
        ("duty_vs_idle.ftrace", NotComparable),
        // The model does not know that time of others makes a CPU weaker, and moves nobody for it.
        ("smp5.ftrace", NotComparable),
    ] {
        let path = format!("{}/tests/traces/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        let (_, made) = recorded(&std::fs::read_to_string(path).unwrap());
        let told = trust::of_lane(&made.scenario, 1).unwrap().unwrap();
        assert_eq!(told.trust, trust, "{name}: {told:?}");
    }
}

#[test]
fn time_of_others_is_taken_from_both_lanes_alike() {
    let path = "/tests/traces/nice_0_5.1.stat_runtime.ftrace.txt";
    let path = format!("{}{path}", env!("CARGO_MANIFEST_DIR"));
    let (lane, made) = recorded(&std::fs::read_to_string(path).unwrap());
    let [real, model] = [0, 1].map(|lane| run(&made.scenario, lane));
    let others = |threads: &BTreeMap<String, ThreadReport>| {
        let others = threads.values().filter(|t| t.background).map(|t| t.cpu_ns);
        others.collect::<Vec<u64>>()
    };
    let (begin, end) = lane.span();
    let known: u64 = made.names.keys().map(|pid| lane.threads()[pid].ran).sum();
    // CPU 0 is theirs; on CPU 1 all that the two threads did not have, but for idle time.
    assert_eq!(others(&real), others(&model));
    assert_eq!(others(&real)[0], end - begin);
    assert!(
        others(&real)[1] <= end - begin - known,
        "{:?}",
        others(&real)
    );
    assert!(others(&real)[1] * 100 >= (end - begin - known) * 99);
    let kept = |g: &ThreadGroup| g.allowed == Some(vec![1]);
    let programs = made.scenario.groups.iter();
    assert!(programs.filter(|g| !g.background).all(kept));
}

#[test]
fn the_workload_file_is_the_second_lane() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/traces/nice_0_5.ftrace.txt"
    );
    let text = std::fs::read_to_string(path).unwrap();
    let (lane, trace, facts) = read(&text);
    let workload = Workload::new(&lane, trace.names(), &facts, true);
    let workload = Workload::read(&workload.write().unwrap()).unwrap();
    let made = of_trace(&lane, trace.names(), &facts, true).unwrap();
    let mut scenario = of_workload(&workload).unwrap();
    let mut lanes = made.scenario.schedulers.clone();
    assert_eq!(scenario.schedulers, lanes.split_off(1));
    assert_eq!(scenario.groups, made.scenario.groups);
    // The file of a scenario holds all of it.
    let text = serde_json::to_string(&made.scenario).unwrap();
    assert_eq!(validate::parse(&text).unwrap(), made.scenario);
    // A lane is close to itself, and the recording says so of no other.
    assert_eq!(trust::of_lane(&scenario, 0), Ok(None));
    scenario.schedulers = made.scenario.schedulers.clone();
    assert!(trust::of_lane(&scenario, 1).unwrap().is_some());
    let own = trust::measured(&scenario, 0).unwrap();
    assert_eq!(
        sim_import::trust::verdict(&own, &own).trust,
        sim_import::trust::Trust::Close
    );
}
