use super::*;
use crate::experiment::registry;
use serde_json::json;

fn sweep(axes: &Value) -> Sweep {
    let text = json!({ "name": "t", "base": "bfs-smt", "axes": axes, "metrics": ["throughput"] });
    parse(&text.to_string()).expect("valid")
}

fn space_over(base: &str, sweep: Sweep) -> Result<Space, Vec<ConfigError>> {
    Space::new(sweep, &registry::scenario(base).expect("shipped"))
}

fn space(axes: &Value) -> Result<Space, Vec<ConfigError>> {
    space_over("bfs-smt", sweep(axes))
}

/// The first error of axes.
fn message(axes: &Value) -> String {
    space(axes).expect_err("wrong")[0].to_string()
}

/// A scenario of fifty milliseconds, with these axes.
fn short(mut axes: Vec<Value>) -> Value {
    axes.push(json!({ "vary": "path", "id": "/end/atNs", "values": [50_000_000] }));
    Value::Array(axes)
}

fn rows(space: &Space) -> Vec<Row> {
    let points = (0..space.points()).map(|i| space.point(i));
    let run = |plan: &_, lane| run_while(plan, lane, space.from_ns(), u64::MAX, &|| true);
    points.flat_map(|p| space.rows(&p, run)).collect()
}

#[test]
fn the_first_axis_varies_slowest() {
    let space = space(&json!([
        { "vary": "count", "group": "dhry", "values": [1, 2] },
        { "vary": "seed", "values": [5, 6, 7] },
    ]))
    .expect("valid");
    let at: Vec<(u32, u64)> = (0..space.points())
        .map(|i| space.point(i).plan.expect("valid"))
        .map(|plan| (plan.groups[0].count, plan.seed))
        .collect();
    assert_eq!(at, [(1, 5), (1, 6), (1, 7), (2, 5), (2, 6), (2, 7)]);
    let at = [("count", json!(2)), ("seed", json!(6))];
    assert_eq!(space.point(4).at, at.map(|(k, v)| (k.to_owned(), v)));
}

#[test]
fn everything_that_is_named_can_be_varied() {
    let space = space(&json!([
        { "vary": "nice", "values": [7] },
        { "vary": "workingSet", "values": [4096] },
        { "vary": "param", "id": "workMs", "values": [9] },
        { "vary": "machine", "values": ["v890"] },
        // This axis comes before the schedulers to which it applies.
        { "vary": "tunable", "id": "slice", "values": [3] },
        { "vary": "era", "values": ["2013-06"] },
        { "vary": "scheduler", "values": ["4bsd"] },
        { "vary": "path", "id": "/end/atNs", "values": [1_000_000] },
        { "vary": "path", "name": "first", "id": "/groups/0/name", "values": ["loop"] },
    ]))
    .expect("valid");
    let plan = space.point(0).plan.expect("valid");
    let group = &plan.groups[0];
    assert_eq!((group.nice, group.working_set_bytes), (7, 4096));
    assert_eq!(group.params.get("workMs"), 9);
    assert_eq!(group.name, "loop");
    assert_eq!(plan.machine.cpu_count(), 16);
    let lane = &plan.lanes[0];
    assert_eq!((lane.info.id, lane.era.id), ("4bsd", "2013-06"));
    assert_eq!(lane.params.get("slice"), 3);
    assert_eq!(plan.end_ns, 1_000_000);
    // An axis with the name of a column that every row has gets a prefix.
    let names = ["machine", "scheduler", "era"].map(|n| format!("varied_{n}"));
    assert!(names.iter().all(|n| space.headings().contains(n)));
}

#[test]
fn what_is_wrong_with_a_sweep_is_named() {
    for (axis, part) in [
        (
            json!({ "vary": "count", "group": "x", "values": [1] }),
            "axes[0]: must be one of dhry",
        ),
        (json!({ "vary": "seed", "values": [] }), "make 0 points"),
        (
            json!({ "vary": "tunable", "values": [1] }),
            "axes[0]: \"tunable\" needs an id",
        ),
        (
            json!({ "vary": "param", "id": "speed", "values": [1] }),
            "axes[0]: must be one of workMs",
        ),
        (
            json!({ "vary": "nice", "scheduler": "bfs", "values": [1] }),
            "axes[0].scheduler: only era and tunable are a scheduler's, not nice",
        ),
        (
            json!({ "vary": "seed", "group": "dhry", "values": [1] }),
            "axes[0].group: only count, nice, workingSet and param are a group's, not seed",
        ),
        (
            json!({ "vary": "seed", "id": "x", "values": [1] }),
            "axes[0].id: only param, tunable and path have one, not seed",
        ),
        (
            json!({ "vary": "seed", "name": "status", "values": [1] }),
            "axes[0].name: every row has a column \"status\"",
        ),
        (
            json!({ "vary": "seed", "name": "throughput", "values": [1] }),
            "axes[0].name: every row has a column \"throughput\"",
        ),
    ] {
        let text = message(&json!([axis]));
        assert!(text.contains(part), "{text}");
    }
    let twice = json!([{ "vary": "seed", "values": [1] }, { "vary": "seed", "values": [2] }]);
    assert!(message(&twice).contains("two axes"));
}

