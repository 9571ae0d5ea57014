//! The measure language over scenarios: distributions agree with reports, and the manual's examples are so.

use sim_core::config::cgroups::ControlGroup;
use sim_core::config::plan::Plan;
use sim_core::config::{Scenario, validate};
use sim_core::engine::{Options, Sim};
use sim_core::experiment::registry::SCENARIOS;
use sim_core::experiment::shipped;
use sim_core::property::{self, Set};
use sim_core::report::{self, RunReport};
use sim_measure::Measures;
use sim_measure::follow::Following;
use sim_measure::functions::{FUNCTIONS, named};
use sim_measure::quantity::{Format, Kind, Quantity};
use sim_measure::words::ENGLISH;
use std::collections::BTreeSet;
use std::sync::Arc;

const PAGE: &str = include_str!("../../../docs/manual/measures.md");
const WORKLOADS: &str = include_str!("../../../docs/manual/workloads.md");

fn shipped(id: &str, until_ns: u64) -> Scenario {
    let file = shipped::file(&format!("experiments/{id}")).expect("a shipped scenario");
    let mut scenario = validate::parse(&file.to_string()).expect("valid");
    scenario.end.at_ns = scenario.end.at_ns.min(until_ns);
    scenario
}

fn value(scenario: &Scenario, text: &str) -> Result<Quantity, String> {
    let mut values = Measures::new(scenario.clone(), 0).values(&[text])?;
    Ok(values.remove(0))
}

fn told(scenario: &Scenario, text: &str) -> String {
    let value = value(scenario, text).expect("a value");
    let text = Format::default().print(&value, &ENGLISH).expect("a text");
    text.replace('\u{202f}', " ")
}

fn ns(text: &str) -> u64 {
    let seconds = text.strip_suffix('s').expect("seconds");
    seconds.parse::<u64>().expect("a number") * 1_000_000_000
}

fn reported(plan: &Arc<Plan>, lane: usize) -> RunReport {
    let mut sim = Sim::new(plan, lane, Options::default());
    let end = sim.end();
    sim.run_until(end);
    report::report(&mut sim)
}

/// The sum and the largest of a list of times, and its length.
fn totals(value: &Quantity) -> (f64, f64, usize) {
    let Quantity::List(all) = value else {
        panic!("expected a list, found {}", value.name());
    };
    let times = all.iter().map(|item| match item {
        Quantity::Number(ns, _) => *ns,
        other => panic!("expected a time, found {}", other.name()),
    });
    let (mut sum, mut most) = (0.0, 0.0_f64);
    for time in times {
        sum += time;
        most = most.max(time);
    }
    (sum, most, all.len())
}

#[test]
fn waits_and_turns_of_every_shipped_scenario_add_up_to_its_report() {
    for (id, _) in SCENARIOS {
        let scenario = shipped(id, 200_000_000);
        let plan = Arc::new(validate::plan(&scenario).expect("valid"));
        for lane in 0..plan.lanes.len() {
            let report = reported(&plan, lane);
            let cpus = report.cpus.len() as u64;
            for group in &report.groups {
                let of = |what: &str| {
                    let text = format!("{what}({}, \"{}\")", lane + 1, group.name);
                    totals(&value(&scenario, &text).expect(&text))
                };
                let at = format!("{id}, lane {}, {}", lane + 1, group.name);
                let (waited, longest, _) = of("waits");
                let wait_ns = sim_core::metrics::real(group.wait_ns);
                assert!((waited - wait_ns).abs() < 0.5, "{at}: {waited} {wait_ns}");
                let reported = group.longest_wait_ns.max(group.longest_first_wait_ns);
                let reported = sim_core::metrics::real(reported);
                assert!(
                    (longest - reported).abs() < 0.5,
                    "{at}: {longest} {reported}"
                );
                let (ran, _, turns) = of("turns");
                assert!(
                    ran <= sim_core::metrics::real(group.cpu_ns) + 0.5,
                    "{at}: {ran}"
                );
                let open = group.switches - turns as u64;
                assert!(open <= cpus, "{at}: {turns} of {}", group.switches);
            }
        }
    }
}

