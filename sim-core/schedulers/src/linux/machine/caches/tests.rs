//! The rules of caches that processes prefer, without a run.

use super::*;

const WHY: &Reasons = &crate::eevdf::reasons::SHARED;
const MS: u64 = 1_000_000;

/// Two caches of four cores, at 1000 Hz.
fn two_caches(smt: u64) -> Caches {
    let of: Vec<usize> = (0..8).map(|c| c / 4).collect();
    let cpus = |cache: usize| (0..4).map(|c| CpuId::new(4 * cache + c)).collect();
    Caches {
        why: WHY,
        period: 10 * MS,
        jiffies: 10,
        of,
        cpus: vec![cpus(0), cpus(1)],
        pages: 8_192,
        smt,
        st: CachesState {
            settings: Settings {
                on: true,
                tolerance: 1,
            },
            processes: Vec::new(),
            members: Vec::new(),
            ran: vec![Runtime::default(); 8],
            loads: vec![(0, 0); 2],
            gathers: vec![false; 8],
        },
    }
}

fn process(caches: &mut Caches, threads: u32) {
    for t in 0..threads {
        caches.begin(TaskId(t), Some(1), 0);
    }
}

fn scan(caches: &mut Caches, ms: u64, running: i64, pages: u64) -> Option<(Reason, [i64; 4])> {
    let cpus = [CpuMask::only(CpuId(0)), CpuMask::first(8)];
    caches.scan(cpus, TaskId(0), [ms * MS, ms, pages], running)
}

/// `can_migrate_llc`, fact 35: cores of two threads, in percent of a cache's capacity.
#[test]
fn a_cache_is_not_crowded_and_not_left_without_need() {
    let verdict = |from: u64, to: u64, towards: bool| {
        let mut caches = two_caches(2);
        caches.st.loads = vec![(from * 10, 1_000), (to * 10, 1_000)];
        caches.may_move([0, 1], 0, towards)
    };
    let forbidden = |from: u64, to: u64| CacheVerdict::Forbidden([from * 10, to * 10]);
    assert_eq!(verdict(60, 30, true), CacheVerdict::Wanted);
    assert_eq!(verdict(60, 30, false), CacheVerdict::Wanted);
    assert_eq!(verdict(40, 60, true), forbidden(40, 60));
    assert_eq!(verdict(60, 60, true), CacheVerdict::Free);
    assert_eq!(verdict(60, 60, false), CacheVerdict::Free);
    assert_eq!(verdict(30, 40, false), forbidden(30, 40));
    // 60 is not more than 120 % of 50.
    assert_eq!(verdict(50, 60, true), CacheVerdict::Free);
    assert_eq!(verdict(60, 50, false), CacheVerdict::Free);
    assert_eq!(verdict(60, 49, false), CacheVerdict::Wanted);
    // Neither is a fifth busier than the other.
    assert_eq!(verdict(45, 50, true), CacheVerdict::Wanted);
    assert_eq!(verdict(55, 48, false), forbidden(55, 48));
}

#[test]
fn a_cache_of_cores_with_one_thread_is_busy_from_three_quarters_on() {
    let mut caches = two_caches(1);
    caches.st.loads = vec![(2_048, 4_096), (2_048, 4_096)];
    let wanted = CacheVerdict::Wanted;
    assert_eq!(caches.may_move([0, 1], 512, true), wanted);
    let crowded = CacheVerdict::Forbidden([1_024, 3_072]);
    assert_eq!(caches.may_move([0, 1], 1_024, true), crowded);
}

#[test]
fn a_cache_of_which_no_balancing_has_told_yet_says_nothing() {
    assert_eq!(
        two_caches(2).may_move([0, 1], 100, false),
        CacheVerdict::Free
    );
}

/// `__update_mm_sched`: the same in one piece and in many.
#[test]
fn what_ran_halves_every_period() {
    let period = 10 * MS;
    let mut whole = Runtime::default();
    whole.add([3 * MS, 47 * MS], period);
    let mut parts = Runtime::default();
    for ms in 3..47 {
        parts.add([ms * MS, (ms + 1) * MS], period);
    }
    assert_eq!(whole, parts);
    // 7, 10, 10, 10 and 7 ms in five periods.
    let expected = [7, 10, 10, 10, 7]
        .iter()
        .fold(0, |sum, ms| sum / 2 + ms * MS);
    assert_eq!((whole.ns, whole.epoch), (expected, 4));
    whole.add([1_000 * MS, 4_000 * MS], period);
    assert_eq!(whole.ns, 2 * period - 1, "who always ran");
    whole.age(400 + 64);
    assert_eq!(whole.ns, 0);
}

