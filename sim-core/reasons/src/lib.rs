//! The reasons of decisions, from the files `reasons.json`. Build scripts use it; no program does.
//!
//! A reason is one row there: what the core needs of it, and what readers are told. `README.md` here explains the fields.
//! The page reads the same files (`web/reasons.js`).

mod check;
mod file;
mod rust;
#[cfg(test)]
mod tests;

pub use check::{KINDS, MOVERS, UNITS};
pub use file::{Row, Table, read};
pub use rust::{sentences, write_tables};
