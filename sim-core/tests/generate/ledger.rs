//! What changed in Linux, for readers: `docs/linux.md`, from one release to the next, and each rule of EEVDF. The ledger of
//! EEVDF is complete: it contains each switch of the scheduler, and everything that it names exists.

use super::{linux_runs, root, settle};
use serde::Deserialize;
use sim_core::params::ParamKind;
use sim_core::sched::registry::ALL;
use std::fs;

const HEAD: &str = "# Linux: what changed when

Written by `npm run generate` from `sim-core/tests/ledgers/*.toml`; do not edit. Timeslice runs all
columns, 7.2 beside them, and 2.6.34 before them. Numbers of 4.9, 6.1 and 6.12
come from running functions of these kernels, those of 6.6, 6.18 and 7.3 from models of their rules. Turns, waits and shares are
those of a machine with 8 CPUs or more and of nice 0, unless the row says something else. “=” is as in the column before. “–” was
not computed, or does not exist there.

";

const RULES: &str = "
## EEVDF: rules, releases, switches

The model is that of Linux 6.12.117; its era 6.6 lacks what came later, and its era 6.18 has what came then (as of 6.18.45).
Its eras 7.2 and 7.3 add the rules of 7.2.12 and 7.3.4, of one CPU and of balancing, and 7.3 its one queue for all groups. What changed between, and what the kernel itself can switch (`features.h`), is a tunable each.
The cases are facts about the kernel's code in `sim-core/tests/conformance/eevdf-*`: *run* ones were found by running that code,
the others were worked out from its rules. [model.md](model.md) says what is left out.

| Rule | Since | Switch | Default of 6.12, else of the first that has it | Shown by |
| --- | --- | --- | --- | --- |
";

/// Tunables that are not rules: sizes and the kernel's configuration.
const NO_RULES: [&str; 18] = [
    "tunableScaling",
    "migrationCostNs",
    "nrMigrate",
    "hz",
    "tickOrderSeed",
    "groupPerApplication",
    "groupShares",
    "preempt",
    "schedSmt",
    "priorityInheritance",
    "rtRuntimeUs",
    "rtPeriodUs",
    "fairServerRuntimeUs",
    "fairServerPeriodUs",
    "numaScanDelayMs",
    "numaScanPeriodMinMs",
    "numaScanPeriodMaxMs",
    "numaScanSizeMib",
];

/// What changed from one release to the next.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Releases {
    columns: Vec<String>,
    row: Vec<Topic>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Topic {
    topic: String,
    /// One for each column; an empty one is like the column before.
    cells: Vec<String>,
}