/// `task_cache_work`: the sum of a cache must be more than twice that of the preferred one.
#[test]
fn a_process_changes_its_cache_for_more_than_twice_the_run_time() {
    let mut caches = two_caches(1);
    process(&mut caches, 4);
    caches.ran(CpuId(5), TaskId(0), [0, 9 * MS]);
    let (reason, told) = scan(&mut caches, 10, 1, 0).expect("the first choice");
    assert_eq!((reason, told[0]), (WHY.cache_preferred, 4));
    assert_eq!(caches.home(TaskId(0), 10 * MS), Some(CpuId(5)));
    for (cpu, ms) in [(0, 14), (1, 24)] {
        caches.ran(CpuId(5), TaskId(0), [ms * MS, (ms + 5) * MS]);
        caches.ran(CpuId(0), TaskId(1), [ms * MS, (ms + 5) * MS]);
        caches.ran(CpuId(1), TaskId(2), [ms * MS, (ms + 5) * MS]);
        assert_eq!(
            scan(&mut caches, ms + 6, 3, 0),
            None,
            "{cpu}: twice is not more"
        );
    }
    caches.ran(CpuId(2), TaskId(3), [34 * MS, 39 * MS]);
    let (_, told) = scan(&mut caches, 40, 3, 0).expect("another choice");
    assert_eq!(told[0], 0);
}

#[test]
fn a_process_that_nobody_looks_at_prefers_nothing_after_50_ms() {
    let mut caches = two_caches(1);
    process(&mut caches, 2);
    caches.ran(CpuId(0), TaskId(0), [0, 9 * MS]);
    assert!(scan(&mut caches, 10, 1, 0).is_some());
    assert_eq!(scan(&mut caches, 15, 1, 0), None, "once in a period");
    assert_eq!(caches.home(TaskId(0), 69 * MS), Some(CpuId(0)));
    assert_eq!(caches.home(TaskId(0), 70 * MS), None);
}

/// `invalid_llc_nr`, `update_avg_scale`: once too many, always too many.
#[test]
fn a_process_that_runs_on_too_many_cpus_prefers_no_cache() {
    let mut caches = two_caches(1);
    process(&mut caches, 8);
    caches.ran(CpuId(0), TaskId(0), [0, 9 * MS]);
    let average = |c: &Caches| c.st.processes[0].running;
    scan(&mut caches, 10, 3, 0);
    scan(&mut caches, 20, 3, 0);
    // (3 - 2) / 2 is cut off.
    assert_eq!(
        (average(&caches), caches.home(TaskId(0), 20 * MS)),
        (2, Some(CpuId(0)))
    );
    scan(&mut caches, 30, 7, 0);
    let told = scan(&mut caches, 40, 1, 0);
    assert_eq!(average(&caches), 4, "5 threads are looked at no more");
    assert_eq!((told, caches.home(TaskId(0), 40 * MS)), (None, None));
    caches.st.settings.tolerance = 100;
    assert!(scan(&mut caches, 50, 1, 0).is_some(), "any size");
}

/// `exceed_llc_capacity`, `get_sched_cache_scale`.
#[test]
fn a_process_whose_memory_does_not_fit_prefers_no_cache() {
    let mut caches = two_caches(1);
    process(&mut caches, 2);
    caches.ran(CpuId(0), TaskId(0), [0, 9 * MS]);
    assert!(scan(&mut caches, 10, 1, 8_192).is_some());
    let told = scan(&mut caches, 20, 1, 8_193);
    assert_eq!(
        told,
        Some((WHY.too_large_for_a_cache, [8_193, 8_192, 0, 0]))
    );
    caches.st.settings.tolerance = 2;
    assert!(scan(&mut caches, 30, 1, 8_193).is_some(), "257 caches");
    caches.st.settings.tolerance = 0;
    assert!(scan(&mut caches, 40, 1, 0).is_some_and(|t| t.0 == WHY.too_many_for_a_cache));
}