#[test]
fn lengths_of_a_queue_are_those_at_each_millisecond() {
    for id in ["cfs-eevdf", "bfs-smt", "s2a-interactive-batch", "queueing"] {
        let scenario = shipped(id, 50_000_000);
        let times: Vec<String> = (3..=40).map(|ms| format!("{ms}ms")).collect();
        let (list, times) = ("queueLengths(2, 0, 3ms, 40ms)", times.join(", "));
        let each = format!("series(2, queue, 0, [{times}])");
        let (found, wanted) = (value(&scenario, list), value(&scenario, &each));
        assert_eq!(found.expect(list), wanted.expect(&each), "{id}");
    }
}

#[test]
fn a_slowdown_is_a_response_as_a_multiple_of_the_cpu_time_in_it() {
    let scenario = shipped("cfs-eevdf", 2_000_000_000);
    for lane in 1..=3 {
        let items = |text: &str| match value(&scenario, text).expect(text) {
            Quantity::List(all) => all,
            other => panic!("{text}: {}", other.name()),
        };
        let number = |q: &Quantity| match q {
            Quantity::Number(x, _) => *x,
            other => panic!("{}", other.name()),
        };
        let responses = items(&format!("responses({lane}, half)"));
        let slowdowns = items(&format!("slowdown({lane}, half)"));
        assert_eq!(responses.len(), slowdowns.len());
        let pairs = responses.iter().zip(&slowdowns);
        let used: f64 = pairs.map(|(r, s)| number(r) / number(s)).sum();
        let cpu = value(&scenario, &format!("cputime({lane}, half)")).expect("a time");
        // What it used since its last wake-up is not in a response yet: at most its burst of 5 ms.
        let open = number(&cpu) - used;
        assert!((-1.0..=5e6).contains(&open), "lane {lane}: {open}");
        assert!(slowdowns.iter().all(|s| number(s) >= 1.0), "lane {lane}");
        assert!(
            slowdowns.iter().any(|s| number(s) > 1.5) || lane == 1,
            "lane {lane}"
        );
    }
}

#[test]
fn the_examples_of_the_manual_are_so() {
    let mut found = 0;
    for cells in rows(PAGE, 4) {
        let [scenario, until, expression, expected] = &cells[..] else {
            panic!("four cells: {cells:?}");
        };
        let scenario = shipped(scenario, ns(until));
        assert_eq!(told(&scenario, expression), *expected, "{cells:?}");
        found += 1;
    }
    assert_eq!(found, 13);
}

/// The rows of a page's tables that begin with code and have so many cells: the cells, without the marks of code.
fn rows(page: &str, width: usize) -> impl Iterator<Item = Vec<String>> {
    page.lines()
        .filter(move |line| line.starts_with("| `") && line.matches('|').count() == width + 1)
        .map(|line| {
            let cells = line.trim_matches('|').split('|');
            cells
                .map(|c| c.trim().trim_matches('`').to_owned())
                .collect()
        })
}

#[test]
fn workloads_that_people_know_give_what_the_manual_says() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios/workloads");
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios/experiments");
    let files = std::fs::read_dir(folder).expect("a folder");
    let names = files.map(|file| file.expect("a file").file_name().into_string());
    let mut without_row: BTreeSet<String> = names.map(|name| name.expect("UTF-8")).collect();
    for cells in rows(WORKLOADS, 5) {
        let [name, with, expression, expected, _] = &cells[..] else {
            panic!("five cells: {cells:?}");
        };
        let file = format!("{name}.json");
        let read = |folder| std::fs::read_to_string(format!("{folder}/{file}"));
        let text = read(folder).or_else(|_| read(shipped)).expect(&file);
        let mut scenario = validate::parse(&text).expect(&file);
        if !with.is_empty() {
            let set = Set::parse(with).expect(with);
            scenario = property::changed(&scenario, &[set]).expect(with);
        }
        assert_eq!(told(&scenario, expression), *expected, "{cells:?}");
        without_row.remove(&file);
    }
    assert_eq!(without_row, BTreeSet::new());
}

