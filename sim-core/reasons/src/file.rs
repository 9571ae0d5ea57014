//! The files: what they hold, and what a row takes from another one.

use crate::check;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// Name of the files.
const NAME: &str = "reasons.json";

/// The reasons of one or several schedulers, or rows that several of them take.
#[derive(Debug, PartialEq, Eq)]
pub struct Table {
    /// The folder, from the sources on, such as `bfs`.
    pub folder: String,
    /// Ids of the schedulers that have these reasons; none for rows that others take.
    pub schedulers: Vec<String>,
    /// The folder whose rows it takes.
    pub shared: Option<String>,
    /// The reasons, in the order of their codes.
    pub rows: Vec<Row>,
}

/// A reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Row {
    /// The id of the shared row from which it takes each field that it does not have itself.
    pub shared: Option<String>,
    /// The kernel's word for it.
    #[serde(default)]
    pub id: String,
    /// Kind of decision.
    #[serde(default)]
    pub kind: String,
    /// Kernel function and release.
    #[serde(default)]
    pub function: String,
    /// Names and units of the numbers, in the order in which the scheduler gives them.
    pub operands: Option<Operands>,
    /// What readers are told.
    #[serde(default)]
    pub sentence: String,
    /// The rule with its numbers.
    pub formula: Option<String>,
    /// How the model departs from the kernel function.
    pub deviation: Option<String>,
    /// Who decides a move.
    pub mover: Option<String>,
    /// For a refusal: the operand that names the CPU where a thread goes on waiting.
    pub waits_on: Option<String>,
    /// A change of a tunable that the card offers.
    #[serde(rename = "try")]
    pub offer: Option<Offer>,
}

/// A tunable, and the operand whose value it would get.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Offer {
    /// Id of the tunable.
    pub tunable: String,
    /// Name of the operand.
    pub to: String,
}

/// Names and units, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Operands(pub Vec<(String, String)>);

impl<'de> Deserialize<'de> for Operands {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Operands;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("names of operands with their units")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Operands, A::Error> {
                let mut found = Vec::new();
                while let Some(operand) = map.next_entry()? {
                    found.push(operand);
                }
                Ok(Operands(found))
            }
        }
        from.deserialize_map(InOrder)
    }
}

impl Table {
    /// Whether its rows are for other tables.
    #[must_use]
    pub const fn lends(&self) -> bool {
        self.schedulers.is_empty()
    }

    /// Whether it takes rows of another one.
    #[must_use]
    pub fn takes_from(&self, other: &Self) -> bool {
        self.shared.as_ref() == Some(&other.folder)
    }
}

impl Row {
    /// Names and units of the numbers.
    #[must_use]
    pub fn operands(&self) -> &[(String, String)] {
        self.operands.as_ref().map_or(&[], |o| &o.0)
    }

    /// The name of its constant.
    #[must_use]
    pub fn constant(&self) -> String {
        self.id.to_uppercase()
    }

    /// The row with all that it does not say itself taken from another.
    fn over(self, base: &Row) -> Self {
        let or = |own: String, other: &String| if own.is_empty() { other.clone() } else { own };
        Self {
            shared: self.shared,
            id: or(self.id, &base.id),
            kind: or(self.kind, &base.kind),
            function: or(self.function, &base.function),
            operands: self.operands.or_else(|| base.operands.clone()),
            sentence: or(self.sentence, &base.sentence),
            formula: self.formula.or_else(|| base.formula.clone()),
            deviation: self.deviation.or_else(|| base.deviation.clone()),
            mover: self.mover.or_else(|| base.mover.clone()),
            waits_on: self.waits_on.or_else(|| base.waits_on.clone()),
            offer: self.offer.or_else(|| base.offer.clone()),
        }
    }
}

/// A file as it is written.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    schedulers: Option<Vec<String>>,
    shared: Option<String>,
    reasons: Vec<Row>,
}

/// The tables of all files below a folder of sources, in the order of their folders, checked.
///
/// # Errors
///
/// What is wrong, with its file, its row and its field.
pub fn read(sources: &Path) -> Result<Vec<Table>, String> {
    let mut files = Vec::new();
    collect(sources, &mut files).map_err(|e| format!("{}: {e}", sources.display()))?;
    files.sort();
    let mut tables = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).map_err(|e| e.to_string())?;
        let folder = file.parent().and_then(|f| f.strip_prefix(sources).ok());
        let parts = folder.into_iter().flat_map(Path::iter);
        let names: Vec<_> = parts.map(|part| part.to_string_lossy()).collect();
        tables.push(parse(names.join("/"), &text)?);
    }
    whole(tables)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), files)?;
        } else if entry.file_name() == NAME {
            files.push(entry.path());
        }
    }
    Ok(())
}

pub(crate) fn parse(folder: String, text: &str) -> Result<Table, String> {
    let written: Written =
        serde_json::from_str(text).map_err(|e| format!("{folder}/{NAME}: {e}"))?;
    Ok(Table {
        schedulers: written.schedulers.unwrap_or_else(|| vec![folder.clone()]),
        shared: written.shared,
        rows: written.reasons,
        folder,
    })
}

/// The tables with their shared rows filled in, if all is right with them.
pub(crate) fn whole(mut tables: Vec<Table>) -> Result<Vec<Table>, String> {
    let lenders = tables.iter().filter(|t| t.shared.is_none());
    let lent: BTreeMap<String, Vec<Row>> = lenders
        .map(|t| (t.folder.clone(), t.rows.clone()))
        .collect();
    let at = |table: &Table, wrong: String| format!("{}/{NAME}, {wrong}", table.folder);
    for table in &mut tables {
        fill_in(table, &lent).map_err(|wrong| at(table, wrong))?;
    }
    for table in &tables {
        let takers = tables.iter().filter(|t| t.takes_from(table));
        let checked = if table.lends() {
            check::lent(table, &takers.collect::<Vec<_>>())
        } else {
            check::table(table)
        };
        checked.map_err(|wrong| at(table, wrong))?;
    }
    Ok(tables)
}

/// Completes the rows of a table with what they take.
fn fill_in(table: &mut Table, lent: &BTreeMap<String, Vec<Row>>) -> Result<(), String> {
    let Some(from) = &table.shared else {
        return Ok(());
    };
    let base = lent
        .get(from)
        .ok_or_else(|| format!("shared: no file {from}/{NAME} with rows of its own"))?;
    for (at, row) in table.rows.iter_mut().enumerate() {
        let Some(id) = &row.shared else { continue };
        let found = base.iter().find(|r| r.id == *id);
        let found = found.ok_or_else(|| format!("row {at}, shared: {from} has no row {id}"))?;
        *row = std::mem::take(row).over(found);
    }
    Ok(())
}
