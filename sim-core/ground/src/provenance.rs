//! Sources of numbers. Every number of a machine, a parameter and the model has a mark and a source.

use serde::{Deserialize, Serialize};

/// How well a number is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(rename_all = "camelCase")]
pub enum Mark {
    /// Measured on such hardware, by whom the source names.
    Measured,
    /// Read in a specification, a paper, a table or the code of a kernel, which the source names.
    #[serde(alias = "sourced", alias = "vendor")]
    Published,
    /// Inferred, fitted or chosen; the text gives the reasoning.
    #[serde(alias = "inferred", alias = "unknown")]
    Assumed,
}

/// A constant of the model, which no scenario changes.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Constant {
    /// Name in the code.
    pub name: &'static str,
    /// The file that defines it.
    pub file: &'static str,
    /// Its value, as written in the code.
    pub value: &'static str,
    /// Unit; empty where there is none.
    pub unit: &'static str,
    /// What it means.
    pub what: &'static str,
    /// How well it is known.
    pub mark: Mark,
    /// Source or reasoning.
    pub source: &'static str,
}

/// Declares constants of the model, each with its unit, mark and source, and a table `CONSTANTS` of them. The table is
/// for documentation and tests; a program that does not use it does not contain it. The test below has an example.
#[macro_export]
macro_rules! constants {
    ($($(#[doc = $what:literal])+ $vis:vis $name:ident: $kind:ty = $value:expr, $unit:literal, $mark:ident, $source:literal;)+) => {
        $($(#[doc = $what])+ $vis const $name: $kind = $value;)+

        /// The constants of this file, with their sources.
        pub(crate) const CONSTANTS: &[$crate::provenance::Constant] = &[
            $($crate::provenance::Constant {
                name: stringify!($name),
                file: file!(),
                value: stringify!($value),
                unit: $unit,
                what: concat!($($what),+),
                mark: $crate::provenance::Mark::$mark,
                source: $source,
            }),+
        ];
    };
}

#[cfg(test)]
mod tests {
    crate::constants! {
        /// Cache lines that one operation of a scheduler changes.
        pub(crate) LINES: u64 = 32, "lines", Assumed, "fitted to the times of so-and-so";
    }

    #[test]
    fn a_constant_is_a_number_and_a_row_of_the_table() {
        assert_eq!(LINES, 32);
        assert_eq!(CONSTANTS[0].value, "32");
    }
}
