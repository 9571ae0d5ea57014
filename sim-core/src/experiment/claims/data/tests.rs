use super::*;
use crate::experiment::results::Seen;
use crate::experiment::stats::Estimate;
use crate::experiment::{claims, run, shipped};
use serde_json::json;

fn shipped(name: &str) -> &'static Json {
    shipped::file(&format!("claims/{name}")).expect("shipped")
}

/// What is told about a shipped file with one text in place of another.
fn told(name: &str, from: &str, to: &str) -> String {
    let text = shipped(name).to_string();
    assert!(text.contains(from), "{name} has no {from}");
    let changed: Json = serde_json::from_str(&text.replacen(from, to, 1)).expect("JSON");
    Data::read(name, &changed).expect_err(to).to_string()
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    for (from, to, path, message) in [
        (
            "- there)",
            "- their)",
            "claims/s3: measures.meanError.value: mean(",
            "column 44: the word must be one of after, apart, ",
        ),
        (
            "mean(changes)",
            "meen(changes)",
            "claims/s3: measures.meanChange.value: meen(changes): column 1: ",
            "the function must be one of in, samples, over, published, ",
        ),
        (
            "\"over\":[\"era=15-2024\",\"nice\"]",
            "\"over\":[\"era=15-2024\",\"nise\"]",
            "claims/s3: S3-before.values[0].over: ",
            "the axis must be one of era, latency, nice, nice/current, nice/series; got \"nise\"",
        ),
        (
            "era=15-2024\"",
            "era=14\"",
            "claims/s3: S3-before.values[0].over: ",
            "era must be one of 15-2024, 16-2025; got \"14\"",
        ),
        (
            "\"measure\":\"rise\",\"over\"",
            "\"measure\":\"raise\",\"over\"",
            "claims/s3: S3-before.values[2].measure: ",
            "the measure must be one of share, meanError, rise, ",
        ),
        (
            "over(nice, in(nice, end(share)))",
            "over(nice, in(nize, end(share)))",
            "claims/s3: let.shares: ",
            "column 15: the runs must be one of nice, web; got \"nize\"",
        ),
        (
            "over(nice, in(nice, end(share)))",
            "over(nice, in(nice, end(shaer)))",
            "claims/s3: let.shares: ",
            "column 25: the column must be one of share; got \"shaer\"",
        ),
        (
            "\"max(changes)\"",
            "\"max(end(share))\"",
            "claims/s3: measures.largestChange.value: ",
            "column 5: end(column) stands within in(runs, …)",
        ),
        (
            "\"max(changes)\"",
            "\"max(cputime(1, first))\"",
            "claims/s3: measures.largestChange.value: ",
            "the function must be one of in, ",
        ),
        (
            "\"max(changes)\"",
            "\"max(changes\"",
            "claims/s3: measures.largestChange.value: ",
            "expected an operator, a comma or )",
        ),
        (
            "published('/first/meanChange')",
            "published('/first/meenChange')",
            "claims/s3: measures.meanChange.published: ",
            "there is no \"/first/meenChange\" in published/s3-nice",
        ),
        (
            "\"probe\":\"latency\"",
            "\"probe\":\"latencies\"",
            "claims/s3: runs.web.probe: ",
            "it must be one of exits, ",
        ),
        (
            "\"scenario\":\"s3-browsers\"",
            "\"scenario\":\"s9\"",
            "claims/s3: runs.web.scenario: ",
            "it must be one of bfs-smt, ",
        ),
        (
            "\"probe\":\"latency\"",
            "\"prope\":\"latency\"",
            "claims/s3: ",
            "unknown field `prope`",
        ),
        (
            "\"place\":\"nice\"",
            "\"plaec\":\"nice\"",
            "claims/s3: ",
            "unknown field `plaec`",
        ),
    ] {
        let text = told("s3", from, to);
        assert!(text.starts_with(path), "{text}\n{path}");
        assert!(text.contains(message), "{text}\n{message}");
    }
}