#[test]
fn a_pointer_leads_to_a_place_of_a_scenario() {
    for (id, part) in [
        ("/a/b", "expected one of answer, ask,"),
        ("/groups/7/nice", "\"/groups/7/nice\" leads nowhere"),
        (
            "/groups/0/nise",
            "axes[0]: after groups.dhry. comes no \"nise\", expected one of allowed,",
        ),
        ("/groups/9", "leads nowhere"),
        ("seed", "a JSON pointer begins with /"),
        (
            "/schedulers/0/tunables/nothing",
            "there is no tunable \"nothing\"; 1 has ",
        ),
    ] {
        let text = message(&json!([{ "vary": "path", "id": id, "values": [1] }]));
        assert!(text.contains(part), "{id}: {text}");
    }
    // A field that the base does not contain may be one that a scenario can have: some value must fit.
    for id in [
        "/groups/0/workingSetBytes",
        "/schedulers/0/tunables/rrIntervalMs",
    ] {
        let axes = json!([{ "vary": "path", "id": id, "values": [-1, 5] }]);
        let space = space(&axes).expect("valid");
        let fits = [0, 1].map(|i| space.point(i).plan.is_ok());
        assert_eq!(fits, [false, true], "{id}");
    }
}

#[test]
fn a_tunable_is_varied_where_a_lane_has_it() {
    let base = "s0-v890";
    let tunables = |axis: &Value| {
        let space = space_over(base, sweep(&json!([axis]))).map_err(|e| e[0].to_string())?;
        let plan = space.point(0).plan.expect("valid");
        let lanes = plan.scenario.schedulers.iter();
        let ids = lanes.map(|l| (l.id.clone(), l.tunables.keys().cloned().collect::<Vec<_>>()));
        Ok::<_, String>(ids.collect::<Vec<_>>())
    };
    let lanes = |bsd: &[&str], ule: &[&str]| {
        let one =
            |id: &str, t: &[&str]| (id.to_owned(), t.iter().map(|t| (*t).to_owned()).collect());
        Ok(vec![one("4bsd", bsd), one("ule", ule)])
    };
    let axis = |scheduler: Option<&str>, id: &str| {
        let value = if id == "hz" { 500 } else { 5 };
        let mut axis = json!({ "vary": "tunable", "id": id, "values": [value] });
        if let Some(scheduler) = scheduler {
            axis["scheduler"] = scheduler.into();
        }
        tunables(&axis)
    };
    assert_eq!(axis(None, "hz"), lanes(&["hz"], &["hz"]));
    assert_eq!(axis(Some("4bsd"), "hz"), lanes(&["hz"], &[]));
    // 4BSD has the tunable only in later eras.
    assert_eq!(axis(None, "slice"), lanes(&[], &["slice"]));
    assert_eq!(axis(Some("ule"), "slice"), lanes(&[], &["slice"]));
    assert_eq!(axis(None, "stealThresh"), lanes(&[], &["stealThresh"]));
    let wrong = axis(Some("4bsd"), "stealThresh").expect_err("4BSD does not steal");
    assert!(
        wrong.starts_with("axes[0]: there is no tunable \"stealThresh\"; 4bsd has "),
        "{wrong}"
    );
    let wrong = axis(None, "rrIntervalMs").expect_err("no BFS here");
    assert!(
        wrong.contains("; * has ") && wrong.contains("stealThresh"),
        "{wrong}"
    );
    let wrong = axis(Some("bfs"), "slice").expect_err("no BFS here");
    assert!(
        wrong.contains("or a scheduler, one of 4bsd, ule; got \"bfs\""),
        "{wrong}"
    );
}

