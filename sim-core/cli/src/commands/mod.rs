//! The commands: one file each.

pub(crate) mod bench;
pub(crate) mod catalog;
pub(crate) mod check;
mod chrome;
pub(crate) mod claims;
pub(crate) mod decisions;
pub(crate) mod digest;
pub(crate) mod distributions;
pub(crate) mod exercise;
pub(crate) mod grade;
pub(crate) mod import;
pub(crate) mod lesson;
pub(crate) mod measure;
pub(crate) mod real;
pub(crate) mod replay;
pub(crate) mod run;
pub(crate) mod shell;
pub(crate) mod sweep;
pub(crate) mod trace;