#[test]
fn percentiles_take_the_nearest_rank() {
    let scenario = shipped("s3-nice", 1_000_000);
    for (text, expected) in [
        ("p([3ms, 1ms, 2ms], 50)", "2.00 ms"),
        ("p([3ms, 1ms, 2ms, 4ms], 50)", "2.00 ms"),
        ("p([3ms, 1ms, 2ms, 4ms], 51)", "3.00 ms"),
        ("p([3ms, 1ms], 0)", "1.00 ms"),
        ("p([3ms, 1ms], 100%)", "3.00 ms"),
        ("p([], 50)", "–"),
        ("cdf([1ms, 2ms, 3ms, 4ms], 2ms)", "50.0 %"),
        ("length([1, 1, 2])", "3"),
        ("rank([3, 1, 2, 1])", "2, 4, 3, 1"),
    ] {
        assert_eq!(told(&scenario, text), expected, "{text}");
    }
}

#[test]
fn what_is_wrong_is_told_with_its_column() {
    let scenario = shipped("cfs-eevdf", 1_000_000);
    for (text, expected) in [
        (
            "max(waits(1, hgo))",
            "column 14: nobody is called \"hgo\"; groups are hog, half, threads group-1",
        ),
        (
            "1 + share(1, \"hgo-1\")",
            "column 14: nobody is called \"hgo-1\"; groups are hog, half, threads group-1",
        ),
        ("elapsed(4)", "column 9: lane must be from 1 to 3"),
        ("nice(hgo)", "column 6: there is no group \"hgo\""),
        (
            "p(waits(1, hog), 101)",
            "column 18: argument percent of p: must be a number from 0 to 100",
        ),
        (
            "in(other, 1)",
            "column 4: argument run of in: there is no such run; there are none",
        ),
    ] {
        assert_eq!(value(&scenario, text), Err(format!("{text}: {expected}")));
    }
    for (text, expected) in [
        (
            "count(1, slice_expried)",
            "column 10: \"slice_expried\" is no reason of cfs; it has ",
        ),
        (
            "tunable(2, slcie)",
            "column 12: \"slcie\" is not a tunable of eevdf; there are ",
        ),
        (
            "value(1, wieght, hog)",
            "column 10: \"wieght\" is not a value of cfs; there are vruntimeNs, ",
        ),
        (
            "value(1, weight, cpu=0)",
            "column 10: \"weight\" is not a value of cfs; there are minVruntimeNs, ",
        ),
    ] {
        let said = value(&scenario, text).expect_err(text);
        assert!(said.starts_with(&format!("{text}: {expected}")), "{said}");
    }
}

#[test]
fn what_a_scheduler_keeps_is_a_number_of_a_thread_a_group_or_a_cpu() {
    let scenario = shipped("cfs-eevdf", 100_000_000);
    let weight = Quantity::Number(1024.0, Kind::Number);
    for (text, expected) in [
        ("value(1, weight, \"hog-1\")", weight.clone()),
        ("value(1, weight, hog)", Quantity::List(vec![weight])),
        ("value(1, nrRunning, cpu=0) >= 1", Quantity::Flag(true)),
        // The one that runs meanwhile gets on.
        (
            "value(1, vruntimeNs, \"hog-1\") > value(1, vruntimeNs, \"hog-1\", at=50ms) + 1ms",
            Quantity::Flag(true),
        ),
        // Only CFS has loads of its queues.
        (
            "each(exists(value(lane, cpuLoad1, cpu=0)))",
            Quantity::List([true, false, false].map(Quantity::Flag).to_vec()),
        ),
        ("value(1, turn)", Quantity::Missing),
    ] {
        assert_eq!(value(&scenario, text), Ok(expected), "{text}");
    }
    let wrong = value(&scenario, "value(1, weight, hog, 0)").expect_err("both");
    assert!(
        wrong.ends_with("a value is of a thread or of a CPU"),
        "{wrong}"
    );
}

