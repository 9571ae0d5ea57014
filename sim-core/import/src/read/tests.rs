use super::*;

fn read(text: &str) -> Result<(Vec<Event>, Facts), ImportError> {
    let (mut trace, mut events) = (Trace::default(), Vec::new());
    trace.push(text.as_bytes(), &mut events)?;
    let facts = trace.finish(&mut events)?;
    Ok((events, facts))
}

fn switch(at: &str) -> String {
    format!(
        "a-1 [000] d..2. {at}: sched_switch: prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 next_prio=120\n"
    )
}

#[test]
fn a_wake_up_is_told_once() {
    let wake = |event: &str, pid: u32| {
        format!("a-1 [000] d..2. 1.000001: {event}: comm=c pid={pid} prio=120 target_cpu=000\n")
    };
    let text = switch("1.0")
        + &wake("sched_waking", 3)
        + &wake("sched_wakeup", 3)
        + &wake("sched_wakeup", 4);
    let (events, _) = read(&text).unwrap();
    let twins: Vec<bool> = events
        .iter()
        .filter_map(|e| match e.kind {
            Kind::Wakeup { twin, .. } => Some(twin),
            _ => None,
        })
        .collect();
    assert_eq!(twins, [true, false]);
}

#[test]
fn a_trace_is_refused_with_line_and_remedy() {
    let cases = [
        (
            switch("2.5") + &switch("2.4"),
            Some(2),
            "the time goes back by 100.000 ms",
        ),
        (
            switch("2.5").replace("[000]", "[1024]"),
            Some(1),
            "expected a CPU from 0 to 1023",
        ),
        (
            switch("2.5") + "CPU:0 [LOST 20 EVENTS]\n",
            Some(2),
            "lost events",
        ),
        (
            "a-1 [000] d..2. 1.0: sched_waking: comm=b pid=2 prio=120 target_cpu=000\n".to_owned(),
            None,
            "no sched_switch",
        ),
        ("what is this?\n".to_owned(), Some(1), "expected a trace"),
        (String::new(), None, "expected a trace"),
    ];
    for (text, line, message) in cases {
        let e = read(&text).expect_err(message);
        assert_eq!(e.line, line, "{e}");
        assert!(e.to_string().contains(message), "{e}");
        assert!(e.remedy.is_some(), "{e}");
    }
}

#[test]
fn one_wrong_line_in_a_hundred_is_borne() {
    let wrong = switch("3.0").replace("prev_pid=1", "prev_pid=?");
    let good = |n: usize| switch("3.0").repeat(n);
    let (events, facts) = read(&(good(99) + &wrong)).unwrap();
    assert_eq!((events.len(), facts.bad), (99, 1));
    let e = read(&(good(98) + &wrong + "\n")).unwrap_err();
    assert!(e.to_string().contains("1 of 99 lines"), "{e}");
    assert!(
        e.to_string().contains("first in line 99: `a-1 [000]"),
        "{e}"
    );
    // A copy that was cut off.
    let cut = good(50) + &wrong[..60];
    assert_eq!(read(&cut).unwrap().1.bad, 0);
}

#[test]
fn a_long_line_is_cut_in_the_message() {
    let e = read(&"x".repeat(500)).unwrap_err();
    assert_eq!(e.text.unwrap().chars().count(), crate::error::QUOTED + 1);
}

#[test]
fn pieces_do_not_matter() {
    let text = switch("1.0") + &switch("1.0000005") + &switch("1.00002");
    let whole = read(&text).unwrap();
    for size in [1, 7, 64] {
        let (mut trace, mut events) = (Trace::default(), Vec::new());
        for piece in text.as_bytes().chunks(size) {
            trace.push(piece, &mut events).unwrap();
        }
        let facts = trace.finish(&mut events).unwrap();
        assert_eq!((events, facts), whole);
    }
}

#[test]
fn states_that_are_written_one_place_too_high_are_read_as_they_are() {
    let switch = |prev: u32, state: &str, next: u32| {
        format!(
            "a-{prev} [000] d..2. 1.0: sched_switch: prev_comm=a prev_pid={prev} prev_prio=120 prev_state={state} ==> next_comm=b next_pid={next} next_prio=120\n"
        )
    };
    let states = |first: &str| -> Vec<State> {
        let text = [
            switch(0, first, 1),
            switch(1, "2", 2),
            switch(2, "1", 3),
            switch(3, "4", 4),
            switch(4, "256", 5),
            switch(5, "64", 6),
            switch(6, "256", 0),
        ];
        let (events, _) = read(&text.concat()).unwrap();
        let told = events.iter().skip(1).filter_map(|e| match e.kind {
            Kind::Switch { prev_state, .. } => Some(prev_state),
            _ => None,
        });
        told.collect()
    };
    use State::{Blocked, Ended, Idle, Parked, Preempted, Runnable, Sleeping, Stopped};
    let usual = [Blocked, Sleeping, Stopped, Preempted, Parked, Preempted];
    assert_eq!(states("0"), usual);
    let shifted = [Sleeping, Runnable, Blocked, Preempted, Ended, Idle];
    assert_eq!(states("1"), shifted);
}

#[test]
fn more_lost_events_than_a_number_holds_panicked() {
    let lost = format!("CPU:0 [LOST {} EVENTS]\n", u64::MAX);
    let text = switch("1.0") + &lost + &lost + &switch("1.5");
    let (mut trace, mut events) = (Trace::new(Options { allow_lost: true }), Vec::new());
    trace.push(text.as_bytes(), &mut events).unwrap();
    assert_eq!(trace.finish(&mut events).unwrap().lost, u64::MAX);
}

#[test]
fn what_was_lost_can_be_borne() {
    let text = switch("1.0") + "CPU:0 [LOST 20 EVENTS]\nCPU:0 [EVENTS DROPPED]\n" + &switch("1.5");
    let (mut trace, mut events) = (Trace::new(Options { allow_lost: true }), Vec::new());
    trace.push(text.as_bytes(), &mut events).unwrap();
    let facts = trace.finish(&mut events).unwrap();
    assert_eq!((facts.lost, facts.gaps, events.len()), (20, 2, 4));
}

#[test]
fn a_trace_is_refused_before_it_takes_all_memory() {
    let wake = |pid: usize| {
        format!("a-1 [000] d..2. 1.0: sched_waking: comm=c pid={pid} prio=120 target_cpu=000\n")
    };
    let text: String = (10..MOST_THREADS + 20).map(wake).collect();
    let e = read(&(switch("1.0") + &text)).unwrap_err();
    assert!(e.to_string().contains("more than 100000 threads"), "{e}");
    assert!(e.line > Some(90_000), "{e}");
    // Ten million bytes without a switch.
    let text = wake(5).repeat(150_000);
    let e = read(&text).unwrap_err();
    assert!(
        e.to_string()
            .contains("the first 10 MB have no sched_switch"),
        "{e}"
    );
}
