//! The machine presets: one line per file of `scenarios/machines/`. The order is that of the picker.

use super::Machine;
use super::spec::MachineSpec;

/// Id and JSON of each preset.
pub const PRESETS: &[(&str, &str)] = &[
    (
        "i7860",
        include_str!("../../../scenarios/machines/i7860.json"),
    ),
    (
        "i7980x",
        include_str!("../../../scenarios/machines/i7980x.json"),
    ),
];

/// The ids of the presets.
pub fn ids() -> impl Iterator<Item = &'static str> {
    PRESETS.iter().map(|(id, _)| *id)
}

/// The file of a preset.
///
/// # Panics
/// If a shipped file does not parse; a test reads them all.
#[must_use]
pub fn spec(id: &str) -> Option<MachineSpec> {
    let (_, json) = PRESETS.iter().find(|(known, _)| *known == id)?;
    Some(serde_json::from_str(json).expect("invariant: shipped presets are valid"))
}

/// A preset, expanded.
///
/// # Panics
/// If a shipped file is not a possible machine; a test builds them all.
#[must_use]
pub fn preset(id: &str) -> Option<Machine> {
    spec(id).map(|s| Machine::new(&s).expect("invariant: shipped presets are valid"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every number of a preset must be covered by a provenance entry.
    #[test]
    fn every_number_of_every_preset_names_its_source() {
        for (id, json) in PRESETS {
            let spec = spec(id).expect("parses");
            assert_eq!(spec.id, *id);
            preset(id).expect("builds");
            let value: serde_json::Value = serde_json::from_str(json).expect("parses");
            let mut numbers = Vec::new();
            collect("", &value, &mut numbers);
            for path in numbers {
                if path.starts_with("provenance") {
                    continue;
                }
                let covered = spec.provenance.iter().any(|p| {
                    assert!(!p.source.is_empty(), "{id}: empty source");
                    p.fields.iter().any(|f| path.starts_with(f.as_str()))
                });
                assert!(covered, "{id}: {path} names no source");
            }
        }
    }

    fn collect(path: &str, value: &serde_json::Value, out: &mut Vec<String>) {
        match value {
            serde_json::Value::Number(_) => out.push(path.to_owned()),
            serde_json::Value::Array(items) => {
                for (i, item) in items.iter().enumerate() {
                    collect(&format!("{path}[{i}]"), item, out);
                }
            }
            serde_json::Value::Object(fields) => {
                for (key, item) in fields {
                    let dot = if path.is_empty() { "" } else { "." };
                    collect(&format!("{path}{dot}{key}"), item, out);
                }
            }
            _ => {}
        }
    }
}