impl Releases {
    fn table(&self, wrong: &mut Vec<String>) -> String {
        let line = |cells: &[&str]| format!("| {} |\n", cells.join(" | "));
        let names = self.columns.iter().map(String::as_str);
        let head: Vec<&str> = std::iter::once("").chain(names).collect();
        let mut out = line(&head) + &line(&vec!["---"; head.len()]);
        for Topic { topic, cells } in &self.row {
            if cells.len() != self.columns.len() || cells[0].is_empty() {
                wrong.push(format!("\"{topic}\" needs a cell for each column"));
            }
            let shown = cells.iter().map(|c| if c.is_empty() { "=" } else { c });
            let all: Vec<&str> = std::iter::once(topic.as_str()).chain(shown).collect();
            out.push_str(&line(&all));
        }
        out
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ledger {
    row: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    rule: String,
    release: String,
    switch: Option<String>,
    /// Prefixes of case ids; those of the era 6.6 begin with `6.6: `.
    #[serde(default)]
    cases: Vec<String>,
    /// Tests of hooks, for rules that no scenario can show.
    #[serde(default)]
    tests: Vec<String>,
    /// The reason why no case or test shows it.
    unshown: Option<String>,
}

#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    id: String,
    source: String,
}

/// All cases of EEVDF, those of 6.6 with `6.6: ` before their ids.
fn all_cases() -> Vec<Case> {
    let mut all = Vec::new();
    for (folder, prefix) in [
        ("eevdf-6.12", ""),
        ("eevdf-6.18", "6.18: "),
        ("eevdf-7.2", "7.2: "),
        ("eevdf-7.3", "7.3: "),
        ("eevdf-6.6", "6.6: "),
    ] {
        let folder = root().join("sim-core/tests/conformance").join(folder);
        let mut files: Vec<_> = fs::read_dir(folder).expect("there").collect();
        files.sort_by_key(|f| f.as_ref().expect("readable").path());
        for file in files {
            let text = fs::read_to_string(file.expect("readable").path()).expect("readable");
            let found: Cases = toml::from_str(&text).expect("cases");
            all.extend(found.case.into_iter().map(|case| Case {
                id: format!("{prefix}{}", case.id),
                ..case
            }));
        }
    }
    all
}

/// The default of a tunable, in words; `switch` may be no tunable, which has none.
fn default(switch: &str) -> String {
    let eevdf = ALL.find("eevdf").expect("registered");
    let mut all = eevdf.eras.iter().flat_map(|era| era.tunables);
    let spec = all.find(|t| t.id == switch);
    match spec.map(|s| s.kind) {
        Some(ParamKind::Flag { default }) => if default { "on" } else { "off" }.to_owned(),
        Some(ParamKind::Int { default, .. }) => default.to_string(),
        _ => String::new(),
    }
}

fn cell(text: &str) -> String {
    text.trim().replace('|', "\\|")
}

fn document(
    releases: &Releases,
    ledger: &Ledger,
    cases: &[Case],
    wrong: &mut Vec<String>,
) -> String {
    let runs = linux_runs::section(&["4.9", "6.1", "6.6", "6.12", "6.18", "7.2", "7.3"]);
    let mut out = HEAD.to_owned() + &releases.table(wrong) + &runs + RULES;
    for row in &ledger.row {
        let mut shown = Vec::new();
        for begin in &row.cases {
            let of: Vec<&Case> = cases.iter().filter(|c| c.id.starts_with(begin)).collect();
            let run = of.iter().any(|c| c.source.contains("by running the code"));
            if of.is_empty() {
                wrong.push(format!("no case begins with \"{begin}\""));
            }
            shown.push(if run {
                format!("{begin} (run)")
            } else {
                begin.clone()
            });
        }
        shown.extend(row.tests.iter().map(|t| format!("`{t}`")));
        shown.extend(row.unshown.iter().cloned());
        if shown.is_empty() {
            wrong.push(format!("nothing shows \"{}\"", row.rule));
        }
        let switch = row.switch.as_deref().unwrap_or("");
        let name = if switch.contains(' ') || switch.is_empty() {
            switch.to_owned()
        } else {
            format!("`{switch}`")
        };
        let cells = [
            &row.rule,
            &row.release,
            &name,
            &default(switch),
            &shown.join("; "),
        ];
        let cells: Vec<String> = cells.iter().map(|c| cell(c)).collect();
        out.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    out
}

#[test]
fn the_ledger_of_eevdf_is_whole() {
    let read = |name: &str| {
        let path = root().join("sim-core/tests/ledgers").join(name);
        fs::read_to_string(path).expect("there")
    };
    let ledger: Ledger = toml::from_str(&read("eevdf.toml")).expect("a ledger");
    let releases: Releases = toml::from_str(&read("linux.toml")).expect("releases");
    let mut wrong = Vec::new();
    let eevdf = ALL.find("eevdf").expect("registered");
    let tunables = eevdf.eras.iter().flat_map(|e| e.tunables);
    for tunable in tunables {
        let listed = ledger
            .row
            .iter()
            .any(|r| r.switch.as_deref() == Some(tunable.id));
        if !listed && !NO_RULES.contains(&tunable.id) {
            wrong.push(format!("the ledger lacks the switch {}", tunable.id));
        }
    }
    let text = document(&releases, &ledger, &all_cases(), &mut wrong);
    settle(&root().join("docs/linux.md"), &text, &mut wrong);
    wrong.dedup();
    assert!(wrong.is_empty(), "{wrong:#?}\n{}", super::HOW);
}
