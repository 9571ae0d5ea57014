//! Self-describing parameters: tunables of schedulers and parameters of behaviours.
//!
//! A parameter is declared once, beside the code that reads it. Validation, the catalog, the command line and the
//! sliders of the page are all made from that declaration.

use crate::error::{ConfigError, Problems};
use crate::provenance::Mark;
use crate::text::{quoted, refused};
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;

/// What a parameter may hold.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum ParamKind {
    /// An integer in `min..=max`.
    #[serde(rename_all = "camelCase")]
    Int {
        /// Smallest value allowed.
        #[cfg_attr(feature = "schema", ts(type = "number"))]
        min: i64,
        /// Largest value allowed.
        #[cfg_attr(feature = "schema", ts(type = "number"))]
        max: i64,
        /// Value when the scenario does not name one.
        #[cfg_attr(feature = "schema", ts(type = "number"))]
        default: i64,
        /// Whether a slider should be logarithmic.
        log: bool,
    },
    /// One of a few words.
    #[serde(rename_all = "camelCase")]
    Choice {
        /// The words allowed.
        options: &'static [&'static str],
        /// The word when the scenario does not name one.
        default: &'static str,
    },
    /// Free text, e.g. a small program.
    #[serde(rename_all = "camelCase")]
    Text {
        /// Longest text allowed, in bytes.
        max_length: u32,
        /// Text when the scenario does not name one.
        default: &'static str,
    },
    /// A switch: `true` or `false`.
    #[serde(rename_all = "camelCase")]
    Flag {
        /// Value when the scenario does not name one.
        default: bool,
    },
}

/// Declaration of one parameter.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct ParamSpec {
    /// Key in the scenario file, e.g. `rrIntervalMs`.
    pub id: &'static str,
    /// The name that the kernel or the literature uses, e.g. `rr_interval`.
    pub label: &'static str,
    /// Unit for display (`ms`, `ns`, `%`, …); empty where there is none.
    pub unit: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// How well the default is known.
    pub mark: Mark,
    /// Where the default and the range come from.
    pub source: &'static str,
    /// Type, range, default.
    pub kind: ParamKind,
    /// Whether it may be changed while the simulation runs.
    pub live: bool,
    /// What a group that is made anew gets, where that is not the default: files keep what they meant.
    #[cfg_attr(feature = "schema", ts(as = "Option<i32>"))]
    pub for_new: Option<i64>,
    /// Where 0 leaves the choice to the kernel: what it chooses on a number of CPUs.
    #[serde(skip)]
    pub automatic: Option<fn(usize) -> i64>,
}

/// A value of a parameter as written in a scenario.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema, ts_rs::TS),
    ts(export)
)]
#[serde(untagged)]
pub enum ParamValue {
    /// A switch: `true` or `false`.
    Flag(bool),
    /// An integer.
    Int(#[cfg_attr(feature = "schema", ts(type = "number"))] i64),
    /// One of a few words, or free text.
    Choice(String),
}

/// Written by hand, because the derived form of an untagged enum loses the cause of an error.
impl<'de> Deserialize<'de> for ParamValue {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Any;
        impl Visitor<'_> for Any {
            type Value = ParamValue;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("true or false, an integer or a word")
            }

            fn visit_bool<E: de::Error>(self, flag: bool) -> Result<ParamValue, E> {
                Ok(ParamValue::Flag(flag))
            }

            fn visit_i64<E: de::Error>(self, int: i64) -> Result<ParamValue, E> {
                Ok(ParamValue::Int(int))
            }

            fn visit_u64<E: de::Error>(self, int: u64) -> Result<ParamValue, E> {
                let wrong = || E::invalid_value(de::Unexpected::Unsigned(int), &self);
                i64::try_from(int).map(ParamValue::Int).map_err(|_| wrong())
            }

            fn visit_str<E: de::Error>(self, word: &str) -> Result<ParamValue, E> {
                Ok(ParamValue::Choice(word.to_owned()))
            }
        }
        from.deserialize_any(Any)
    }
}