/// Two measures over runs of two lanes with seeds.
fn small() -> &'static Data {
    let file = json!({
        "experiment": "X",
        "axes": {
            "lane": [{ "lane": "cfs", "name": "CFS" }, { "lane": "ule", "name": "ULE", "set": { "machine": "v890" } }],
            "n": [1, 2],
            "other": [{ "what": "on the other", "lane": "ule" }],
        },
        "let": { "rate": "grown(workNs) / grown(elapsedNs)" },
        "runs": { "dhry": {
            "key": "X/{lane}/{n}", "scenario": "s4-dhrystone", "lane": { "id": "{lane}" }, "probe": "totals",
            "seeds": "seeds", "set": { "groups.dhry.count": "{n}", "end.atNs": "{(1 + seconds) * 1s}" },
            "at": ["1s", { "every": "1s", "from": "2s", "to": "3s" }],
        } },
        "measures": [
            { "id": "gain", "label": "gain", "at": "# threads", "of": "{name}, {n + 1}", "place": "n", "value":
              "in(dhry, rate) / in(dhry, rate, n=1)", "times": ["100"], "published": "n / 2", "under": "other" },
            { "id": "scatter", "label": "scatter", "value": "max(samples(dhry, rate)) - min(samples(dhry, rate))" },
        ],
        "pages": [],
        "claims": [{
            "id": "X1", "experiment": "X", "page": "x", "kind": "validation", "statement": "", "source": "",
            "expectedVerdict": "holds",
            "values": [
                { "measure": "gain", "over": ["lane=cfs", "n=2"] },
                { "measure": "scatter", "over": ["lane=cfs", "n=2"] },
            ],
            "measures": [{ "measure": "gain", "bound": { "from": 1 }, "reason": "" }],
        }],
    });
    Box::leak(Box::new(Data::read("x", &file).expect("valid")))
}

const EFFORT: Effort = Effort {
    seeds: 3,
    seconds: 9,
};

#[test]
fn what_a_value_asks_for_is_run_once_for_each_seed() {
    let data = small();
    let runs = data.runs(&data.file.claims[0], EFFORT).expect("valid");
    let keys: Vec<&str> = runs.iter().map(|run| run.key.as_str()).collect();
    let seeds = |words: &str| [1, 2, 3].map(|seed| format!("X/{words}/{seed}"));
    let wanted = ["cfs/2", "cfs/1", "ule/2", "ule/1"].map(seeds).concat();
    assert_eq!(keys, wanted);
    assert_eq!(runs[1].at, [1, 2, 3].map(|s| s * 1_000_000_000));
    let scenario = runs[1].value().expect("valid");
    assert_eq!(scenario["seed"], 2);
    assert_eq!(scenario["end"]["atNs"], 10_000_000_000_u64);
    assert_eq!(scenario["groups"][0]["count"], 2);
    assert_eq!(scenario["schedulers"][0]["id"], "cfs");
    assert_ne!(scenario["machine"], "v890");
    assert_eq!(runs[6].value().expect("valid")["machine"], "v890");
}

