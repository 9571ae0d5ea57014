//! The traces of real machines in `sim-core/tests/traces`: every line about scheduling is understood.

use sim_import::lane::Lane;
use sim_import::{Event, Facts, Kind, Reading, Trace};
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/traces")
}

fn read(name: &str) -> (Vec<Event>, Facts, Trace) {
    let bytes = fs::read(folder().join(name)).expect(name);
    let (mut trace, mut events) = (Trace::default(), Vec::new());
    for piece in bytes.chunks(10_000) {
        trace
            .push(piece, &mut events)
            .unwrap_or_else(|e| panic!("{name}: {e}"));
    }
    let facts = trace
        .finish(&mut events)
        .unwrap_or_else(|e| panic!("{name}: {e}"));
    (events, facts, trace)
}

#[test]
fn every_line_is_an_event() {
    let mut files = 0;
    for entry in fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if !name.ends_with(".ftrace.txt") {
            continue;
        }
        files += 1;
        let text = fs::read_to_string(folder().join(&name)).unwrap();
        let lines = text.lines().filter(|l| !l.starts_with('#')).count();
        let (events, facts, trace) = read(&name);
        assert_eq!(events.len(), lines, "{name}");
        assert_eq!((facts.bad, facts.cpus), (0, Some(2)), "{name}");
        assert!(facts.knows_interrupts && facts.has_waking, "{name}");
        assert_eq!(facts.has_runtime, name.contains("stat_runtime"), "{name}");
        assert!(events.is_sorted_by_key(|e| e.at), "{name}");
        let switches = events
            .iter()
            .filter(|e| matches!(e.kind, Kind::Switch { .. }));
        assert_eq!(
            switches.count(),
            text.matches(": sched_switch: ").count(),
            "{name}"
        );
        assert!(
            trace.names().all().any(|(_, n)| n.starts_with("tsw-")),
            "{name}"
        );
    }
    assert_eq!(files, 11);
}

#[test]
fn perf_writes_the_same_events() {
    let (events, facts, trace) = read("hogs2.perf-script.txt");
    assert_eq!((events.len(), facts.bad), (172, 0));
    assert!(!facts.knows_interrupts && facts.has_waking);
    assert!(trace.names().all().any(|(_, name)| name == "tsw-b"));
}

/// A row of the truth: what a thread measured of itself.
struct Truth {
    pid: u32,
    cpu_ns: u64,
    involuntary: u64,
    moves: u64,
}

fn truth(stem: &str) -> Vec<Truth> {
    let stem = stem.trim_end_matches(".with-stat_runtime");
    let stem = stem.trim_end_matches(".stat_runtime");
    let path = folder().join(format!("{stem}.truth.csv"));
    let text = fs::read_to_string(path).expect(stem);
    let rows = text.lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        let whole = |i: usize| fields[i].parse::<u64>().expect(line);
        // Milliseconds with three decimals.
        let cpu = fields[3].replace('.', "").parse::<u64>().expect(line);
        Truth {
            pid: fields[1].parse().expect(line),
            cpu_ns: cpu * 1_000,
            involuntary: whole(8),
            moves: whole(9),
        }
    });
    rows.collect()
}

/// A thread reads its clock after it began and before it ended. Both take this long at most.
const AROUND: u64 = 600_000;
/// What the host took from the guest of a thread's time on a CPU. The kernel does not account it to the thread, and a
/// trace without accountings cannot know.
const STOLEN: u64 = 8_000_000;

#[test]
fn threads_had_the_time_that_they_measured() {
    let mut rows = 0;
    for entry in fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let Some(stem) = name.strip_suffix(".ftrace.txt") else {
            continue;
        };
        let bytes = fs::read(folder().join(&name)).unwrap();
        let (mut trace, mut lane) = (Trace::default(), Lane::default());
        trace.push(&bytes, &mut lane).unwrap();
        let facts = trace.finish(&mut lane).unwrap();
        lane.close();
        for truth in truth(stem) {
            rows += 1;
            let thread = &lane.threads()[&truth.pid];
            let who = format!("{name}, {}: {thread:?}", truth.pid);
            if facts.has_runtime {
                let more = thread.accounted.checked_sub(truth.cpu_ns);
                assert!(more.is_some_and(|more| more <= AROUND), "{who}");
                assert!(thread.unknown < 10_000, "{who}");
            }
            assert!(thread.ran + thread.unknown >= truth.cpu_ns, "{who}");
            assert!(thread.ran <= truth.cpu_ns + AROUND + STOLEN, "{who}");
            assert!(thread.preempted.abs_diff(truth.involuntary) <= 3, "{who}");
            assert!(thread.moves.abs_diff(truth.moves) <= 1, "{who}");
        }
    }
    assert_eq!(rows, 27);
}

#[test]
fn text_of_perf_gives_the_shares_that_threads_measured() {
    let bytes = fs::read(folder().join("hogs2.perf-script.txt")).unwrap();
    let (mut trace, mut lane) = (Trace::default(), Lane::default());
    trace.push(&bytes, &mut lane).unwrap();
    trace.finish(&mut lane).unwrap();
    lane.close();
    let named = |name: &str| {
        let mut all = trace.names().all();
        let pid = all.find(|(_, n)| *n == name).unwrap().0;
        lane.threads()[&pid].ran
    };
    let (a, b) = (named("tsw-a"), named("tsw-b"));
    let permille = a * 1_000 / (a + b);
    // The README beside the trace has 543, by the threads' own clocks. Text of perf has no accountings, so what the host
    // took counts as a thread's: the switches of the file give 561.
    assert_eq!(permille, 561);
    assert!(permille.abs_diff(543) <= 20);
}
