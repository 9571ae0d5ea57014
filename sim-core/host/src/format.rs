//! Numbers as text, by the rules of the page (`withUnit` of `web/src/lib/format.ts`). The tests of both read the table
//! of cases in `tests/data/units.json`.

/// Shown if a number is not defined.
pub const NOTHING: &str = "–";

const US: f64 = 1e3;
const MS: f64 = 1e6;
const SEC: f64 = 1e9;
const KIB: f64 = 1024.0;
const MIB: f64 = 1024.0 * 1024.0;

/// What rounds to 1000 of a unit is shown as 1 of the next.
const FULL: f64 = 0.9995;

/// Number of further digits that decide whether a number lies halfway between two shown ones. A double that is not
/// exactly halfway differs from halfway within these digits.
const EXACT: usize = 40;

/// The sign of negative numbers, chosen so that columns of figures line up.
const MINUS: &str = "−";
/// The separator of thousands: thin, and without a line break.
const THIN_SPACE: char = '\u{202f}';

/// The absolute value of a number with this many digits after the point, halfway rounded up, and whether it is
/// negative.
fn rounded(value: f64, digits: usize) -> (bool, String) {
    if !value.is_finite() {
        return (false, NOTHING.to_owned());
    }
    let exact = format!("{:.*}", digits + EXACT, value.abs());
    let (kept, rest) = exact.split_at(exact.len() - EXACT);
    let mut text: Vec<u8> = kept.trim_end_matches('.').bytes().collect();
    if rest.trim_start_matches('.').starts_with(|c: char| c >= '5') {
        let mut carry = true;
        for digit in text.iter_mut().rev().filter(|d| **d != b'.') {
            if *digit < b'9' {
                *digit += 1;
                carry = false;
                break;
            }
            *digit = b'0';
        }
        if carry {
            text.insert(0, b'1');
        }
    }
    let text: String = text.into_iter().map(char::from).collect();
    (value < 0.0, text)
}

/// A number with this many digits after the point. A number that is shown as zero has no sign.
fn fixed(value: f64, digits: usize) -> String {
    let (negative, text) = rounded(value, digits);
    let is_zero = text.bytes().all(|b| b == b'0' || b == b'.');
    if negative && !is_zero {
        format!("{MINUS}{text}")
    } else {
        text
    }
}

/// A whole number with thousands separated.
fn grouped(value: f64) -> String {
    let (negative, text) = rounded(value, 0);
    let mut out = String::new();
    for (i, digit) in text.char_indices() {
        if i > 0 && (text.len() - i) % 3 == 0 {
            out.push(THIN_SPACE);
        }
        out.push(digit);
    }
    if negative && text != "0" {
        format!("{MINUS}{out}")
    } else {
        out
    }
}

/// Three significant digits.
fn three(value: f64) -> String {
    let size = value.abs();
    if size >= 999.5 {
        return grouped(value);
    }
    let digits = if size >= 99.95 {
        0
    } else if size >= 9.995 {
        1
    } else {
        2
    };
    fixed(value, digits)
}