#[test]
fn a_value_is_the_expression_over_the_means_and_its_interval_that_of_the_jackknife() {
    let data = small();
    let claim = &data.file.claims[0];
    let mut results = Results::new(EFFORT);
    let samples = |scale: f64| [2.0, 3.0, 5.0].map(|x| x * x / scale);
    for (words, scale) in [
        ("cfs/2", 1.0),
        ("cfs/1", 2.5),
        ("ule/2", 4.0),
        ("ule/1", 4.0),
    ] {
        for (seed, rate) in (1..).zip(samples(scale)) {
            let seen = Seen {
                columns: ["elapsedNs", "workNs"].map(str::to_owned).to_vec(),
                values: vec![10.0, 5.0, 110.0, 5.0 + 100.0 * rate],
            };
            results.add(format!("X/{words}/{seed}"), seen);
        }
    }
    let values = data.values(claim, &results).expect("valid");
    let [value, scatter] = &values[..] else {
        panic!("{values:?}")
    };
    let ratio =
        |above: f64, below: f64| Estimate::ratio(&samples(above), &samples(below)).times(100.0);
    assert_eq!(value.estimate, ratio(1.0, 2.5));
    assert_eq!(
        (value.of.as_str(), value.at, value.published),
        ("CFS, 3", Some(2.0), Some(1.0))
    );
    assert_eq!(value.band, [("on the other".to_owned(), ratio(4.0, 4.0))]);
    // The values of seeds as a list have no part in an interval.
    assert_eq!(scatter.estimate, Estimate::exact(21.0));
    // A run without results has no value yet.
    let none = data.values(claim, &Results::new(EFFORT)).expect("valid");
    assert!(none[0].estimate.mean.is_nan());
}

/// Runs that are read several times, and figures of their readings.
fn read() -> &'static Data {
    let line = |kind: &str, lists: Json| {
        json!({
            "id": kind, "title": "", "definition": "{2 * 3} readings", "kind": kind, "x": { "label": "" },
            "y": { "label": "" }, "moment": { "originNs": 0, "perXNs": 1 },
            "series": [{ "id": "l", "label": "L", "lists": lists, "provenance": "stated" }],
        })
    };
    let file = json!({
        "experiment": "X",
        "axes": { "row": [{ "row": 0, "what": "one" }, { "row": 1, "what": "two" }] },
        "let": {
            "spread": "max(now('cpu/*/n')) - min(now('cpu/*/n'))",
            "start": "reading(1, now(at))",
            "even": "firstReading(spread == 0)",
            "steps": "sum(readings(now(moves) - before(moves), 2, even))",
        },
        "runs": { "release": {
            "key": "X", "scenario": "s4-dhrystone", "lane": { "id": "ule" }, "probe": "queues", "seeds": "seeds",
            "set": { "end.atNs": "{10s + seed * 1s}" }, "at": ["1000000000 * seed", "9s"],
        } },
        "measures": [
            { "id": "even", "label": "", "at": "seed #", "value":
              "samples(release, reading(even, now(at)) - start)", "published": "4" },
            { "id": "steps", "label": "", "value": "in(release, steps)" },
            { "id": "end", "label": "", "value": "in(release, sum(end('cpu/*/n')))" },
            { "id": "never", "label": "", "value": "in(release, reading(lastReading(now(moves) > 99), spread))" },
        ],
        "pages": [{ "id": "x", "figures": [
            line("overTime", json!({
                "x": "samples(release, readings(now(at) - start))", "y": "samples(release, readings(spread))",
            })),
            line("heat", json!({
                "x": "samples(release, thinned(readings(now(at)), readings(now(at))), seeds=1)",
                "y": "samples(release, readings(spread), seeds=1)",
                "rows": "samples(release, readings(now('cpu/*/n')), seeds=1)",
            })),
            line("curves", json!({ "y": "sorted(sum(samples(release, end('cpu/*/n'))) / 2)" })),
            {
                "id": "table", "title": "", "definition": "", "kind": "table", "x": { "label": "" }, "y": { "label": "" },
                "rows": { "over": ["row"], "label": "{what}", "unit": "s" }, "fair": 2, "series": [{
                    "id": "c", "label": "C", "mark": { "x": "2 * 3", "label": "{seeds}" },
                    "points": { "over": ["row"], "x": "row", "y": "in(release, item([steps, end(moves)], row + 1))" },
                }],
            },
        ] }],
        "claims": [{
            "id": "X1", "experiment": "X", "page": "x", "kind": "validation", "statement": "", "source": "",
            "expectedVerdict": "holds", "measures": [],
            "values": [
                { "measure": "even" }, { "measure": "steps" }, { "measure": "end" }, { "measure": "never" },
            ],
        }],
    });
    Box::leak(Box::new(Data::read("x", &file).expect("valid")))
}

