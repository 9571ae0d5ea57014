//! Consequences of the rules that no single case shows.

use super::{Counted, Settings, V4_9, V6_12, next_period};
use sim_machine::cost::pages::MARK_NS;

/// N15 of the NUMA specification: the pause after a scan is 32 times the duration of the scan, in addition to the
/// period.
#[test]
fn marking_takes_no_more_than_3_percent_of_the_run_time() {
    let settings = Settings::default();
    for mib in [1, 16, 256, 257, 1_024, 4_096, 65_536] {
        let pages = mib << 8;
        let marked = settings.scan_pages().min(pages);
        let cost = marked * MARK_NS;
        let every = settings.periods(pages).0 * 1_000_000 + 32 * cost;
        assert!(cost * 100 <= 3 * every, "{mib} MiB");
    }
}

#[test]
fn periods_stay_within_their_bounds_whatever_was_counted() {
    for rules in [&V4_9, &V6_12] {
        for (local, remote, failed) in [(0, 0, 0), (1, 0, 0), (0, 1, 0), (7, 3, 0), (1, 1, 9)] {
            let counted = Counted {
                local,
                remote,
                private: local + remote,
                shared: 0,
                failed,
            };
            for period in [100, 1_000, 59_999, 60_000] {
                let (next, _) = next_period(rules, period, &counted, (1_000, 60_000));
                assert!(next <= 60_000, "{next}");
                assert!(next >= 1_000 || failed > 0 || local + remote == 0, "{next}");
            }
        }
    }
}

/// A line of the kernel compares only local and shared faults: private memory that was all remote then counts as no
/// faults.
#[test]
fn with_the_switch_memory_that_was_all_remote_makes_scans_rarer() {
    let rules = super::Rules {
        remote_is_nothing: true,
        keeps_counts: false,
        ..V4_9
    };
    let counted = Counted {
        remote: 4_096,
        private: 4_096,
        ..Counted::default()
    };
    assert_eq!(
        next_period(&rules, 2_000, &counted, (1_000, 60_000)),
        (4_000, true)
    );
}