#[test]
fn schedulers_that_are_varied_are_lanes_as_well() {
    let mut sweep = sweep(&json!([
        { "vary": "tunable", "scheduler": "ule", "id": "stealThresh", "values": [1, 2] },
        { "vary": "scheduler", "values": ["4bsd", "ule"] },
    ]));
    sweep.metrics.clear();
    let space = space_over("bfs-smt", sweep).expect("valid");
    let identities: Vec<_> = (0..4).map(|i| space.point(i).identity(0)).collect();
    assert!(identities.iter().all(Option::is_some));
    // The value does not concern 4BSD, so the same run occurs twice.
    assert_eq!(identities[0], identities[2]);
    assert_ne!(identities[1], identities[3]);
}

#[test]
fn what_is_left_out_and_what_is_default_is_the_same_run() {
    let space = space_over(
        "s0-v890",
        sweep(&json!([
            { "vary": "path", "name": "n", "id": "/name", "values": ["a", "b"] },
            { "vary": "path", "name": "t", "id": "/schedulers/1/tunables", "values": [{}, { "stealThresh": 0 }, { "stealThresh": 3 }] },
        ])),
    )
    .expect("valid");
    let ule = crate::sched::registry::ALL.find("ule").expect("there");
    let mut tunables = ule.era(Some("2011-11")).expect("there").tunables.iter();
    let spec = tunables.find(|t| t.id == "stealThresh").expect("there");
    assert_eq!(spec.default_value(), 0);
    let of = |point, lane| space.point(point).identity(lane).expect("valid");
    assert_eq!(of(0, 1), of(1, 1));
    assert_eq!(of(0, 1), of(3, 1), "the name does not matter");
    assert_ne!(of(0, 1), of(2, 1));
    assert_eq!(of(0, 0), of(2, 0), "what the other lane does, neither");
    assert_ne!(of(0, 0), of(0, 1));
}

#[test]
fn a_point_that_cannot_be_run_is_a_row() {
    let axes = short(vec![json!({ "vary": "nice", "values": [33, 3] })]);
    let space = space(&axes).expect("the sweep is right");
    let rows = rows(&space);
    assert_eq!(rows.len(), 2 * 3);
    for row in &rows[..3] {
        assert_eq!(row.status, Status::Invalid);
        let message = "groups[0].nice: must be from -20 to 20";
        assert!(row.message.starts_with(message), "{}", row.message);
        assert_eq!(
            (row.values.as_slice(), row.digest.as_str()),
            (&[None][..], "")
        );
        assert_eq!((row.machine.as_str(), row.run_seed), ("i7860", Some(1)));
    }
    let schedulers: Vec<&str> = rows[..3].iter().map(|r| r.scheduler.as_str()).collect();
    assert_eq!(schedulers, ["bfs", "manual", "random"]);
    for row in &rows[3..] {
        assert_eq!((row.status, row.message.as_str()), (Status::Ok, ""));
        assert!(row.events > Some(0) && row.digest.len() == 16);
    }
}

#[test]
fn a_run_that_breaks_down_is_a_row_and_the_others_go_on() {
    let space = space(&short(vec![])).expect("valid");
    let rows = space.rows(&space.point(0), |plan, lane| match lane {
        1 => Err("something is wrong".to_owned().into()),
        _ => run(plan, lane),
    });
    let seen: Vec<_> = rows.iter().map(|r| (r.lane, r.status)).collect();
    assert_eq!(
        seen,
        [(0, Status::Ok), (1, Status::Failed), (2, Status::Ok)]
    );
    assert_eq!(rows[1].message, "something is wrong");
}