#[test]
fn what_is_counted_of_a_control_group_is_a_count_or_a_time() {
    let scenario = serde_json::json!({
        "version": 2, "name": "limited", "machine": "ideal",
        "schedulers": [{ "id": "eevdf" }, { "id": "ule" }],
        "cgroups": {
            "pod": { "quotaUs": 40_000, "phaseUs": 0 },
            "web": { "parent": "pod" },
        },
        "groups": [{ "name": "hog", "count": 1, "cgroup": "web", "behaviour": { "kind": "loop" } }],
        "end": { "atNs": 1_000_000_000 },
    });
    let scenario = validate::parse(&scenario.to_string()).expect("valid");
    for text in [
        "cgroup(1, pod, nrPeriods) >= 9",
        "cgroup(1, pod, nrThrottled) == cgroup(1, pod, nrPeriods)",
        "cgroup(1, pod, throttledTime) > 500ms",
        // A limit above it has throttled it, and none of its own.
        "cgroup(1, web, throttledTime) == 0",
        "cgroup(1, web, throttledTimeInherited) == cgroup(1, pod, throttledTime)",
        "cgroup(1, pod, throttledTime, at=100ms) < 100ms",
        "length(waits(1, hog)) > 8",
    ] {
        assert_eq!(value(&scenario, text), Ok(Quantity::Flag(true)), "{text}");
    }
    // ULE has none.
    let of_ule = value(&scenario, "cgroup(2, pod, nrPeriods)");
    assert_eq!(of_ule, Ok(Quantity::Missing));
    for (text, expected) in [
        (
            "cgroup(1, pod, nrThrotled)",
            "\"nrThrotled\" is no count; there are nrPeriods,",
        ),
        (
            "cgroup(1, hog, nrThrottled)",
            "there is no control group \"hog\"",
        ),
    ] {
        let said = value(&scenario, text).expect_err(text);
        assert!(said.contains(expected), "{said}");
    }
}

#[cfg(feature = "policy")]
#[test]
fn what_a_program_keeps_is_a_number_like_others() {
    let program = "thread_state(\"turns\", 0)\ncpu_state(\"picks\", 0)\nstate(\"all\", 0)\n\n\
        def pick(cpu):\n    t = cpu.waiting[0]\n    t.turns += 1\n    cpu.picks += 1\n    \
        put(\"all\", get(\"all\") + 1)\n    return t\n\ndef slice(t):\n    return 10 * ms\n";
    let scenario = serde_json::json!({
        "version": 2, "name": "kept", "machine": "i7860",
        "schedulers": [{ "id": "own", "program": program }],
        "groups": [{ "name": "hog", "count": 4, "behaviour": { "kind": "compute" }, "allowed": [0, 1] }],
        "end": { "atNs": 1_000_000_000 },
    });
    let scenario = validate::parse(&scenario.to_string()).expect("valid");
    for text in [
        "value(1, all) > 150",
        "sum(value(1, turns, hog)) == value(1, all)",
        "value(1, picks, cpu=0) + value(1, picks, cpu=1) == value(1, all)",
        "value(1, turns, \"hog-2\", at=500ms) < value(1, turns, \"hog-2\")",
    ] {
        assert_eq!(value(&scenario, text), Ok(Quantity::Flag(true)), "{text}");
    }
    let wrong = value(&scenario, "value(1, turn)").expect_err("no such number");
    assert!(
        wrong.ends_with("the lane keeps no \"turn\"; it keeps all"),
        "{wrong}"
    );
}

#[test]
fn all_means_the_threads_of_the_workload() {
    let scenario = shipped("bfs-smt", 50_000_000);
    for (all, group) in [
        ("cputime(1, all)", "cputime(1, dhry)"),
        ("sum(waits(1, all))", "sum(waits(1, dhry))"),
        ("longestWait(1, all)", "longestWait(1, dhry)"),
    ] {
        assert_eq!(value(&scenario, all), value(&scenario, group), "{all}");
    }
}

#[test]
fn a_warm_up_is_left_out_where_a_window_has_no_start_of_its_own() {
    let scenario = shipped("cfs-eevdf", 1_000_000_000);
    let all = ["length(turns(1, hog))", "length(turns(1, hog, from=0))"];
    let later = Measures::new(scenario.clone(), 500_000_000).values(&all);
    let later = later.expect("values");
    let explicit = value(&scenario, "length(turns(1, hog, from=500ms))");
    assert_eq!(later[0], explicit.expect("a value"));
    assert_eq!(later[1], value(&scenario, all[0]).expect("a value"));
    assert_ne!(later[0], later[1]);
}