/// The same without trailing zeros after the point.
fn trimmed(value: f64) -> String {
    let text = three(value);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// A count with thousands separated.
#[must_use]
pub fn count(value: f64) -> String {
    if value.is_finite() {
        grouped(value)
    } else {
        NOTHING.to_owned()
    }
}

/// A plain number with three significant digits.
fn plain(value: f64) -> String {
    if value.is_finite() {
        three(value)
    } else {
        NOTHING.to_owned()
    }
}

/// A point in simulated time: always in ms with three decimals, rounded down.
#[must_use]
pub fn clock(ns: f64) -> String {
    if !ns.is_finite() {
        return NOTHING.to_owned();
    }
    let ms = (ns / US).floor() / 1000.0;
    let (negative, text) = rounded(ms, 3);
    let (whole, rest) = text.split_once('.').unwrap_or((&text, "000"));
    let whole = grouped(whole.parse().unwrap_or(0.0));
    let sign = if negative { MINUS } else { "" };
    format!("{sign}{whole}.{rest} ms")
}

/// A duration in the unit that suits its size.
#[must_use]
pub fn duration(ns: f64) -> String {
    let size = ns.abs();
    if !ns.is_finite() {
        NOTHING.to_owned()
    } else if size == 0.0 {
        "0 ms".to_owned()
    } else if size < 99.5 {
        format!("{} ns", trimmed(ns))
    } else if size < FULL * US {
        format!("{} ns", fixed(ns, 0))
    } else if size < FULL * MS {
        format!("{} µs", three(ns / US))
    } else if size < FULL * SEC {
        format!("{} ms", three(ns / MS))
    } else {
        format!("{} s", three(ns / SEC))
    }
}

/// A size in binary units.
fn bytes(value: f64) -> String {
    if !value.is_finite() {
        NOTHING.to_owned()
    } else if value < KIB {
        format!("{} B", fixed(value, 0))
    } else if value < MIB {
        format!("{} KiB", trimmed(value / KIB))
    } else {
        format!("{} MiB", trimmed(value / MIB))
    }
}

/// A number with a suffix, unless it is not defined.
fn with(value: f64, text: &str, suffix: &str) -> String {
    if value.is_finite() {
        format!("{text}{suffix}")
    } else {
        NOTHING.to_owned()
    }
}

/// Whole numbers as counts, others with three significant digits.
fn whole_or_plain(value: f64) -> String {
    if value.is_finite() && value.fract() == 0.0 {
        count(value)
    } else {
        plain(value)
    }
}

/// The number of units that make one, for a unit of fixed-point numbers such as `1/2048`.
fn parts_of_one(unit: &str) -> Option<f64> {
    let parts = unit.strip_prefix("1/")?;
    let digits = !parts.is_empty() && parts.bytes().all(|b| b.is_ascii_digit());
    parts.parse().ok().filter(|_| digits)
}

/// The form of a word for one, or the form for many.
#[must_use]
pub fn one_or_many<'a>(value: f64, one: &'a str, many: &'a str) -> &'a str {
    if value == 1.0 { one } else { many }
}

/// The singular of a unit in the plural. A single letter is the sign of a unit, not a word.
fn singular(unit: &str) -> &str {
    let one = unit.strip_suffix('s');
    one.filter(|one| !one.is_empty()).unwrap_or(unit)
}

/// A number with the unit that the core gives.
#[must_use]
pub fn with_unit(value: f64, unit: &str) -> String {
    match unit {
        "ns" => duration(value),
        "us" => duration(value * US),
        "ms" => duration(value * MS),
        "bytes" => bytes(value),
        "ratio" => plain(value),
        "share" => with(value, &fixed(value * 100.0, 1), " %"),
        "percent" | "%" => format!("{} %", plain(value)),
        "perSecond" => with(value, &three(value), " /s"),
        "count" => count(value),
        "atNs" => clock(value),
        "cpu" if value < 0.0 => "none".to_owned(),
        "cpu" => format!("cpu {value}"),
        "task" if value < 0.0 => "none".to_owned(),
        "task" => format!("thread {value}"),
        "" => whole_or_plain(value),
        unit if parts_of_one(unit).is_some() => fixed(value / parts_of_one(unit).unwrap_or(1.0), 2),
        unit => {
            let unit = one_or_many(value, singular(unit), unit);
            format!("{} {unit}", whole_or_plain(value))
        }
    }
}

/// Whether a number is whole, and its digits are exact.
#[must_use]
pub fn is_whole(value: f64) -> bool {
    value.fract() == 0.0 && value.abs() <= 9_007_199_254_740_992.0
}

/// A number in a column: a whole one without a point, others with this many digits after the point.
#[must_use]
pub fn number(value: f64, digits: usize) -> String {
    if is_whole(value) {
        format!("{:.0}", value + 0.0)
    } else {
        format!("{value:.digits$}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_on_the_page() {
        let cases: Vec<(Option<f64>, String, String)> =
            serde_json::from_str(include_str!("../tests/data/units.json")).expect("cases");
        assert!(cases.len() > 60);
        for (value, unit, text) in cases {
            let value = value.unwrap_or(f64::NAN);
            assert_eq!(with_unit(value, &unit), text, "{value} {unit}");
        }
    }
}
