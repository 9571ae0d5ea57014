//! The machine presets: one line per file of `scenarios/machines/`. The order is that of the picker.

use super::Machine;
use super::spec::MachineSpec;

/// Id and JSON of a preset, without the sources of its numbers (see `build.rs`).
macro_rules! preset {
    ($id:literal) => {
        (
            $id,
            include_str!(concat!(env!("OUT_DIR"), "/", $id, ".json")),
        )
    };
}

/// Id and JSON of each preset, without the sources of its numbers.
pub const PRESETS: &[(&str, &str)] = &[
    preset!("i7860"),
    preset!("v890"),
    preset!("e3"),
    preset!("i7980x"),
    preset!("k8x4"),
    preset!("up2007"),
    preset!("mc32"),
    preset!("op32"),
    preset!("mc1"),
    preset!("r3900x"),
    preset!("r7840u"),
    preset!("adl12900k"),
    preset!("m1"),
    preset!("xeon2s"),
    preset!("epyc9654"),
    preset!("rpi4"),
    preset!("ideal"),
];

/// The ids of the presets.
pub fn ids() -> impl Iterator<Item = &'static str> {
    PRESETS.iter().map(|(id, _)| *id)
}

/// A preset as in its file, but without `provenance`.
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

    /// How well a field of a provenance entry fits a path: the length of the field if the field is a prefix of the path
    /// that ends at the end of a name. `[]` stands for any position.
    fn fit(field: &str, path: &str) -> Option<usize> {
        let mut rest = path;
        for (i, part) in field.split("[]").enumerate() {
            if i > 0 {
                rest = rest.strip_prefix('[')?.split_once(']')?.1;
            }
            rest = rest.strip_prefix(part)?;
        }
        let whole = rest.is_empty() || rest.starts_with('.') || rest.starts_with('[');
        (whole && !field.is_empty()).then_some(field.len())
    }

    #[test]
    fn a_field_fits_whole_names() {
        assert_eq!(fit("caches", "caches[1].linePs"), Some(6));
        assert_eq!(fit("caches[].linePs", "caches[1].linePs"), Some(15));
        assert_eq!(fit("caches[].linePs", "caches[1].bytes"), None);
        assert_eq!(fit("costs.lineTransferNs", "costs.lineTransferFarNs"), None);
        assert_eq!(fit("costs.line", "costs.lineTransferNs"), None);
        assert_eq!(fit("", "year"), None);
    }

    /// Each number of a preset has one source: that of the most specific entry. No entry is vague or empty, and every
    /// entry is about an existing number.
    #[test]
    fn every_number_of_every_preset_names_its_source() {
        for (id, embedded) in PRESETS {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/machines");
            let json = std::fs::read_to_string(format!("{folder}/{id}.json")).expect("there");
            let spec: MachineSpec = serde_json::from_str(&json).expect("parses");
            assert_eq!(spec.id, *id);
            preset(id).expect("builds");
            let value: serde_json::Value = serde_json::from_str(embedded).expect("parses");
            assert_eq!(
                value.get("provenance"),
                None,
                "{id}: sources are not embedded"
            );
            let mut leaves = Vec::new();
            collect("", &value, &mut leaves);
            for (path, number) in &leaves {
                let mut fits: Vec<usize> = (spec.provenance.iter())
                    .filter_map(|p| p.fields.iter().filter_map(|f| fit(f, path)).max())
                    .collect();
                fits.sort_unstable();
                assert!(!fits.is_empty() || !number, "{id}: {path} names no source");
                if let [.., second, best] = fits[..] {
                    assert_ne!(second, best, "{id}: two sources for {path}");
                }
            }
            for p in &spec.provenance {
                // The text says where the source is or why the number is believed. A label from a list that is not here
                // does not count.
                assert!(
                    p.source.trim().len() >= 20 && !p.source.contains("to be written"),
                    "{id}: {:?} is no source",
                    p.source
                );
                for f in &p.fields {
                    assert!(
                        leaves.iter().any(|(path, _)| fit(f, path).is_some()),
                        "{id}: the source for {f:?} is about nothing"
                    );
                    // These sections hold numbers of different origin, so one source for a whole section is not enough.
                    assert!(
                        !["work", "memory", "costs"].contains(&f.as_str()),
                        "{id}: {f:?} is too much for one source"
                    );
                }
            }
        }
    }

    /// Paths of all numbers, words and flags, and whether each is a number.
    fn collect(path: &str, value: &serde_json::Value, out: &mut Vec<(String, bool)>) {
        match value {
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
            _ => out.push((path.to_owned(), value.is_number())),
        }
    }
}