/// Values by parameter id, as written in a scenario: only those that differ from the default.
pub type ParamMap = BTreeMap<String, ParamValue>;

/// All parameters of a scheduler or behaviour with their values, in the order of their declaration.
#[derive(Clone, Debug)]
pub struct Params {
    specs: &'static [ParamSpec],
    values: Vec<i64>,
    texts: Vec<String>,
}

impl ParamSpec {
    /// An integer parameter that may be changed while the simulation runs.
    #[must_use]
    pub const fn int(id: &'static str, min: i64, max: i64, default: i64) -> Self {
        let kind = ParamKind::Int {
            min,
            max,
            default,
            log: false,
        };
        Self::of(id, kind)
    }

    /// A switch: `true` or `false`.
    #[must_use]
    pub const fn flag(id: &'static str, default: bool) -> Self {
        Self::of(id, ParamKind::Flag { default })
    }

    /// A parameter that takes one of a few words.
    #[must_use]
    pub const fn choice(
        id: &'static str,
        options: &'static [&'static str],
        default: &'static str,
    ) -> Self {
        Self::of(id, ParamKind::Choice { options, default })
    }

    /// A free text.
    #[must_use]
    pub const fn text(id: &'static str, max_length: u32, default: &'static str) -> Self {
        Self::of(
            id,
            ParamKind::Text {
                max_length,
                default,
            },
        )
    }

    const fn of(id: &'static str, kind: ParamKind) -> Self {
        Self {
            id,
            label: id,
            unit: "",
            summary: "",
            mark: Mark::Assumed,
            source: "",
            kind,
            live: true,
            for_new: None,
            automatic: None,
        }
    }

    /// Sets the name that the kernel or the literature uses.
    #[must_use]
    pub const fn label(mut self, label: &'static str) -> Self {
        self.label = label;
        self
    }

    /// Sets the unit.
    #[must_use]
    pub const fn unit(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }

    /// Sets the description.
    #[must_use]
    pub const fn summary(mut self, summary: &'static str) -> Self {
        self.summary = summary;
        self
    }

    /// Sets where default and range were read: in the code or the manual of a kernel, or in a paper.
    #[must_use]
    pub const fn published(self, source: &'static str) -> Self {
        self.known(Mark::Published, source)
    }

    /// Sets why default and range were chosen or inferred.
    #[must_use]
    pub const fn assumed(self, source: &'static str) -> Self {
        self.known(Mark::Assumed, source)
    }

    const fn known(mut self, mark: Mark, source: &'static str) -> Self {
        self.mark = mark;
        self.source = source;
        self
    }

    /// Makes the slider logarithmic.
    #[must_use]
    pub const fn log(mut self) -> Self {
        if let ParamKind::Int {
            min, max, default, ..
        } = self.kind
        {
            self.kind = ParamKind::Int {
                min,
                max,
                default,
                log: true,
            };
        }
        self
    }

    /// Sets what a group that is made anew gets. The default stays what files without the parameter mean.
    #[must_use]
    pub const fn for_new(mut self, value: i64) -> Self {
        self.for_new = Some(value);
        self
    }

    /// Says what the kernel chooses on a number of CPUs where the value is 0.
    #[must_use]
    pub const fn automatic(mut self, choose: fn(usize) -> i64) -> Self {
        self.automatic = Some(choose);
        self
    }

    /// Marks a parameter that cannot change after a run has begun.
    #[must_use]
    pub const fn fixed(mut self) -> Self {
        self.live = false;
        self
    }

    /// The default, as the integer that [`Params`] stores (flag: 0/1; choice: position).
    #[must_use]
    pub fn default_value(&self) -> i64 {
        match self.kind {
            ParamKind::Int { default, .. } => default,
            ParamKind::Text { .. } => 0,
            ParamKind::Flag { default } => i64::from(default),
            ParamKind::Choice { options, default } => options
                .iter()
                .position(|o| *o == default)
                .and_then(|i| i64::try_from(i).ok())
                .unwrap_or(0),
        }
    }

    /// Checks a written value.
    ///
    /// # Errors
    /// A message that names the allowed values.
    pub fn check(&self, value: &ParamValue) -> Result<i64, String> {
        match (self.kind, value) {
            (ParamKind::Int { min, max, .. }, ParamValue::Int(v)) if (min..=max).contains(v) => {
                Ok(*v)
            }
            (ParamKind::Int { min, max, .. }, v) => Err(format!(
                "must be an integer from {min} to {max}{}{}, got {}",
                if self.unit.is_empty() { "" } else { " " },
                self.unit,
                v.shown()
            )),
            (ParamKind::Text { max_length, .. }, ParamValue::Choice(t))
                if t.len() <= max_length as usize =>
            {
                refused(t, true).map_or(Ok(0), Err)
            }
            (ParamKind::Text { max_length, .. }, v) => Err(format!(
                "must be a text of at most {max_length} bytes, got {}",
                v.shown()
            )),
            (ParamKind::Flag { .. }, ParamValue::Flag(v)) => Ok(i64::from(*v)),
            // Older scenarios and links wrote these switches as integers.
            (ParamKind::Flag { .. }, ParamValue::Int(v @ (0 | 1))) => Ok(*v),
            (ParamKind::Flag { .. }, v) => Err(format!("must be true or false, got {}", v.shown())),
            (ParamKind::Choice { options, .. }, ParamValue::Choice(word)) => options
                .iter()
                .position(|o| o == word)
                .and_then(|i| i64::try_from(i).ok())
                .ok_or_else(|| {
                    let got = quoted(word);
                    format!("must be one of {}, got \"{got}\"", options.join(", "))
                }),
            (ParamKind::Choice { options, .. }, v) => Err(format!(
                "must be one of {}, got {}",
                options.join(", "),
                v.shown()
            )),
        }
    }
}

