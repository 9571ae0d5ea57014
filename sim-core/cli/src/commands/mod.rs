//! The commands: one file each.

pub(crate) mod bench;
pub(crate) mod catalog;
pub(crate) mod check;
pub(crate) mod claims;
pub(crate) mod digest;
pub(crate) mod run;
pub(crate) mod sweep;
pub(crate) mod trace;

use crate::output::Failure;
use sim_core::config::{Scenario, validate};
use std::io::Read;

/// Reads a scenario: a file, `-` for standard input, or the id of a shipped one.
pub(crate) fn read_scenario(source: &str) -> Result<Scenario, Failure> {
    if let Some(shipped) = sim_core::experiment::registry::scenario(source) {
        return Ok(shipped);
    }
    let text = read_text(source)?;
    validate::parse(&text).map_err(|errors| Failure {
        source: source.to_owned(),
        errors,
    })
}

/// Reads a file, or standard input for `-`.
pub(crate) fn read_text(source: &str) -> Result<String, Failure> {
    let fail = |e: std::io::Error| Failure::new(source, format!("cannot be read: {e}"));
    if source == "-" {
        let mut text = String::new();
        std::io::stdin()
            .take(validate::MAX_TEXT as u64 + 1)
            .read_to_string(&mut text)
            .map_err(fail)?;
        Ok(text)
    } else {
        std::fs::read_to_string(source).map_err(fail)
    }
}

/// A simulated time with its unit, in ns.
pub(crate) fn duration(text: &str) -> Result<u64, String> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let factor = match &text[digits..] {
        "ns" => 1,
        "us" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        _ => return Err("must be a number with one of the units ns, us, ms, s".to_owned()),
    };
    text[..digits]
        .parse::<u64>()
        .ok()
        .and_then(|n| n.checked_mul(factor))
        .filter(|ns| *ns > 0)
        .ok_or_else(|| "must be a positive number with one of the units ns, us, ms, s".to_owned())
}
