//! The measure language over scenarios: distributions agree with reports, and the manual's examples are so.

use sim_core::config::plan::Plan;
use sim_core::config::{Scenario, validate};
use sim_core::engine::{Options, Sim};
use sim_core::experiment::registry::SCENARIOS;
use sim_core::experiment::shelf;
use sim_core::report::{self, RunReport};
use sim_measure::Measures;
use sim_measure::quantity::{Format, Quantity};
use sim_measure::words::ENGLISH;
use std::sync::Arc;

const PAGE: &str = include_str!("../../../docs/manual/measures.md");

fn shipped(id: &str, until_ns: u64) -> Scenario {
    let file = shelf::file(&format!("experiments/{id}")).expect("a shipped scenario");
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
    Format::default().print(&value, &ENGLISH).expect("a text")
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
fn the_examples_of_the_manual_are_so() {
    let rows = PAGE
        .lines()
        .filter(|line| line.starts_with("| `") && line.matches('|').count() == 5);
    let mut found = 0;
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [scenario, until, expression, expected] = cells[..] else {
            panic!("four cells: {row}");
        };
        let scenario = shipped(scenario.trim_matches('`'), ns(until));
        let value = told(&scenario, expression.trim_matches('`'));
        assert_eq!(value.replace('\u{202f}', " "), expected, "{row}");
        found += 1;
    }
    assert_eq!(found, 12);
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
            "column 5: nobody is called \"hgo\"; groups are hog, half, threads group-1",
        ),
        (
            "1 + share(1, \"hgo-1\")",
            "column 5: nobody is called \"hgo-1\"; groups are hog, half, threads group-1",
        ),
        ("elapsed(4)", "column 1: lane must be from 1 to 3"),
        ("nice(hgo)", "column 1: there is no group \"hgo\""),
        (
            "p(waits(1, hog), 101)",
            "column 18: percent of p: must be a number from 0 to 100",
        ),
        (
            "in(other, 1)",
            "column 4: run of in: there is no such run; there are none",
        ),
    ] {
        assert_eq!(value(&scenario, text), Err(format!("{text}: {expected}")));
    }
    for (text, expected) in [
        (
            "count(1, slice_expried)",
            "column 1: \"slice_expried\" is no reason of cfs; it has ",
        ),
        (
            "tunable(2, slcie)",
            "column 1: \"slcie\" is not a tunable of eevdf; there are ",
        ),
    ] {
        let said = value(&scenario, text).expect_err(text);
        assert!(said.starts_with(&format!("{text}: {expected}")), "{said}");
    }
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
