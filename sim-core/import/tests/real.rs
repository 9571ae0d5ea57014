//! The traces of real machines in `sim-core/tests/traces`: every line about scheduling is understood.

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
