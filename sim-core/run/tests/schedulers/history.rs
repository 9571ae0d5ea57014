//! Reading the past of a run: a part that is run again equals what was kept, totals agree with the accounts, and
//! reading changes nothing.

use crate::support::{Case, MS, assert_same, outcome, shipped, shipped_scenario};
use sim_run::config::edit::{Edit, Target};
use sim_run::config::validate;
use sim_run::engine::Options;
use sim_run::engine::history::{SLICE, TASK_SAMPLE};
use sim_run::engine::replay::{DecisionFilter, Replay, StepKind};
use sim_run::ids::{CpuId, TaskId};
use sim_run::machine::rate::CAUSES;
use sim_run::time::SimTime;
use sim_run::trace::TraceKind;
use sim_run::trace::occupancy::WORDS;
use std::sync::{Arc, OnceLock};

const END: SimTime = SimTime(1_200 * MS);

fn run(case: &Case, trace_limit: usize) -> Replay {
    let options = Options {
        trace_limit,
        ..Options::interactive()
    };
    let mut replay = Replay::new(&case.plan, 0, options);
    replay.seek(END, u64::MAX);
    replay
}

/// Cases that run to the end, and of which a part can be run again quickly. All are tried once for all tests.
fn few() -> &'static [Case] {
    static FEW: OnceLock<Vec<Case>> = OnceLock::new();
    FEW.get_or_init(|| {
        let is_easy = |case: &Case| {
            let sim = run(case, 1);
            !sim.sim().is_finished() && sim.sim().handled() < 60_000 && sim.sim().handled() > 2_000
        };
        let easy: Vec<_> = shipped(END.0 + MS).into_iter().filter(is_easy).collect();
        let easy: Vec<_> = easy.into_iter().step_by(9).collect();
        assert!(easy.len() > 1);
        easy
    })
}

/// The largest cost of running again, in events, if there is room for all keyframes.
fn most_between_keyframes(replay: &Replay) -> u64 {
    8_192 + (replay.snapshot().len() / 16) as u64 + 1
}

#[test]
fn slices_that_are_no_longer_kept_are_found_again() {
    for case in few() {
        let (all, latest) = (run(case, 1 << 20), run(case, 50));
        for (from, to) in [(0, 20), (700, 720), (1_100, 1_200)] {
            let window = (SimTime(from * MS), SimTime(to * MS));
            let kept = all.slices(window.0, window.1, 1 << 20).expect("kept");
            let again = latest
                .slices(window.0, window.1, 1 << 20)
                .expect("soon found");
            assert!(kept.len() >= SLICE);
            // The run that went to that time may know more about slices that began before the window.
            let in_window = |rows: &[f64]| -> Vec<Vec<f64>> {
                let own = |r: &&[f64]| r[1] > from as f64 * 1e6;
                rows.chunks(SLICE)
                    .filter(own)
                    .map(<[f64]>::to_vec)
                    .collect()
            };
            assert_eq!(
                in_window(&kept),
                in_window(&again),
                "{} {from} ms",
                case.name
            );
            assert!(
                all.slices(window.0, window.1, 0).is_none(),
                "more than none"
            );
        }
    }
}

#[test]
#[allow(clippy::cast_possible_truncation)] // times and CPUs as rows hold them
fn the_slice_at_a_time_is_that_of_the_window_around_it() {
    for case in few() {
        let (all, latest) = (run(case, 1 << 20), run(case, 50));
        let rows = all.slices(SimTime::ZERO, SimTime(900 * MS), 1 << 20);
        let rows = rows.expect("kept");
        let (mut seen, mut asked) = (0, 0);
        for row in rows.chunks(SLICE) {
            // Every tenth slice with a known start, read in its middle.
            let middle = ((row[1] + row[2]) / 2.0) as u64;
            if row[1] == 0.0 || middle as f64 <= row[1] {
                continue;
            }
            asked += 1;
            if asked % 10 != 1 {
                continue;
            }
            seen += 1;
            let cpu = CpuId::new(row[0] as usize);
            for replay in [&all, &latest] {
                let found = replay.slice_at(cpu, SimTime(middle)).expect("soon found");
                let name = &case.name;
                assert_eq!(found[..2], row[..2], "{name} {middle}");
                assert_eq!(found[3..], row[3..], "{name} {middle}");
            }
            if seen > 20 {
                break;
            }
        }
        assert!(seen > 0, "{}", case.name);
    }
}

