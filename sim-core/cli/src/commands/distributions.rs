//! `timeslice run FILE --distributions`

use crate::output::{self, Failure};
use serde::Serialize;
use sim_core::config::plan::Plan;
use sim_host::format::with_unit;
use sim_measure::Measures;

/// Lists of times of the measure language.
const LISTS: [&str; 4] = ["waits", "latencies", "turns", "responses"];

/// Percentiles: the number, and its heading.
const PERCENTILES: [(&str, &str); 5] = [
    ("50", "P50"),
    ("90", "P90"),
    ("95", "P95"),
    ("99", "P99"),
    ("99.9", "P99.9"),
];

/// How the times of a list are distributed, in one group of one lane.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row<'a> {
    /// From 1.
    lane: usize,
    scheduler: &'a str,
    era: &'a str,
    group: &'a str,
    list: &'static str,
    count: u64,
    /// In ns, by name; the last is the maximum.
    ns: serde_json::Map<String, serde_json::Value>,
}

/// What is asked of one list: its length, its percentiles and its maximum.
fn expressions(list: &str) -> impl Iterator<Item = String> {
    let percentiles = PERCENTILES.map(|(p, _)| format!("p({list}, {p})"));
    std::iter::once(format!("length({list})"))
        .chain(percentiles)
        .chain(std::iter::once(format!("max({list})")))
}

/// Prints how waits, wake-ups, turns and responses of each group are distributed; `from_ns` leaves a warm-up out.
pub(crate) fn run(plan: &Plan, from_ns: u64, as_json: bool) -> Result<(), Failure> {
    let groups = plan.groups.iter().filter(|group| !group.background);
    let groups: Vec<&str> = groups.map(|group| group.name.as_str()).collect();
    let mut rows = Vec::new();
    let mut asked = Vec::new();
    for (i, lane) in plan.lanes.iter().enumerate() {
        for group in &groups {
            for list in LISTS {
                asked.extend(expressions(&format!("{list}({}, \"{group}\")", i + 1)));
                rows.push((i + 1, lane, *group, list));
            }
        }
    }
    let values = Measures::new(plan.scenario.clone(), from_ns).values(&asked);
    let values = values.map_err(|message| Failure::new("--distributions", message))?;
    let each = PERCENTILES.len() + 2;
    let rows = rows.into_iter().zip(values.chunks(each)).filter_map(
        |((lane, of, group, list), values)| {
            let count = values[0].json().as_u64().filter(|count| *count > 0)?;
            let names = PERCENTILES.iter().map(|(_, name)| *name).chain(["max"]);
            let ns = names
                .zip(&values[1..])
                .map(|(name, value)| (name.to_owned(), value.json()));
            Some(Row {
                lane,
                scheduler: of.info.id,
                era: of.era.id,
                group,
                list,
                count,
                ns: ns.collect(),
            })
        },
    );
    let rows: Vec<Row<'_>> = rows.collect();
    if as_json {
        output::json(&rows);
    } else {
        print(&rows);
    }
    Ok(())
}

fn print(rows: &[Row<'_>]) {
    let headings = PERCENTILES.iter().map(|(_, name)| *name).chain(["max"]);
    let headings: String = headings.map(|name| format!("{name:>12}")).collect();
    let mut last = 0;
    for row in rows {
        if row.lane != last {
            last = row.lane;
            let (lane, scheduler, era) = (row.lane, row.scheduler, row.era);
            output::line(&format!("\n{lane} {scheduler} {era}"));
            output::line(&format!(
                "  {:<20} {:<10} {:>10}{headings}",
                "group", "", "count"
            ));
        }
        let times = row.ns.values().map(|ns| {
            let text = ns
                .as_f64()
                .map_or_else(|| "-".to_owned(), |ns| with_unit(ns, "ns"));
            format!("{text:>12}")
        });
        let times: String = times.collect();
        output::line(&format!(
            "  {:<20} {:<10} {:>10}{times}",
            row.group, row.list, row.count
        ));
    }
}
