use crate::{Event, ImportError, Kind, Reading, State, Trace};

fn read(text: &str) -> Result<Vec<Event>, ImportError> {
    let (mut trace, mut events) = (Trace::default(), Vec::new());
    trace.push(text.as_bytes(), &mut events)?;
    trace.finish(&mut events)?;
    Ok(events)
}

/// Half a GHz: a tick of 100 Hz comes every 5,000,000 cycles.
fn dump() -> String {
    let rows = [
        (
            0,
            5_000_000,
            "a tid 100001",
            "point:\"statclock\", attributes: prio:120, stathz:100",
        ),
        (
            0,
            10_000_000,
            "a tid 100001",
            "point:\"statclock\", attributes: prio:120, stathz:100",
        ),
        (
            0,
            10_000_100,
            "b tid 100002",
            "state:\"runq add\", attributes: prio:110, linkedto:\"a tid 100001\"",
        ),
        (
            0,
            10_000_200,
            "a tid 100001",
            "state:\"runq add\", attributes: prio:120",
        ),
        (
            0,
            10_000_300,
            "b tid 100002",
            "state:\"running\", attributes: prio:110",
        ),
        (
            0,
            20_000_000,
            "b tid 100002",
            "point:\"statclock\", attributes: prio:120, stathz:100",
        ),
        (
            0,
            20_000_400,
            "b tid 100002",
            "state:\"sleep\", attributes: prio:110, wmesg:\"nanslp\"",
        ),
        (
            0,
            20_000_500,
            "a tid 100001",
            "state:\"running\", attributes: prio:120",
        ),
    ];
    let first = (
        0,
        100,
        "a tid 100001",
        "state:\"running\", attributes: prio:120",
    );
    let mut lines: Vec<String> = [first]
        .iter()
        .chain(&rows)
        .enumerate()
        .map(|(i, (cpu, at, id, text))| {
            format!("{i:6} {cpu:3} {at:16} KTRGRAPH group:\"thread\", id:\"{id}\", {text}")
        })
        .collect();
    lines.reverse();
    format!("index  cpu timestamp        trace\n{}\n", lines.join("\n"))
}

#[test]
fn the_newest_row_comes_first_and_ticks_tell_the_clock() {
    let events = read(&dump()).unwrap();
    let told: Vec<(u64, Kind)> = events.iter().map(|e| (e.at, e.kind)).collect();
    let switch = |prev, prev_prio, prev_state, next, next_prio| Kind::Switch {
        prev,
        prev_prio,
        prev_state,
        next,
        next_prio,
    };
    let woken = Kind::Waking {
        pid: 100_002,
        prio: 110,
        target: Some(0),
    };
    let expected = [
        (200, switch(0, 0, State::Runnable, 100_001, 120)),
        (20_000_200, woken),
        (
            20_000_600,
            switch(100_001, 120, State::Preempted, 100_002, 110),
        ),
        (
            40_001_000,
            switch(100_002, 110, State::Sleeping, 100_001, 120),
        ),
    ];
    assert_eq!(told, expected);
    assert_eq!(events[1].context.pid, 100_001);
}

#[test]
fn without_ticks_cycles_have_no_length() {
    let text = dump().replace("stathz:100", "stathz:0");
    let e = read(&text).unwrap_err();
    assert!(e.to_string().contains("statclock"), "{e}");
    let dtrace: Vec<&str> = dump()
        .leak()
        .lines()
        .skip(1)
        .map(|l| l[7..].trim())
        .collect();
    let events = read(&dtrace.join("\n")).unwrap();
    // Times are ns.
    assert_eq!(events[1].at, 10_000_100);
}