#[test]
fn the_slice_at_a_time_that_the_run_never_reached_is_its_latest() {
    for case in few() {
        let replay = run(case, 1 << 20);
        let now = replay.sim().now();
        for cpu in (0..case.plan.machine.cpu_count()).map(CpuId::new) {
            let at = |time| replay.slice_at(cpu, time);
            assert_eq!(at(SimTime(u64::MAX)), at(now), "{}", case.name);
        }
    }
}

#[test]
fn stretches_add_up_to_the_time_that_cpus_were_busy() {
    for case in few() {
        let mut replay = run(case, 1000);
        let cpus = case.plan.machine.cpu_count();
        let busy = |replay: &mut Replay| {
            let (begin, length, words) = replay.stretches(SimTime::ZERO, END, 400);
            assert_eq!(begin, SimTime::ZERO);
            let sum: u64 = words.chunks(WORDS).map(|s| u64::from(s[4])).sum();
            sum * length / 65_535
        };
        let found = busy(&mut replay);
        let ids = (0..cpus).map(CpuId::new);
        let sim = replay.sim_mut().refresh();
        let wanted: u64 = ids.map(|c| sim.cpu_account(c).busy_ns).sum();
        assert!(
            wanted.abs_diff(found) * 200 <= wanted,
            "{}: {found}, {wanted}",
            case.name
        );
        // Going back and forward again counts nothing twice, and what was recorded later stays known meanwhile.
        replay.seek(SimTime(300 * MS), u64::MAX);
        assert_eq!(busy(&mut replay), found);
        replay.seek(END, u64::MAX);
        assert_eq!(busy(&mut replay), found);
        // A short window is run again.
        let (_, length, words) = replay.stretches(SimTime(900 * MS), SimTime(910 * MS), 200);
        assert!(length <= 200_000 && words.len() % (WORDS * cpus) == 0);
    }
}

#[test]
fn another_future_is_recorded_anew() {
    let case = &shipped(END.0)[0];
    let mut replay = run(case, 1000);
    replay.seek(SimTime(634 * MS), u64::MAX);
    let edit = Edit::Kill { thread: None };
    replay.edit(edit, None).expect("valid");
    assert_eq!(replay.known_until(), replay.sim().now());
    replay.seek(END, u64::MAX);
    let cpus = case.plan.machine.cpu_count();
    let (_, length, words) = replay.stretches(SimTime::ZERO, END, 400);
    let sum: u64 = words.chunks(WORDS).map(|s| u64::from(s[4])).sum();
    let ids = (0..cpus).map(CpuId::new);
    let sim = replay.sim_mut().refresh();
    let wanted: u64 = ids.map(|c| sim.cpu_account(c).busy_ns).sum();
    assert!(wanted.abs_diff(sum * length / 65_535) * 200 <= wanted);
}

#[test]
fn totals_of_one_time_were_those_of_the_row_before() {
    for case in few() {
        let mut replay = run(case, 1000);
        let at = SimTime(777_777_777);
        let (length, rows) = replay.samples(at, at, &[TaskId(0)], 6);
        assert_eq!(rows.len(), length, "{}", case.name);
        #[allow(clippy::cast_possible_truncation)]
        let time = rows[0] as u64; // a whole number of nanoseconds
        assert_eq!(time, at.0, "{}", case.name);
    }
}

#[test]
fn samples_are_the_totals_of_the_accounts() {
    for case in few() {
        let mut replay = run(case, 1000);
        let before = outcome(replay.sim_mut());
        let tasks = [TaskId(0), TaskId(1)];
        let (length, rows) = replay.samples(SimTime(100 * MS), SimTime(1_000 * MS), &tasks, 40);
        let groups = case.plan.groups.len();
        let cpus = case.plan.machine.cpu_count();
        assert!(rows.len() / length >= 20, "{}", case.name);
        let head = 1 + CAUSES + groups + 1 + cpus;
        for row in rows.chunks(length) {
            #[allow(clippy::cast_possible_truncation)]
            let at = row[0] as u64; // a whole number of nanoseconds
            replay.seek(SimTime(at), u64::MAX);
            let a = replay.sim_mut().refresh().account(TaskId(0)).clone();
            assert_eq!(row[head], a.run_ns as f64, "{}", case.name);
            let causes = &row[head + 2..head + 2 + CAUSES];
            let counts = [a.switches as f64, a.migrations as f64];
            assert_eq!(
                row[head + 2 + CAUSES..head + TASK_SAMPLE],
                counts,
                "{}",
                case.name
            );
            let sum: f64 = causes.iter().sum();
            assert!((sum - row[head]).abs() < 100.0, "{}: {causes:?}", case.name);
        }
        replay.seek(END, u64::MAX);
        assert_same(&outcome(replay.sim_mut()), &before, &case.name);
    }
}