#[test]
fn a_followed_run_has_the_values_of_a_run_that_ends_there() {
    let scenario = shipped("bfs-smt", 300_000_000);
    let texts = [
        "p(latencies(lane, daemon), 90)",
        "sum(waits(lane, all))",
        "length(turns(lane, dhry))",
        "count(lane, slice_expired, from=20ms)",
        "share(lane, dhry, from=10ms, to=150ms)",
        "queue(lane, 0, 90ms)",
        "cputime(lane, dhry, to=moment(lane, slice_expired))",
        "metric(lane, migrations)",
        "settled(lane, 1)",
    ];
    for text in texts {
        let mut following = Following::new(scenario.clone());
        // On and on, back, and beyond the end.
        for until in [40_000_000, 40_000_000, 130_000_000, 70_000_000, 400_000_000] {
            let until = until.min(scenario.end.at_ns);
            let values = following.values(text, until).expect(text).values;
            let mut whole = scenario.clone();
            whole.end.at_ns = until;
            for (lane, value) in values.iter().enumerate() {
                let measures = Measures::new(whole.clone(), 0);
                let expected = measures.of_lane(lane).values(&[text]).expect(text);
                assert_eq!(*value, expected[0], "{text}, lane {lane}, {until}");
            }
            assert_eq!(values.len(), 3);
        }
    }
}

#[test]
fn a_followed_expression_has_one_value_where_it_compares_lanes() {
    let mut following = Following::new(shipped("bfs-smt", 50_000_000));
    for (text, expected) in [
        ("argmin(moves(lane))", 1),
        ("sum(each(moves(lane)))", 1),
        ("moves(2)", 1),
        ("moves(lane)", 3),
        ("max(waits(lane, dhry))", 3),
    ] {
        let now = following.values(text, 50_000_000).expect(text);
        assert_eq!(now.values.len(), expected, "{text}");
        assert_eq!(now.by_lane, expected > 1, "{text}");
    }
    for (text, expected) in [
        (
            "max(waits(lane, dhyr))",
            "column 17: nobody is called \"dhyr\"; groups are dhry, daemon, kthread, threads group-1",
        ),
        (
            "max(waits(lane)",
            "column 16: expected an operator, a comma or ), found the end",
        ),
        (
            "max(waits(lane))",
            "column 5: lacks who; it is waits(lane, who[, from, to])",
        ),
    ] {
        let wrong = following.values(text, 50_000_000).expect_err(text);
        assert_eq!(wrong.to_string(), expected);
    }
}

#[test]
fn lists_have_intervals_and_histograms() {
    let scenario = shipped("s3-nice", 1_000_000);
    for (text, expected) in [
        ("ci([1ms, 3ms])", "−10.7 ms, 14.7 ms"),
        ("ci([2, 2, 2, 2])", "2, 2"),
        ("ci([90%, 70%, 80%])", "55.2 %, 105 %"),
        ("ci([1ms])", "–"),
        ("ci([])", "–"),
        ("histogram([1ms, 2ms, 3ms, 4ms, 5ms], 2)", "2, 3"),
        ("histogram([1, 1, 1], 3)", "3, 0, 0"),
        (
            "histogram([0, 10, 9, 1, 5], 10)",
            "1, 1, 0, 0, 0, 1, 0, 0, 0, 2",
        ),
        ("histogram([], 3)", "–"),
    ] {
        assert_eq!(told(&scenario, text), expected, "{text}");
    }
    for (text, expected) in [
        (
            "histogram([1, 2], 0)",
            "column 19: argument n of histogram: must be a whole number from 1 to 1000",
        ),
        (
            "ci([1ms, 2])",
            "column 4: argument list of ci: has numbers of different kinds",
        ),
    ] {
        assert_eq!(value(&scenario, text), Err(format!("{text}: {expected}")));
    }
}

#[test]
fn every_function_has_a_sentence_and_says_how_it_is_called() {
    for f in FUNCTIONS {
        assert!(
            f.summary.ends_with('.') && f.needs <= f.parameters.len(),
            "{}",
            f.name
        );
    }
    let share = named("share").expect("a function");
    assert_eq!(share.usage(), "share(lane, who[, from, to])");
}

