//! The numbers that a class sees of Linux's releases (`tests/ledgers/linux-runs.toml`) are those of runs.

use super::linux_rows::{Row, rows};
use serde_json::json;
use sim_core::config::{Scenario, validate};
use sim_core::experiment::shipped;
use sim_measure::Measures;
use sim_measure::quantity::Quantity;
use std::collections::BTreeMap;

/// Lanes of a scenario.
const LANES: usize = 4;

impl Row {
    fn scenario(&self, eras: &[&str]) -> Scenario {
        let mut machine = shipped::file("machines/ideal").expect("a preset").clone();
        let packages = &mut machine["topology"]["packages"][0];
        packages["count"] = json!(self.packages);
        packages["nodes"][0]["llcs"][0]["cores"][0] =
            json!({ "count": self.cpus / self.packages / self.smt, "smt": self.smt });
        machine["topology"]["numbering"] = json!("coresFirst");
        let lane = |era: &&str| {
            json!({
                "id": if ["4.9", "6.1"].contains(era) { "cfs" } else { "eevdf" },
                "era": era,
                "tunables": { "hz": self.hz, "groupPerApplication": self.grouped },
            })
        };
        let kernel_threads = json!({ "wakesPerSecond": 20, "runNs": 20_000 });
        let scenario = json!({
            "version": 2,
            "name": self.what,
            "seed": 1,
            "machine": machine,
            "schedulers": eras.iter().map(lane).collect::<Vec<_>>(),
            "background": self.kernel_threads.then(|| json!({ "kernelThreads": kernel_threads })),
            "groups": self.groups,
            "edits": self.edits,
            "end": { "atNs": self.seconds * 1_000_000_000 },
        });
        validate::parse(&scenario.to_string()).expect(&self.what)
    }

    /// What the runs give, by era.
    fn runs(&self) -> BTreeMap<&str, f64> {
        let eras = self.expected.keys().chain(self.between.keys());
        let eras: Vec<&str> = eras.map(String::as_str).collect();
        let mut found = BTreeMap::new();
        for some in eras.chunks(LANES) {
            let text = format!("each({})", self.value);
            let mut values = Measures::new(self.scenario(some), 0)
                .values(&[&text])
                .expect(&self.what);
            let Quantity::List(values) = values.remove(0) else {
                panic!("{}: one value for each lane expected", self.what);
            };
            let scale = if self.unit == "ms" { 1e6 } else { 1.0 };
            for (era, value) in some.iter().zip(values) {
                let Quantity::Number(number, _) = value else {
                    panic!("{}, {era}: {}", self.what, value.name());
                };
                found.insert(*era, number / scale);
            }
        }
        found
    }
}

#[test]
fn what_a_class_sees_of_each_release_is_what_runs_give() {
    let mut wrong = Vec::new();
    for row in &rows() {
        assert_eq!(row.differs.is_empty(), row.why.is_empty(), "{}", row.what);
        for (era, run) in row.runs() {
            let around = || {
                let value = *row.differs.get(era).unwrap_or(&row.expected[era]);
                [value - row.within, value + row.within]
            };
            let [from, to] = row.between.get(era).copied().unwrap_or_else(around);
            if !(from..=to).contains(&run) {
                let (what, hz) = (&row.what, row.hz);
                wrong.push(format!(
                    "{what}, HZ {hz}, {era}: {run}, expected {from} to {to}"
                ));
            }
        }
        for (era, differs) in &row.differs {
            let far = (differs - row.expected[era]).abs() > row.within;
            assert!(far, "{}, {era}: a difference that is none", row.what);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