impl ParamValue {
    fn shown(&self) -> String {
        match self {
            Self::Flag(v) => v.to_string(),
            Self::Int(v) => v.to_string(),
            Self::Choice(v) => format!("\"{}\"", quoted(v)),
        }
    }
}

impl Params {
    /// The defaults.
    #[must_use]
    pub fn defaults(specs: &'static [ParamSpec]) -> Self {
        Self {
            specs,
            values: specs.iter().map(ParamSpec::default_value).collect(),
            texts: specs
                .iter()
                .map(|s| match s.kind {
                    ParamKind::Text { default, .. } => default.to_owned(),
                    _ => String::new(),
                })
                .collect(),
        }
    }

    /// The defaults, overridden by the values of a scenario.
    ///
    /// # Errors
    /// One error per unknown id and per value out of range, with the id as its path.
    pub fn from_map(specs: &'static [ParamSpec], map: &ParamMap) -> Result<Self, Problems> {
        let mut params = Self::defaults(specs);
        let mut problems = Problems::default();
        for (id, value) in map {
            match specs.iter().position(|s| s.id == id) {
                None => problems.add_with(|| {
                    ConfigError::new(id, format!("unknown; allowed here: {}", ids(specs)))
                }),
                Some(i) => match specs[i].check(value) {
                    Ok(v) => {
                        params.values[i] = v;
                        if let (ParamKind::Text { .. }, ParamValue::Choice(t)) =
                            (specs[i].kind, value)
                        {
                            params.texts[i].clone_from(t);
                        }
                    }
                    Err(message) => problems.add(id, message),
                },
            }
        }
        if problems.is_empty() {
            Ok(params)
        } else {
            Err(problems)
        }
    }

    /// Every parameter with the value that is in force on a number of CPUs.
    #[must_use]
    pub fn in_force(&self, cpus: usize) -> ParamMap {
        let mut map = self.to_map();
        for (spec, value) in self.specs.iter().zip(&self.values) {
            if let (Some(choose), 0) = (spec.automatic, *value) {
                map.insert(spec.id.to_owned(), ParamValue::Int(choose(cpus)));
            }
        }
        map
    }

