use super::*;

fn read_one(event: &str, payload: &str) -> (Option<Kind>, Names) {
    let mut names = Names::default();
    let kind = read(event.as_bytes(), payload.as_bytes(), &mut names).expect(payload);
    (kind, names)
}

fn switched(payload: &str) -> (Kind, Vec<(Pid, String)>) {
    let (kind, names) = read_one("sched_switch", payload);
    let all = names.all().map(|(pid, name)| (pid, name.to_owned()));
    (kind.unwrap(), all.filter(|(pid, _)| *pid != 0).collect())
}

#[test]
fn names_may_hold_what_fields_hold() {
    for name in [
        "a",
        "kworker/0:1-ev",
        "Web Content",
        "x [001] y",
        "a:b",
        " prev_pid=1",
        "x ==> y",
        "p pid=7 prio",
        "-12",
    ] {
        let long = format!(
            "prev_comm={name} prev_pid=12 prev_prio=120 prev_state=R+ ==> next_comm={name} next_pid=13 next_prio=-1"
        );
        let short = format!("{name}:12 [120] R+ ==> {name}:13 [-1]");
        let expected = Kind::Switch {
            prev: 12,
            prev_prio: 120,
            prev_state: State::Preempted,
            next: 13,
            next_prio: -1,
        };
        let called = name.trim_start().to_owned();
        let (kind, names) = switched(&short);
        assert_eq!(kind, expected, "{short}");
        assert_eq!(names, [(12, called.clone()), (13, called)], "{short}");
        let (kind, names) = switched(&long);
        assert_eq!(kind, expected, "{long}");
        let called = name.to_owned();
        assert_eq!(names, [(12, called.clone()), (13, called)], "{long}");
    }
}

#[test]
fn states_are_letters_or_numbers() {
    use State::{Blocked, Ended, Idle, Parked, Preempted, Runnable, Sleeping, Stopped};
    for (text, expected) in [
        ("R", Runnable),
        ("R+", Preempted),
        ("S", Sleeping),
        ("S+", Preempted),
        ("D", Blocked),
        ("D|K", Blocked),
        ("T", Stopped),
        ("t", Stopped),
        ("X", Ended),
        ("x", Ended),
        ("Z", Ended),
        ("I", Idle),
        ("P", Parked),
        ("0", Runnable),
        ("1", Sleeping),
        ("2", Blocked),
        ("64", Parked),
        ("256", Preempted),
        ("1024", Preempted),
        ("4096", Preempted),
        ("1026", Idle),
    ] {
        assert_eq!(state(text.as_bytes()), Some(expected), "{text}");
    }
    assert_eq!(state(b"y"), None);
    assert_eq!(state(b"1x"), None);
}

#[test]
fn wake_ups_name_who_and_where() {
    for payload in [
        "comm=a b pid=5 prio=98 target_cpu=003",
        "comm=a b pid=5 prio=98 success=1 target_cpu=003",
        "a b:5 [98] success=1 CPU:003",
        "a b:5 [98]<CANT FIND FIELD success> CPU:003",
        "a b:5 [98] CPU:003",
    ] {
        let (kind, names) = read_one("sched_waking", payload);
        let expected = Kind::Waking {
            pid: 5,
            prio: 98,
            target: Some(3),
        };
        assert_eq!(kind, Some(expected), "{payload}");
        assert_eq!(names.of(5), "a b", "{payload}");
    }
}

#[test]
fn other_events_of_threads() {
    let (kind, names) = read_one(
        "sched_process_fork",
        "comm=a c pid=5 child_comm=b child_pid=9",
    );
    assert_eq!(
        kind,
        Some(Kind::Fork {
            parent: 5,
            child: 9
        })
    );
    assert_eq!((names.of(5), names.of(9)), ("a c", "b"));
    let (kind, names) = read_one("task_rename", "pid=7 oldcomm=x newcomm=y z oom_score_adj=0");
    assert_eq!((kind, names.of(7)), (Some(Kind::Rename { pid: 7 }), "y z"));
    let (kind, _) = read_one("sched_process_exec", "filename=/bin/a b pid=7 old_pid=7");
    assert_eq!(kind, Some(Kind::Exec { pid: 7 }));
    let (kind, _) = read_one(
        "sched_stat_runtime",
        "comm=a pid=7 runtime=1304638 [ns] vruntime=5 [ns]",
    );
    assert_eq!(
        kind,
        Some(Kind::Runtime {
            pid: 7,
            ns: 1_304_638
        })
    );
    let (kind, _) = read_one(
        "sched_migrate_task",
        "comm=a pid=7 prio=120 orig_cpu=0 dest_cpu=11",
    );
    let moved = Kind::Migrate {
        pid: 7,
        from: 0,
        to: 11,
    };
    assert_eq!(kind, Some(moved));
    assert_eq!(read_one("sched_stat_wait", "comm=a pid=7").0, None);
}
