//! Measures of an experiment, and their values.

use crate::experiment::stats::Estimate;

/// A measure of an experiment.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// Word that the claims' data use.
    pub id: &'static str,
    /// Name for people, with the unit if there is one.
    pub label: &'static str,
    /// The words for a place, with `#` for the number, e.g. `# processes`; empty if there are no places.
    pub at: &'static str,
}

impl Measure {
    /// A measure with a single value, for all or for each of several schedulers or machines.
    #[must_use]
    pub const fn new(id: &'static str, label: &'static str) -> Self {
        Self { id, label, at: "" }
    }

    /// A measure with a value at each of several places.
    #[must_use]
    pub const fn at(id: &'static str, label: &'static str, at: &'static str) -> Self {
        Self { id, label, at }
    }
}

/// A value of a measure.
#[derive(Clone, Debug)]
pub struct Value {
    /// Id of the measure.
    pub measure: &'static str,
    /// The scheduler, machine, … that it is about, e.g. `ULE`; empty if there is only one.
    pub of: String,
    /// The place, if the measure has places.
    pub at: Option<f64>,
    /// The result of the runs.
    pub estimate: Estimate,
    /// The number that the source gives, if it gives one.
    pub published: Option<f64>,
    /// The results under other values of an assumption (the ends of its band), each with words for it.
    pub band: Vec<(String, Estimate)>,
}

impl Value {
    /// A value.
    #[must_use]
    pub fn new(measure: &'static str, estimate: Estimate) -> Self {
        Self {
            measure,
            of: String::new(),
            at: None,
            estimate,
            published: None,
            band: Vec::new(),
        }
    }

    /// A place in words, e.g. `8 processes`, `1 process`.
    fn place(pattern: &str, at: f64) -> String {
        let mut words = pattern.replace('#', &at.to_string());
        if (at - 1.0).abs() < 1e-9 {
            if words.ends_with("sses") {
                words.truncate(words.len() - 2);
            } else if words.ends_with('s') {
                words.pop();
            }
        }
        words
    }

    /// Name for people, e.g. `ULE, busy CPUs, 100 processes`.
    #[must_use]
    pub fn name(&self, measures: &[Measure]) -> String {
        let (label, place) = words(measures, self.measure);
        let place = self.at.map(|at| Self::place(place, at));
        let parts = [self.of.as_str(), label, place.as_deref().unwrap_or("")];
        let parts: Vec<&str> = parts.into_iter().filter(|p| !p.is_empty()).collect();
        parts.join(", ")
    }
}

/// Label of a measure, and the words for its places.
pub(super) fn words<'a>(measures: &[Measure], id: &'a str) -> (&'a str, &'static str) {
    let known = measures.iter().find(|m| m.id == id);
    known.map_or((id, "#"), |m| (m.label, m.at))
}

/// Values, as tests write them.
#[cfg(test)]
impl Value {
    /// A value that does not depend on the seed.
    pub fn exact(measure: &'static str, value: f64) -> Self {
        Self::new(measure, Estimate::exact(value))
    }

    /// Sets the scheduler, machine, … that it is about.
    pub fn of(mut self, of: impl Into<String>) -> Self {
        self.of = of.into();
        self
    }

    /// Sets the place.
    pub fn at(mut self, at: impl Into<f64>) -> Self {
        self.at = Some(at.into());
        self
    }

    /// Sets the number of the source.
    pub fn published(mut self, value: f64) -> Self {
        self.published = Some(value);
        self
    }

    /// Adds the result under another value of an assumption.
    pub fn under(mut self, what: impl Into<String>, estimate: Estimate) -> Self {
        self.band.push((what.into(), estimate));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_of_whom_what_and_where() {
        let measures = [
            Measure::at("busy", "busy CPUs", "# processes"),
            Measure::at("share", "share, %", "nice #"),
            Measure::new("peak", "peak"),
        ];
        let name = |value: Value| value.name(&measures);
        let value = |id| Value::exact(id, 0.0);
        assert_eq!(
            name(value("busy").of("ULE").at(100)),
            "ULE, busy CPUs, 100 processes"
        );
        assert_eq!(name(value("busy").at(1)), "busy CPUs, 1 process");
        assert_eq!(name(value("share").at(-20)), "share, %, nice -20");
        assert_eq!(name(value("peak")), "peak");
    }
}