    /// Every parameter with its value, as a scenario would write it.
    #[must_use]
    pub fn to_map(&self) -> ParamMap {
        let each = self.specs.iter().zip(&self.values).zip(&self.texts);
        each.map(|((spec, value), text)| {
            let value = match spec.kind {
                ParamKind::Int { .. } => ParamValue::Int(*value),
                ParamKind::Flag { .. } => ParamValue::Flag(*value != 0),
                ParamKind::Choice { options, .. } => {
                    let option = usize::try_from(*value).ok().and_then(|i| options.get(i));
                    ParamValue::Choice(option.copied().unwrap_or_default().to_owned())
                }
                ParamKind::Text { .. } => ParamValue::Choice(text.clone()),
            };
            (spec.id.to_owned(), value)
        })
        .collect()
    }

    /// The value of a parameter (flag: 0/1; choice: position in its options).
    ///
    /// # Panics
    /// If the id was never declared: a mistake of the calling module, which its first test finds.
    #[must_use]
    pub fn get(&self, id: &str) -> i64 {
        let i = self.specs.iter().position(|s| s.id == id);
        self.values[i.expect("invariant: only declared parameters are read")]
    }

    /// The value of a parameter whose declaration allows no negative value.
    #[must_use]
    pub fn get_u64(&self, id: &str) -> u64 {
        u64::try_from(self.get(id)).unwrap_or(0)
    }

    /// The value of a free text.
    ///
    /// # Panics
    /// If the id was never declared.
    #[must_use]
    pub fn get_text(&self, id: &str) -> &str {
        let i = self.specs.iter().position(|s| s.id == id);
        &self.texts[i.expect("invariant: only declared parameters are read")]
    }

    /// The value of a flag.
    #[must_use]
    pub fn flag(&self, id: &str) -> bool {
        self.get(id) != 0
    }

    /// Changes one value.
    ///
    /// # Errors
    /// A message that names the allowed ids or values.
    pub fn set(&mut self, id: &str, value: &ParamValue) -> Result<(), String> {
        let i = self
            .specs
            .iter()
            .position(|s| s.id == id)
            .ok_or_else(|| format!("unknown; allowed here: {}", ids(self.specs)))?;
        self.values[i] = self.specs[i].check(value)?;
        Ok(())
    }

    /// The declarations.
    #[must_use]
    pub fn specs(&self) -> &'static [ParamSpec] {
        self.specs
    }

    /// The stored values in the order of the declarations, for snapshots.
    #[must_use]
    pub fn values(&self) -> &[i64] {
        &self.values
    }

    /// Restores values that [`Params::values`] returned.
    pub fn restore(&mut self, values: &[i64]) {
        if values.len() == self.values.len() {
            self.values.copy_from_slice(values);
        }
    }
}

fn ids(specs: &[ParamSpec]) -> String {
    if specs.is_empty() {
        return "none".to_owned();
    }
    specs.iter().map(|s| s.id).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPECS: &[ParamSpec] = &[
        ParamSpec::int("rr", 1, 5000, 6).unit("ms"),
        ParamSpec::choice("phase", &["staggered", "aligned"], "aligned"),
    ];

    #[test]
    fn a_value_out_of_range_is_refused_with_the_range() {
        let map = ParamMap::from([("rr".to_owned(), ParamValue::Int(0))]);
        let problems = Params::from_map(SPECS, &map).expect_err("0 is below the range");
        assert_eq!(
            problems.told()[0].message,
            "must be an integer from 1 to 5000 ms, got 0"
        );
    }

    #[test]
    fn defaults_hold_until_overridden() {
        let map = ParamMap::from([(
            "phase".to_owned(),
            ParamValue::Choice("staggered".to_owned()),
        )]);
        let params = Params::from_map(SPECS, &map).expect("valid");
        assert_eq!((params.get("rr"), params.get("phase")), (6, 0));
        let all = params.to_map();
        assert_eq!(all["rr"], ParamValue::Int(6));
        assert_eq!(all["phase"], map["phase"]);
    }
}