/// The kind of a value, as the table of functions says it.
fn kind(value: &Quantity) -> &'static str {
    match value {
        Quantity::Flag(_) => "yes or no",
        Quantity::List(_) => match value.unit() {
            "ns" => "times",
            "count" => "counts",
            "" => "numbers",
            other => panic!("a list in {other}"),
        },
        other => other.name(),
    }
}

#[test]
fn every_function_gives_a_value_of_its_kind() {
    let mut scenario = shipped("cfs-eevdf", 100_000_000);
    let group = ControlGroup::default();
    scenario.cgroups.insert("web".to_owned(), group);
    let all = [
        ("exit(1, hog)", "nothing"),
        ("elapsed(1)", "a time"),
        ("metric(1, throughput)", "as the measure"),
        ("cputime(1, hog)", "a time"),
        ("share(1, hog)", "a share"),
        ("missed(1, hog)", "nothing"),
        ("longestWait(1, hog)", "a time"),
        ("moves(1)", "a count"),
        ("count(1, slice_expired)", "a count"),
        ("operand(1, leftmost, 1, slice)", "as the number"),
        ("moment(1, leftmost, 1)", "a time"),
        ("queue(1, 0, 50ms)", "a count"),
        ("series(1, queue, 0, [20ms, 50ms])", "counts"),
        ("waits(1, hog)", "times"),
        ("latencies(1, half)", "times"),
        ("turns(1, hog)", "times"),
        ("responses(1, half)", "times"),
        ("slowdown(1, half)", "numbers"),
        ("queueLengths(1, 0)", "counts"),
        ("settled(1, 1)", "nothing"),
        ("value(1, weight, \"hog-1\")", "as the number"),
        ("cgroup(2, web, nrPeriods)", "as the count"),
        ("threads(hog)", "a count"),
        ("nice(hog)", "a number"),
        ("workingSet(hog)", "a count"),
        ("param(half, computeUs)", "as the parameter"),
        ("tunable(2, hz)", "as the tunable"),
        ("each(moves(lane))", "as x, a list"),
        ("nearest(2ms, [1ms, 3ms])", "a count"),
        ("rank([2ms, 1ms])", "counts"),
        ("argmin([2ms, 1ms])", "a count"),
        ("argmax([2ms, 1ms])", "a count"),
        ("min([2ms, 1ms])", "as the items"),
        ("max([2ms, 1ms])", "as the items"),
        ("sum([2ms, 1ms])", "as the items"),
        ("mean([2ms, 1ms])", "as the items"),
        ("p([2ms, 1ms], 50)", "as the items"),
        ("cdf([2ms, 1ms], 1ms)", "a share"),
        ("histogram([2ms, 1ms], 2)", "counts"),
        ("ci([2ms, 1ms])", "as the items, a list"),
        ("length([2ms, 1ms])", "a count"),
        ("missing([2ms, 0ms])", "a count"),
        ("item([2ms, 1ms], 1)", "as the item"),
        ("first([2ms, 1ms])", "as the item"),
        ("last([2ms, 1ms])", "as the item"),
        ("abs(-2ms)", "as x"),
        ("round(2.4ms, 1ms)", "as x"),
        ("exists(elapsed(1))", "yes or no"),
        ("if(true, 1ms, 2ms)", "as a or b"),
    ];
    let mut left: Vec<&str> = FUNCTIONS.iter().map(|f| f.name).collect();
    for (text, gives) in all {
        let name = text.split('(').next().unwrap_or_default();
        left.retain(|other| *other != name);
        let declared = named(name).expect("a function").gives;
        let found = value(&scenario, text).expect(text);
        let given = kind(&found);
        if gives == "nothing" {
            assert_eq!(given, gives, "{text}");
            assert!(["a time", "a share"].contains(&declared), "{text}");
        } else if gives.starts_with("as ") {
            assert_eq!(declared, gives, "{text}");
            assert_ne!(found, Quantity::Missing, "{text}");
        } else {
            assert_eq!((given, declared), (gives, gives), "{text}");
        }
    }
    left.retain(|name| !named(name).is_some_and(|f| f.of_lessons));
    assert!(left.is_empty(), "without an example: {left:?}");
}
