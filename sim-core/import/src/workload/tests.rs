use super::*;
use crate::read::{Reading, Trace};

/// Two threads of one program, of which one wakes the other, and a thread of the kernel.
const TRACE: &str = "\
# entries-in-buffer/entries-written: 9/9   #P:4
 secret-main-10 (   10) [000] d..2. 1.000000: sched_switch: prev_comm=secret-main prev_pid=10 prev_prio=120 prev_state=S ==> next_comm=secret-w1 next_pid=11 next_prio=115
 secret-w1-11 (   10) [000] d..3. 1.001000: sched_waking: comm=secret-main pid=10 prio=120 target_cpu=000
 secret-w1-11 (   10) [000] d..2. 1.002000: sched_switch: prev_comm=secret-w1 prev_pid=11 prev_prio=115 prev_state=S ==> next_comm=secret-main next_pid=10 next_prio=120
 secret-main-10 (   10) [000] d.h3. 1.003000: sched_waking: comm=secret-w1 pid=11 prio=115 target_cpu=000
 secret-main-10 (   10) [000] d..2. 1.004000: sched_switch: prev_comm=secret-main prev_pid=10 prev_prio=120 prev_state=S ==> next_comm=migration/3 next_pid=20 next_prio=0
 migration/3-20 (   20) [000] d..2. 1.004500: sched_switch: prev_comm=migration/3 prev_pid=20 prev_prio=0 prev_state=S ==> next_comm=secret-w1 next_pid=11 next_prio=115
";

fn workload(replace: bool) -> Workload {
    let (mut trace, mut lane) = (Trace::default(), Lane::default());
    trace.push(TRACE.as_bytes(), &mut lane).unwrap();
    let facts = trace.finish(&mut lane).unwrap();
    lane.close();
    Workload::new(&lane, trace.names(), &facts, replace)
}

#[test]
fn who_waits_for_whom_and_for_how_long() {
    let workload = workload(false);
    let threads = &workload.header.threads;
    let told: Vec<_> = threads
        .iter()
        .map(|t| {
            (
                t.name.as_str(),
                t.group.as_str(),
                t.nice,
                t.real_time,
                t.bound,
            )
        })
        .collect();
    let expected = [
        ("secret-main", "secret-main", Some(0), None, None),
        ("secret-w1", "secret-main", Some(-5), None, None),
        ("migration/3", "migration/3", None, Some(99), Some(3)),
    ];
    assert_eq!(told, expected);
    assert_eq!(
        (workload.header.cpus, workload.header.span_ns),
        (4, 4_500_000)
    );
    // Nobody saw how long the first thread ran before.
    let waker = Point {
        pid: 1,
        burst: 0,
        after: 1_000_000,
    };
    let first: Vec<_> = workload.life(0).map(|b| (b.run, b.then)).collect();
    assert_eq!(first, [(0, Then::Wait(waker, 1_000_000))]);
    let second: Vec<_> = workload.life(1).map(|b| (b.run, b.then)).collect();
    assert_eq!(second, [(2_000_000, Then::Sleep(1_000_000))]);
}

#[test]
fn who_waits_for_a_thread_that_is_left_out_sleeps_as_long() {
    let (mut trace, mut lane) = (Trace::default(), Lane::default());
    trace.push(TRACE.as_bytes(), &mut lane).unwrap();
    trace.finish(&mut lane).unwrap();
    let packed = among(&lane.threads()[&10], &BTreeMap::new());
    let burst = unpack(&mut &packed[..]).unwrap();
    assert_eq!(burst.then, Then::Sleep(1_000_000));
}

#[test]
fn a_thread_of_which_the_trace_has_only_parts_is_left_out() {
    // As a filter by threads leaves them: lines of 20 stand only where it met 11, which is whole.
    let turn = |at: usize| {
        format!(
            "\
 b-20 (   20) [000] d..2. 1.{at:03}000: sched_switch: prev_comm=b prev_pid=20 prev_prio=120 prev_state=R ==> next_comm=a next_pid=11 next_prio=120
 a-11 (   11) [000] d..2. 1.{:03}000: sched_switch: prev_comm=a prev_pid=11 prev_prio=120 prev_state=S ==> next_comm=b next_pid=20 next_prio=120
 c-30 (   30) [000] d.h3. 1.{:03}000: sched_waking: comm=a pid=11 prio=120 target_cpu=000
",
            at + 10,
            at + 11
        )
    };
    let text: String = (0..20).map(|i| turn(i * 20)).collect();
    let text = format!("# entries-in-buffer/entries-written: 60/60   #P:1\n{text}");
    let (mut trace, mut lane) = (Trace::default(), Lane::default());
    trace.push(text.as_bytes(), &mut lane).unwrap();
    let facts = trace.finish(&mut lane).unwrap();
    lane.close();
    let header = Workload::new(&lane, trace.names(), &facts, false).header;
    let names: Vec<_> = header.threads.iter().map(|t| t.name.as_str()).collect();
    assert_eq!(names, ["a"]);
    assert_eq!(header.rest.map(|rest| rest.threads), Some(2));
}