#[test]
fn a_run_in_slices_is_the_same_run_and_ends_where_it_is_told() {
    let space = space(&json!([
        { "vary": "path", "id": "/end/atNs", "values": [400_000_000_000_u64] },
    ]))
    .expect("valid");
    let point = space.point(0);
    let plan = point.plan.as_ref().expect("valid");
    let whole = run(plan, 1).expect("ends");
    assert!(whole.events > SLICE, "{}", whole.events);
    let asked = std::cell::Cell::new(0);
    let goes_on = || {
        asked.set(asked.get() + 1);
        true
    };
    let sliced = run_while(plan, 1, 0, whole.events + 1, &goes_on).expect("ends");
    assert_eq!(sliced.report.digest, whole.report.digest);
    assert_eq!(asked.get(), whole.events / SLICE);
    let limit = run_while(plan, 1, 0, 1_000, &|| true).expect_err("too many");
    assert_eq!(limit, Unfinished::Limit(1_000));
    let row = space.row_of(&point, 1, |_, _| Err(limit.clone()));
    let row = row.expect("a row");
    assert_eq!(row.status, Status::Limit);
    assert_eq!(row.message, "not at its end after 1000 events");
    let stopped = run_while(plan, 1, 0, u64::MAX, &|| false).expect_err("stopped");
    assert_eq!(stopped, Unfinished::Stopped);
    assert!(
        space
            .row_of(&point, 1, |_, _| Err(Unfinished::Stopped))
            .is_none()
    );
    let killed = space.killed(&point, 1, "gone".to_owned());
    assert_eq!(
        (killed.status.word(), killed.scheduler.as_str()),
        ("killed", "manual")
    );
}

/// The first row of a sweep over a shipped scenario with a warm-up.
fn first_row(from_ns: u64, metrics: &[&str]) -> Row {
    let mut sweep = sweep(&json!([{ "set": "end.atNs", "values": [400_000_000] }]));
    sweep.metrics = metrics.iter().map(|&m| m.to_owned()).collect();
    sweep.from_ns = from_ns;
    let space = space_over("bfs-smt", sweep).expect("valid");
    rows(&space).swap_remove(0)
}

#[test]
fn a_warm_up_is_left_out_of_metrics_and_expressions_and_changes_no_run() {
    let turns = [
        "length(turns(lane, all))",
        "length(turns(lane, all, from=100ms))",
    ];
    let asked = ["switches", turns[0], turns[1]];
    let (whole, late) = (first_row(0, &asked), first_row(100_000_000, &asked));
    assert_eq!(whole.digest, late.digest);
    assert_eq!(late.status, Status::Ok, "{}", late.message);
    assert!(late.values[0] < whole.values[0], "{late:?}");
    assert_eq!(late.values[1], late.values[2]);
    assert!(late.values[1] < whole.values[1], "{late:?}");
    let never = first_row(400_000_000, &asked);
    assert_eq!(
        (never.status, never.message.as_str()),
        (
            Status::Invalid,
            "from: must be before the end of the run (400000000 ns)"
        )
    );
}

#[test]
fn a_warm_up_is_part_of_what_a_run_is_known_by() {
    let key = |from_ns| {
        let mut sweep = sweep(&short(vec![]));
        sweep.from_ns = from_ns;
        let space = space_over("bfs-smt", sweep).expect("valid");
        space.point(0).identity(0).expect("valid")
    };
    assert_ne!(key(0), key(1));
    assert_ne!(key(1), key(2));
}

#[test]
fn how_often_a_reason_was_given_is_a_measure() {
    let mut sweep = sweep(&short(vec![]));
    sweep.metrics = [
        "reason:earliest_deadline",
        "reason:idle_steal",
        "reason:dithered",
    ]
    .map(str::to_owned)
    .to_vec();
    let space = space_over("bfs-smt", sweep.clone()).expect("valid");
    let values = &rows(&space)[0].values;
    assert!(values[0] > Some(0.0), "{values:?}");
    assert_eq!(values[1], None, "BFS does not steal");
    assert_eq!(values[2], Some(0.0), "BFS 0.318 never dithers");
    sweep.metrics = vec!["reason:good_luck".to_owned()];
    let errors = space_over("bfs-smt", sweep).expect_err("no such reason");
    assert!(errors[0].message.contains("good_luck"), "{errors:?}");
}

#[test]
fn groups_and_threads_are_measured_as_reports_have_them() {
    let mut sweep = sweep(&short(vec![]));
    let ids = [
        "dhry/cpuNs",
        "dhry/longestWaitNs",
        "thread/2/cpuNs",
        "thread/dhry-3/cpuNs",
        "thread/5000/cpuNs",
        "dhry/share",
    ];
    sweep.metrics = ids.map(str::to_owned).to_vec();
    let space = space_over("bfs-smt", sweep).expect("valid");
    let point = space.point(0);
    let report = run(point.plan.as_ref().expect("valid"), 0)
        .expect("ends")
        .report;
    let values = space.rows(&point, run)[0].values.clone();
    let group = report
        .groups
        .iter()
        .find(|g| g.name == "dhry")
        .expect("there");
    assert_eq!(values[0], Some(crate::metrics::real(group.cpu_ns)));
    assert_eq!(values[1], Some(crate::metrics::real(group.longest_wait_ns)));
    assert_eq!(report.threads[2].name, "dhry-3");
    assert_eq!(
        values[2],
        Some(crate::metrics::real(report.threads[2].cpu_ns))
    );
    assert_eq!(values[2], values[3]);
    assert_eq!(values[4], None, "there is no such thread");
    assert_eq!(values[5], Some(group.share));
}

