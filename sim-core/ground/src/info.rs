//! Self-descriptions that modules keep beside their code and the catalog collects.

use serde::Serialize;

/// A column that a scheduler adds to the frame.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct ColumnEntry {
    /// Id.
    pub id: &'static str,
    /// Label.
    pub label: &'static str,
    /// Unit (`ns`, `` …).
    pub unit: &'static str,
}

/// A measure.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct MetricEntry {
    /// Id.
    pub id: &'static str,
    /// Label.
    pub name: &'static str,
    /// Unit for display: `ns`, `ratio`, `share` (a part of one), `count`, `perSecond`.
    pub unit: &'static str,
    /// Definition, in a sentence.
    pub summary: &'static str,
    /// `higher`, `lower` or `none`: which way is better.
    pub better: &'static str,
}

/// Position of a reason in a scheduler's own table. It means nothing without the scheduler.
pub type Reason = u16;

/// A row of a scheduler's table of reasons.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct ReasonEntry {
    /// The kernel's word for it, e.g. `earliest_deadline`.
    pub id: &'static str,
    /// Kind of decision: `selectCpu`, `pickNext`, `preempt`, `noPreempt`, `sliceEnd`, `requeue`, `priority`,
    /// `inherit`, `steal`, `balance`, `refuse`, `migrate`.
    pub kind: &'static str,
    /// The kernel function and release that it models.
    pub kernel: &'static str,
    /// Names of the four operands; empty where unused.
    pub operands: [&'static str; 4],
    /// Units of the four operands.
    pub units: [&'static str; 4],
}

impl ReasonEntry {
    /// Kernel functions and release, as two texts. A reason that is modelled on several releases names functions for
    /// each. If the era is among them, only its functions are returned, else all.
    #[must_use]
    pub fn place(&self, era: &str) -> (String, String) {
        let mut pairs: Vec<(String, String)> = Vec::new();
        let mut pieces = self.kernel.split(" @ ");
        let mut functions = pieces.next().unwrap_or_default().to_owned();
        let mut pieces = pieces.peekable();
        while let Some(piece) = pieces.next() {
            let items: Vec<&str> = piece.split([',', ';']).map(str::trim).collect();
            // The first words of the next pair come after the releases of this one.
            let more = pieces.peek().is_some();
            let end = items.iter().position(|i| more && is_function(i));
            let (releases, next) = items.split_at(end.unwrap_or(items.len()));
            pairs.push((functions, releases.join(", ")));
            functions = next.join(", ");
        }
        let Some((_, first)) = pairs.first() else {
            return (functions, String::new());
        };
        let letters = |word: &&str| word.starts_with(|c: char| c.is_ascii_alphabetic());
        let system = first.split(' ').next().filter(letters).map(str::to_owned);
        if let Some(system) = system {
            for (_, release) in &mut pairs {
                if release.starts_with(|c: char| c.is_ascii_digit()) {
                    *release = format!("{system} {release}");
                }
            }
        }
        let names_era = |(_, release): &(String, String)| {
            let mut items = release.split(", ");
            items.any(|i| i.rsplit(' ').next() == Some(era))
        };
        if pairs.iter().any(names_era) {
            pairs.retain(names_era);
        }
        let (functions, releases): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        (functions.join("; "), releases.join("; "))
    }
}

/// Whether a word is the name of a function in C.
fn is_function(word: &str) -> bool {
    let mut bytes = word.bytes();
    bytes
        .next()
        .is_some_and(|b| b.is_ascii_lowercase() || b == b'_')
        && bytes.all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}

/// A cause that takes part of a thread's CPU time.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct CauseEntry {
    /// Id, e.g. `sibling`.
    pub id: &'static str,
    /// Label.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub summary: &'static str,
}

/// The columns of a frame. A frame is one `f64` array: header, CPU columns (column-major), task columns
/// (column-major), queue rows (row-major).
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct FrameLayout {
    /// Names of the header fields.
    pub header: Vec<&'static str>,
    /// Names of the fixed CPU columns; the scheduler's own follow.
    pub cpu: Vec<&'static str>,
    /// Names of the fixed task columns; one column per cause follows, then the scheduler's own.
    pub task: Vec<&'static str>,
    /// Names of the fields of a queue row.
    pub queue: Vec<&'static str>,
    /// Names of the fields of a trace row.
    pub trace: Vec<&'static str>,
}

/// Range of a number in scenarios.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct BoundEntry {
    /// Field, e.g. `groups.count`.
    pub field: &'static str,
    /// Smallest value.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub min: i64,
    /// Largest value.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub max: i64,
    /// Unit.
    pub unit: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_and_releases_are_told_apart() {
        let place = |kernel, era| {
            let entry = ReasonEntry {
                id: "",
                kind: "",
                kernel,
                operands: [""; 4],
                units: [""; 4],
            };
            entry.place(era)
        };
        for (kernel, era, function, release) in [
            ("pick @ BFS 0.318", "0.318", "pick", "BFS 0.318"),
            ("pick @ BFS 0.318", "0.447", "pick", "BFS 0.318"),
            (
                "a, b @ Linux 2.6.34, 4.9",
                "4.9",
                "a, b",
                "Linux 2.6.34, 4.9",
            ),
            (
                "a @ BFS 0.318; b @ 0.447; c @ 0.512",
                "0.512",
                "c",
                "BFS 0.512",
            ),
            (
                "a @ BFS 0.318; b @ 0.447",
                "0.512",
                "a; b",
                "BFS 0.318; BFS 0.447",
            ),
            (
                "a @ Linux 2.6.34, b, c_2 @ 4.9",
                "4.9",
                "b, c_2",
                "Linux 4.9",
            ),
            ("a @ Linux 2.6.34, b @ 4.9", "2.6.34", "a", "Linux 2.6.34"),
            (
                "pick @ FreeBSD 8.0 and later",
                "13.0",
                "pick",
                "FreeBSD 8.0 and later",
            ),
            ("by hand", "", "by hand", ""),
        ] {
            let expected = (function.to_owned(), release.to_owned());
            assert_eq!(place(kernel, era), expected, "{kernel} in {era}");
        }
    }
}
