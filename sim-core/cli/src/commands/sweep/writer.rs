//! Rows as text: a table for people, CSV, and JSON. Arrow has its own file.

use super::arrow::Arrow;
use crate::output::{self, Failure};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;
use sim_core::export::csv;
use sim_host::columns::{Column, Columns};
use std::io::IsTerminal;

/// The format of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    #[value(alias = "table")]
    Text,
    Csv,
    #[value(name = "jsonl")]
    JsonLines,
    Json,
    Arrow,
}

/// Writes rows, one after the other.
pub(super) trait Writer {
    fn row(&mut self, cells: Vec<Value>);

    /// Makes the rows so far visible to readers.
    fn flush(&mut self) {}

    /// Ends the output.
    fn end(&mut self) {}
}

impl Format {
    /// A writer that has written the lines above the rows.
    pub(super) fn writer(self, columns: &Columns) -> Result<Box<dyn Writer + '_>, Failure> {
        let columns = &columns.0;
        Ok(match self {
            Self::Text => Box::new(Table::new(columns, true)),
            Self::Csv => Box::new(Table::new(columns, false)),
            Self::JsonLines => Box::new(Json {
                columns,
                list: false,
                rows: 0,
            }),
            Self::Json => Box::new(Json {
                columns,
                list: true,
                rows: 0,
            }),
            Self::Arrow if std::io::stdout().is_terminal() => {
                let message = "arrow is not for a terminal: send it to a file or a program";
                return Err(Failure::new("--format", message));
            }
            Self::Arrow => Box::new(Arrow::new(columns, std::io::stdout())),
        })
    }
}

/// A table of text.
struct Table<'a> {
    columns: &'a [Column],
    for_people: bool,
}

impl<'a> Table<'a> {
    fn new(columns: &'a [Column], for_people: bool) -> Self {
        let table = Self {
            columns,
            for_people,
        };
        let headings = columns.iter().map(|c| Value::from(c.heading.as_str()));
        table.line(headings.collect());
        table
    }

    fn line(&self, cells: Vec<Value>) {
        let shown = self.columns.iter().zip(cells);
        if self.for_people {
            let shown = shown.filter(|(column, _)| column.in_table);
            let cells: Vec<String> = shown.map(|(_, v)| format!("{:>14}", text(&v))).collect();
            output::line(cells.join("  ").trim_end());
            return;
        }
        let cells: Vec<String> = shown
            .map(|(_, value)| match value {
                Value::Null | Value::Bool(_) | Value::Number(_) => text(&value),
                other => {
                    let mut cell = String::new();
                    csv::text(&text(&other), &mut cell);
                    cell
                }
            })
            .collect();
        output::line(&cells.join(","));
    }
}

/// A value without quotes; whole numbers have no point.
fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Number(n) if n.is_f64() => n.as_f64().map_or(String::new(), |v| v.to_string()),
        other => other.to_string(),
    }
}

impl Writer for Table<'_> {
    fn row(&mut self, cells: Vec<Value>) {
        self.line(cells);
    }
}

/// JSON: one row per line, by itself or as an entry of a list.
struct Json<'a> {
    columns: &'a [Column],
    list: bool,
    rows: usize,
}

/// Cells by heading, in order.
struct Object<'a>(&'a [Column], Vec<Value>);

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(self.0.len()))?;
        for (column, value) in self.0.iter().zip(&self.1) {
            map.serialize_entry(&column.heading, value)?;
        }
        map.end()
    }
}

impl Writer for Json<'_> {
    fn row(&mut self, cells: Vec<Value>) {
        let row = output::json_line(&Object(self.columns, cells));
        let before = match (self.list, self.rows) {
            (false, _) => "",
            (true, 0) => "[\n",
            (true, _) => ",\n",
        };
        let after = if self.list { "" } else { "\n" };
        output::text(&format!("{before}{row}{after}"));
        self.rows += 1;
    }

    fn end(&mut self) {
        if self.list {
            output::line("\n]");
        }
    }
}
