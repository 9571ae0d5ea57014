//! What must hold for a row, so that a mistake ends the build and says where it is.

use crate::file::{Row, Table};
use std::collections::BTreeSet;

/// Kinds of decisions; a test compares them with those of the contract.
pub const KINDS: &[&str] = &[
    "selectCpu",
    "pickNext",
    "preempt",
    "noPreempt",
    "sliceEnd",
    "requeue",
    "priority",
    "inherit",
    "steal",
    "balance",
    "refuse",
    "migrate",
];

/// Units of operands that the page and the command line can say. Empty: a plain number.
pub const UNITS: &[&str] = &[
    "", "ns", "us", "ms", "s", "atNs", "%", "threads", "CPUs", "cores", "pages", "bytes", "ticks",
    "task", "cgroup", "1/1000", "1/1024", "1/2048",
];

/// Who can decide a move.
pub const MOVERS: &[&str] = &[
    "wake", "pick", "steal", "balance", "forced", "random", "other",
];

/// A decision has room for so many numbers.
const MOST_OPERANDS: usize = 4;

/// Names in braces that are no operands: the thread and the CPU.
const ALWAYS: [&str; 2] = ["who", "where"];

/// What is wrong with a table, by row and field.
pub(crate) fn table(table: &Table) -> Result<(), String> {
    let mut ids = BTreeSet::new();
    let mut taken = BTreeSet::new();
    for (at, r) in table.rows.iter().enumerate() {
        let nowhere = r.shared.is_some() && table.shared.is_none();
        let from = nowhere.then(|| "shared: the file names no folder".to_owned());
        let wrong = from.or_else(|| row(r).err()).or_else(|| {
            let again = !ids.insert(&r.id) || r.shared.as_ref().is_some_and(|s| !taken.insert(s));
            again.then(|| "id: there is another such row".to_owned())
        });
        if let Some(wrong) = wrong {
            let from = r.shared.as_ref().zip(table.shared.as_ref());
            let or = from.map_or_else(String::new, |(id, file)| format!(", or {id} of {file}"));
            return Err(format!("row {at} ({}{or}), {wrong}", r.id));
        }
    }
    Ok(())
}

/// What is wrong with rows for other tables. Whoever takes them has their fields checked.
pub(crate) fn lent(table: &Table, takers: &[&Table]) -> Result<(), String> {
    for (at, r) in table.rows.iter().enumerate() {
        let takes = |t: &&Table| t.rows.iter().any(|own| own.shared.as_ref() == Some(&r.id));
        says(takers.iter().any(takes), || {
            format!("row {at} ({}), id: no table takes it", r.id)
        })?;
    }
    Ok(())
}

fn row(r: &Row) -> Result<(), String> {
    let starts = r.id.starts_with(|c: char| c.is_ascii_lowercase());
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    says(starts && r.id.chars().all(letters), || {
        format!("id: {:?} is no name of small letters, digits and _", r.id)
    })?;
    one_of("kind", &r.kind, KINDS)?;
    says(!r.function.is_empty(), || "function: missing".to_owned())?;
    let operands = r.operands();
    says(operands.len() <= MOST_OPERANDS, || {
        format!("operands: {} are more than {MOST_OPERANDS}", operands.len())
    })?;
    let mut names = BTreeSet::new();
    for (name, unit) in operands {
        says(!name.is_empty() && names.insert(name.as_str()), || {
            format!("operands: {name:?} has no name of its own")
        })?;
        says(!ALWAYS.contains(&name.as_str()), || {
            format!("operands: {{{name}}} has a meaning already")
        })?;
        one_of("operands", unit, UNITS)?;
    }
    let known = |field: &str, name: &str| {
        says(names.contains(name), || {
            format!("{field}: no operand {name:?}")
        })
    };
    for (field, text) in [
        ("sentence", Some(&r.sentence)),
        ("formula", r.formula.as_ref()),
        ("deviation", r.deviation.as_ref()),
    ] {
        let Some(text) = text else { continue };
        let ends = text.ends_with('.');
        says(ends == (field != "formula"), || match ends {
            true => format!("{field}: a formula has no full stop"),
            false if text.is_empty() => format!("{field}: missing"),
            false => format!("{field}: a sentence ends with a full stop"),
        })?;
        for name in names_in(text).filter(|name| !ALWAYS.contains(name)) {
            known(field, name)?;
        }
    }
    match &r.mover {
        Some(mover) => one_of("mover", mover, MOVERS)?,
        None => says(r.kind != "migrate", || {
            "mover: missing for a move".to_owned()
        })?,
    }
    says(r.mover.is_none() || r.kind == "migrate", || {
        format!("mover: its kind is {}, not migrate", r.kind)
    })?;
    if let Some(operand) = &r.waits_on {
        known("waitsOn", operand)?;
    }
    if let Some(offer) = &r.offer {
        known("try", &offer.to)?;
    }
    Ok(())
}

fn says(holds: bool, wrong: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(wrong()) }
}

fn one_of(field: &str, word: &str, allowed: &[&str]) -> Result<(), String> {
    says(allowed.contains(&word), || {
        format!("{field}: {word:?} is none of {allowed:?}")
    })
}

/// The names in braces; words behind a name agree with its number: `{waiting|waits|wait}`.
fn names_in(text: &str) -> impl Iterator<Item = &str> {
    let inside = text
        .split('{')
        .skip(1)
        .filter_map(|part| part.split_once('}'));
    inside.map(|(name, _)| name.split('|').next().unwrap_or_default())
}