/// Queues of two CPUs that become even: at the third reading of one seed, at the second of the other.
fn queues() -> Results {
    let mut results = Results::new(TWO);
    let columns = ["at", "moves", "cpu/0/n", "cpu/1/n"];
    let first = [1.0, 0.0, 8.0, 0.0, 3.0, 2.0, 6.0, 2.0, 5.0, 4.0, 4.0, 4.0];
    let second = [2.0, 0.0, 6.0, 2.0, 4.0, 2.0, 4.0, 4.0];
    for (seed, values) in [(1, first.to_vec()), (2, second.to_vec())] {
        let columns = columns.map(str::to_owned).to_vec();
        results.add(format!("X/{seed}"), Seen { columns, values });
    }
    results
}

const TWO: Effort = Effort {
    seeds: 2,
    seconds: 9,
};

#[test]
fn expressions_read_a_run_at_each_of_its_readings() {
    let data = read();
    let values = data.values(&data.file.claims[0], &queues()).expect("valid");
    // A list is a value for each item.
    let even: Vec<_> = values[..2].iter().map(|v| (v.at, v.estimate)).collect();
    let at = |place: f64, x| (Some(place), Estimate::exact(x));
    assert_eq!(even, [at(1.0, 4.0), at(2.0, 2.0)]);
    assert!(values[..2].iter().all(|v| v.published == Some(4.0)));
    assert_eq!(values[2].estimate, Estimate::mean(&[4.0, 2.0]));
    assert_eq!(values[3].estimate, Estimate::mean(&[8.0, 8.0]));
    assert!(values[4].estimate.mean.is_nan());
}

#[test]
fn a_run_may_depend_on_its_seed() {
    let data = read();
    let runs = data.runs(&data.file.claims[0], TWO).expect("valid");
    let second = 1_000_000_000_u64;
    assert_eq!(runs[1].at, [2 * second, 9 * second]);
    let scenario = runs[1].value().expect("valid");
    assert_eq!(scenario["end"]["atNs"], 12 * second);
}

#[test]
fn lists_are_points_maps_and_rows() {
    let data = read();
    let figures = data.figures("x", &queues()).expect("valid");
    let points = |figure: usize| -> Vec<(f64, f64)> {
        let points = figures[figure].series[0].points.iter();
        points.map(|p| (p.x, p.estimate.mean)).collect()
    };
    // As many as both seeds have, at the places of the first.
    assert_eq!(points(0), [(0.0, 6.0), (2.0, 2.0)]);
    let [first, second] = &figures[0].series[0].points[..] else {
        panic!("two")
    };
    assert_eq!(first.estimate, Estimate::mean(&[8.0, 4.0]));
    assert_eq!(first.keys, ["X/1", "X/2"]);
    assert!(second.keys.is_empty());
    assert_eq!(figures[0].definition, "6 readings");
    // There are no published points.
    assert_eq!(figures[0].series[0].provenance, "");
    assert_eq!(points(1), [(1.0, 8.0), (3.0, 4.0), (5.0, 0.0)]);
    assert_eq!(figures[1].series[0].points[0].keys, ["X/1"]);
    let rows = [vec![8.0, 0.0], vec![6.0, 2.0], vec![4.0, 4.0]];
    assert_eq!(figures[1].series[0].rows, rows);
    assert_eq!(points(2), [(1.0, 4.0), (2.0, 4.0)]);
    assert_eq!(figures[2].series[0].points[0].estimate.half, None);
    let table = &figures[3];
    assert_eq!(table.fair, Some(2.0));
    let labels: Vec<&str> = table.row_labels.iter().map(|r| r.label.as_str()).collect();
    assert_eq!(labels, ["one", "two"]);
    assert_eq!(points(3), [(0.0, 3.0), (1.0, 3.0)]);
    let mark = table.series[0].mark.as_ref().expect("a mark");
    assert_eq!((mark.x, mark.label.as_str()), (6.0, "2"));
    // Without results there are no points, and the same runs are asked for.
    let none = data.figures("x", &Results::new(TWO)).expect("valid");
    assert!(none.iter().all(|f| f.series[0].points.is_empty()));
    let runs = data.more("x", TWO).expect("valid");
    let keys: Vec<&str> = runs.iter().map(|run| run.key.as_str()).collect();
    assert_eq!(keys, ["X/1", "X/2"]);
}