#[test]
fn every_column_of_groups_and_threads_is_one_of_its_report() {
    use crate::experiment::parts::{OF_GROUP, OF_THREAD};
    let space = space(&short(vec![])).expect("valid");
    let plan = space.point(0).plan.expect("valid");
    let report = serde_json::to_value(run(&plan, 0).expect("ends").report).expect("plain");
    let numbers = |of: &Value| {
        let fields = of.as_object().expect("an object").iter();
        let numbers = fields.filter(|(k, v)| (v.is_number() || *k == "exitedAtNs") && *k != "nice");
        let mut numbers: Vec<String> = numbers.map(|(k, _)| k.clone()).collect();
        numbers.sort();
        numbers
    };
    let mut ids: Vec<&str> = OF_GROUP.iter().map(|c| c.0).collect();
    ids.sort_unstable();
    assert_eq!(numbers(&report["groups"][0]), ids);
    let mut ids: Vec<&str> = OF_THREAD.iter().map(|c| c.0).collect();
    ids.sort_unstable();
    assert_eq!(numbers(&report["threads"][0]), ids);
}

#[test]
fn a_measure_that_does_not_exist_names_those_that_do() {
    for (id, part) in [
        ("speedOfLight", "must be one of elapsedNs, "),
        (
            "dhry/speed",
            "after the group must come one of threads, cpuNs, ",
        ),
        (
            "cat/cpuNs",
            "before the / must stand one of the groups dhry, ",
        ),
        (
            "thread/0/share",
            "after the thread must come one of cpuNs, ",
        ),
        (
            "thread/dhry-0/cpuNs",
            "the thread must be a number from 0, or the name",
        ),
        (
            "thread/-1/cpuNs",
            "the thread must be a number from 0, or the name",
        ),
    ] {
        let mut sweep = sweep(&json!([]));
        sweep.metrics = vec!["throughput".to_owned(), id.to_owned()];
        let error = space_over("bfs-smt", sweep).expect_err("no such measure");
        assert_eq!(error[0].path, "metrics[1]");
        assert!(
            error[0].message.starts_with(part),
            "{id}: {}",
            error[0].message
        );
    }
}

#[test]
fn a_row_has_what_was_asked_for() {
    let space = space(&short(vec![])).expect("valid");
    let rows = rows(&space);
    let schedulers: Vec<&str> = rows.iter().map(|r| r.scheduler.as_str()).collect();
    assert_eq!(schedulers, ["bfs", "manual", "random"]);
    assert_eq!(space.measures(), ["throughput"]);
    assert!(rows[1].values[0].is_some_and(|v| v > 0.0));
}

#[test]
fn a_measure_may_be_an_expression_about_the_rows_lane() {
    let sweep = |metrics: Value| {
        let axes = short(vec![]);
        let text = json!({ "name": "t", "base": "cfs-eevdf", "axes": axes, "metrics": metrics });
        space_over("cfs-eevdf", parse(&text.to_string()).expect("a sweep"))
    };
    let asked = json!([
        "p(latencies(lane, half), 99)",
        "half/waitNs",
        "sum(waits(lane, half))"
    ]);
    for row in rows(&sweep(asked).expect("valid")) {
        assert_eq!(row.status, Status::Ok, "{}", row.message);
        assert!(row.values[0].is_some());
        assert_eq!(row.values[1], row.values[2]);
    }
    for (wrong, expected) in [
        (
            "p(latencies(lane, hlaf), 99)",
            "metrics[0]: column 19: nobody is called",
        ),
        ("latencies(lane, half", "metrics[0]: column 21: expected"),
    ] {
        let errors = sweep(json!([wrong])).expect_err("wrong");
        assert!(errors[0].to_string().starts_with(expected), "{}", errors[0]);
    }
    for row in rows(&sweep(json!(["waits(lane, half)"])).expect("valid")) {
        assert_eq!(row.status, Status::Failed);
        assert_eq!(
            row.message,
            "waits(lane, half): must give a number, gives a list"
        );
    }
}