#[test]
fn a_position_is_an_event() {
    for case in few() {
        let mut replay = run(case, 1000);
        replay.seek(SimTime(600 * MS), u64::MAX);
        assert!(replay.step(StepKind::Event));
        let (at, number) = (replay.sim().now(), replay.sim().handled());
        let picture = outcome(replay.sim_mut());
        for elsewhere in [0, 600, 1_100] {
            replay.seek(SimTime(elsewhere * MS), u64::MAX);
            while !replay.seek_event(number, at, 1000) {}
            assert_same(&outcome(replay.sim_mut()), &picture, &case.name);
        }
    }
}

#[test]
fn a_seek_forward_runs_through_nothing_that_is_known() {
    for case in few() {
        let mut replay = run(case, 1000);
        let all = replay.sim().handled();
        let to = SimTime(1_010 * MS);
        replay.seek(to, u64::MAX);
        let wanted = outcome(replay.sim_mut());
        let until = replay.sim().handled();
        // A keyframe comes after a second at the latest, and sooner where much happens: then the whole distance between
        // two may have to be run again.
        let distance = most_between_keyframes(&replay);
        let most = if until > distance { distance } else { all / 4 };
        replay.seek(SimTime::ZERO, u64::MAX);
        assert!(replay.seek(to, most), "{}", case.name);
        assert_same(&outcome(replay.sim_mut()), &wanted, &case.name);
    }
}

#[test]
fn any_moment_is_near_a_keyframe_and_the_same_with_little_room_for_them() {
    for case in few() {
        let mut replay = run(case, 1000);
        let mut small = Replay::new(&case.plan, 0, Options::interactive());
        // Room for a few compressed keyframes: most of them are thinned out on the way.
        let size = replay.snapshot().len();
        small.set_room(size);
        small.seek(END, u64::MAX);
        let most = most_between_keyframes(&replay);
        for ms in [1_199, 70, 830, 1, 1_000, 415] {
            let to = SimTime(ms * MS);
            assert!(replay.seek(to, most), "{} at {ms} ms", case.name);
            small.seek(to, u64::MAX);
            let wanted = outcome(replay.sim_mut());
            assert_same(&outcome(small.sim_mut()), &wanted, &case.name);
        }
    }
}

#[test]
fn a_run_to_something_of_a_thread_stops_nowhere_else() {
    for case in few() {
        let mut replay = run(case, 200_000);
        replay.seek(SimTime(600 * MS), u64::MAX);
        let about = DecisionFilter {
            task: Some(TaskId(1)),
            cpu: None,
        };
        let kind = replay.step_kind("switch").expect("a kind");
        let mut found = None;
        while found.is_none() {
            found = replay.run_to(kind, about, 50);
        }
        if found == Some(false) {
            continue;
        }
        let is_its_own = |r: &&sim_run::trace::TraceRecord| {
            r.kind == TraceKind::Switch && (r.task == 1 || r.other == 1)
        };
        let here = replay.sim().now();
        let last = |replay: &Replay| {
            replay
                .sim()
                .trace()
                .kept()
                .iter()
                .rev()
                .find(is_its_own)
                .map(|r| r.at)
        };
        assert_eq!(last(&replay), Some(here), "{}", case.name);
        let mut found = None;
        while found.is_none() {
            found = replay.run_back_to(kind, about);
        }
        assert!(replay.sim().now() < here);
        if found == Some(true) {
            assert_eq!(last(&replay), Some(replay.sim().now()), "{}", case.name);
        }
    }
}

#[test]
fn an_edit_of_one_lane_leaves_the_others_alone() {
    let scenario = shipped_scenario("bfs-smt");
    let plan = Arc::new(validate::plan(&scenario).expect("valid"));
    let mut with = Replay::new(&plan, 0, Options::interactive());
    let mut without = Replay::new(&plan, 0, Options::interactive());
    for (replay, nice) in [(&mut with, 19), (&mut without, -20)] {
        replay.seek(SimTime(200 * MS), u64::MAX);
        let edit = Edit::SetNice {
            target: Target::default(),
            nice,
        };
        replay.edit(edit, Some(1)).expect("there is another lane");
        replay.seek(END, u64::MAX);
    }
    assert_same(
        &outcome(with.sim_mut()),
        &outcome(without.sim_mut()),
        "lane 0",
    );
    let nobody = Edit::SetNice {
        target: Target::default(),
        nice: 0,
    };
    with.seek(SimTime(200 * MS), u64::MAX);
    let errors = with
        .edit(nobody, Some(9))
        .expect_err("there is no such lane");
    assert_eq!(errors[0].path, "lane");
}