#[test]
#[ignore = "carries out all runs of six pages: `npm run nightly -- rust`"]
fn every_line_has_points_once_all_runs_are_there() {
    for page in ["s1", "s2a", "s2b", "s2c", "s2d", "s2e"] {
        let mut results = Results::new(Effort {
            seeds: 1,
            seconds: 1,
        });
        let before = claims::figures(page, &results).expect("a page");
        for run in claims::page_runs(page, "", results.effort()).expect("a page") {
            let scenario = run::scenario(&run).expect(&run.key);
            let seen = run::execute(&scenario, run.columns, &run.at).expect(&run.key);
            results.add(run.key, seen);
        }
        let after = claims::figures(page, &results).expect("a page");
        assert_eq!(before.len(), after.len(), "{page}");
        for (empty, figure) in before.iter().zip(&after) {
            assert_eq!(empty.series.len(), figure.series.len(), "{page}");
            for (nothing, line) in empty.series.iter().zip(&figure.series) {
                let name = format!("{page} {} {}", figure.id, line.id);
                assert!(nothing.points.is_empty(), "{name}");
                assert!(!line.points.is_empty(), "{name}");
                assert!(!line.points[0].keys.is_empty(), "{name}");
                assert!(
                    line.rows.is_empty() || line.rows.len() == line.points.len(),
                    "{name}"
                );
            }
        }
    }
}

#[test]
fn values_of_an_axis_are_chosen_one_by_one_and_by_ranges() {
    let data = Data::read("s3", shipped("s3")).expect("valid");
    let (axis, chosen) = data.chosen("nice=-5,0..2").expect("they exist");
    let chosen: Vec<i64> = chosen.iter().filter_map(|x| x.as_i64()).collect();
    assert_eq!((axis, &chosen[..]), ("nice", &[-5, 0, 1, 2][..]));
    let effort = Bound::new(EFFORT);
    let places = data.places(&effort, &["nice/series=-2..0".to_owned()]);
    let places = places.expect("they exist");
    let nice: Vec<String> = places.iter().map(|place| place.text("nice")).collect();
    assert_eq!(nice, ["0", "-2"]);
    let told = data.chosen("nice=30..40").expect_err("none");
    assert!(told.starts_with("nice must be one of -20, "), "{told}");
}

#[test]
fn a_name_that_is_made_of_itself_is_told() {
    let text = shipped("s3").to_string();
    let text = text.replace("over(nice, in(nice, end(share)))", "rises + 1");
    let text = text.replace("\"let\":{", "\"let\":{\"rises\":\"shares * 2\",");
    let data =
        Data::read("s3", &serde_json::from_str(&text).expect("JSON")).expect("its names exist");
    let data: &'static Data = Box::leak(Box::new(data));
    let claim = &data.file.claims[0];
    let told = data.runs(claim, EFFORT).expect_err("no end");
    assert!(told.contains("is made of itself"), "{told}");
}

#[test]
fn a_text_is_filled_by_what_stands_in_braces() {
    assert_eq!(
        parts("a{b}c{d}"),
        [("a", false), ("b", true), ("c", false), ("d", true)]
    );
    assert_eq!(parts("{b}"), [("b", true)]);
    assert_eq!(parts("{b"), [("{b", false)]);
}