#[test]
fn names_are_replaced() {
    let file = workload(true).write().unwrap();
    let text = String::from_utf8_lossy(&file);
    assert!(!text.contains("secret"), "{text}");
    assert!(text.contains("\"p1-2\""), "{text}");
}

#[test]
fn a_file_comes_back_and_damage_is_named() {
    let workload = workload(true);
    let file = workload.write().unwrap();
    assert_eq!(Workload::read(&file).unwrap(), workload);
    let damaged = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut file = file.clone();
        change(&mut file);
        Workload::read(&file).unwrap_err().to_string()
    };
    assert!(damaged(&|f| f[0] = b'x').contains("first line"));
    assert!(damaged(&|f| f.truncate(f.len() - 1)).contains("ends before"));
    assert!(damaged(&|f| f.push(0)).contains("1 bytes behind"));
    // No cut and no other byte may end in anything but a sentence.
    for at in 0..file.len() {
        let _ = Workload::read(&file[..at]);
        let mut other = file.clone();
        other[at] ^= 0x15;
        let _ = Workload::read(&other);
    }
}

#[test]
fn a_long_field_of_a_header_came_back_whole() {
    let file = [MAGIC, b"{\"", &[b'x'; 5_000], b"\": 1}\n"].concat();
    let told = Workload::read(&file).expect_err("unknown").to_string();
    assert!(told.starts_with("the header, column 500"), "{told}");
    assert!(
        told.contains("unknown field `xxx") && told.len() < 500,
        "{told}"
    );
}

#[test]
fn most_threads_stay_and_the_rest_is_told() {
    let mut text = String::new();
    for i in 0..205_u64 {
        let (pid, next) = (100 + i, 101 + i);
        // The first ones run longest.
        let at = i * (1_000 - i);
        text += &format!(
            "t{pid}-{pid} [000] d..2. 1.{at:06}: sched_switch: prev_comm=t prev_pid={pid} prev_prio=120 prev_state=S ==> next_comm=t next_pid={next} next_prio=120\n"
        );
    }
    let (mut trace, mut lane) = (Trace::default(), Lane::default());
    trace.push(text.as_bytes(), &mut lane).unwrap();
    let facts = trace.finish(&mut lane).unwrap();
    lane.close();
    let header = Workload::new(&lane, trace.names(), &facts, true).header;
    assert_eq!(header.threads.len(), MOST_THREADS);
    let rest = header.rest.unwrap();
    assert_eq!(rest.threads, 6);
    assert!(rest.cpu_ns > 0 && rest.share < 300, "{rest:?}");
}

#[test]
fn threads_of_the_kernel_are_bound_by_their_name() {
    for (name, cpu) in [
        ("ksoftirqd/3", Some(3)),
        ("kworker/12:1H", Some(12)),
        ("kworker/u8:2", None),
        ("app/3", None),
        ("migration", None),
    ] {
        assert_eq!(bound(name), cpu, "{name}");
    }
    assert_eq!(without_digits("pool-12-thread-3"), "pool--thread");
    assert_eq!(without_digits("123"), "123");
}

#[test]
fn a_file_may_not_wait_for_what_never_comes() {
    let mut workload = workload(true);
    let point = Point {
        pid: 1,
        burst: 99,
        after: 0,
    };
    let burst = Burst {
        run: 1,
        then: Then::Wait(point, 1),
    };
    workload.bursts[0].clear();
    pack(burst, &mut workload.bursts[0]);
    workload.header.threads[0].bytes = workload.bursts[0].len() as u64;
    let e = Workload::read(&workload.write().unwrap()).unwrap_err();
    assert!(e.to_string().contains("waits for burst 99"), "{e}");
}
