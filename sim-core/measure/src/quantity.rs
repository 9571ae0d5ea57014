//! The values of expressions: numbers with a kind, words, lists; and how they are printed.

use crate::words::Words;
use serde_json::Value;

/// The kind of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A plain number: a ratio, a factor.
    Number,
    /// A time, in ns.
    Time,
    /// A part of one.
    Share,
    /// A count.
    Count,
}

impl Kind {
    /// Its name in messages.
    fn name(self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Time => "a time",
            Self::Share => "a share",
            Self::Count => "a count",
        }
    }
}

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Quantity {
    /// The run does not have it: an exit that never happened, a lane that does not exist.
    Missing,
    /// A number; times in ns, shares as part of one.
    Number(f64, Kind),
    /// A word.
    Word(String),
    /// True or false.
    Flag(bool),
    /// Several values, in order.
    List(Vec<Quantity>),
}

impl Quantity {
    /// A count.
    #[must_use]
    pub fn count(n: u64) -> Self {
        Self::Number(sim_run::metrics::real(n), Kind::Count)
    }

    /// A time, if there is one.
    #[must_use]
    pub fn time(ns: Option<u64>) -> Self {
        ns.map_or(Self::Missing, |ns| {
            Self::Number(sim_run::metrics::real(ns), Kind::Time)
        })
    }

    /// A number that may be undefined.
    #[must_use]
    pub fn number(value: f64, kind: Kind) -> Self {
        if value.is_finite() {
            Self::Number(value, kind)
        } else {
            Self::Missing
        }
    }

    /// The base unit of a number, or of the first number of a list: `ns`, `share` (of one), `count`, or nothing.
    #[must_use]
    pub fn unit(&self) -> &'static str {
        match self {
            Self::Number(_, Kind::Time) => "ns",
            Self::Number(_, Kind::Share) => "share",
            Self::Number(_, Kind::Count) => "count",
            Self::List(all) => all
                .iter()
                .map(Self::unit)
                .find(|u| !u.is_empty())
                .unwrap_or(""),
            _ => "",
        }
    }

    /// The value as JSON, without its unit; `null` if it is missing. Counts are integers.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // saturates; counts are far smaller
    pub fn json(&self) -> Value {
        match self {
            Self::Missing => Value::Null,
            Self::Number(x, Kind::Count) if x.fract() == 0.0 => Value::from(*x as i64),
            Self::Number(x, _) => Value::from(*x),
            Self::Word(word) => Value::from(word.as_str()),
            Self::Flag(is) => Value::from(*is),
            Self::List(all) => all.iter().map(Self::json).collect(),
        }
    }

    /// Its name in messages.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Missing => "nothing",
            Self::Number(_, kind) => kind.name(),
            Self::Word(_) => "a word",
            Self::Flag(_) => "true or false",
            Self::List(_) => "a list",
        }
    }
}

/// `a + b` or `a - b`.
pub fn sum(a: &Quantity, b: &Quantity, sign: f64) -> Result<Quantity, String> {
    pair(a, b, |x, k, y, l| {
        let kind = match (k, l) {
            _ if k == l => k,
            // Zero is zero in any unit.
            (Kind::Time, _) if y == 0.0 => Kind::Time,
            (_, Kind::Time) if x == 0.0 => Kind::Time,
            (Kind::Time, _) | (_, Kind::Time) => {
                let (k, l) = (k.name(), l.name());
                return Err(with_hint(&if sign < 0.0 {
                    format!("subtracts {k} and {l}")
                } else {
                    format!("adds {k} and {l}")
                }));
            }
            (Kind::Share, Kind::Number) | (Kind::Number, Kind::Share) => Kind::Share,
            _ => Kind::Number,
        };
        Ok(Quantity::number(x + sign * y, kind))
    })
}

fn with_hint(message: &str) -> String {
    format!("{message}; a time needs a unit, such as 60ms")
}

/// `a * b`.
pub(crate) fn product(a: &Quantity, b: &Quantity) -> Result<Quantity, String> {
    pair(a, b, |x, k, y, l| {
        let kind = match (k, l) {
            (Kind::Time, Kind::Time) => return Err("multiplies two times".to_owned()),
            (Kind::Time, _) | (_, Kind::Time) => Kind::Time,
            (Kind::Share, _) | (_, Kind::Share) => Kind::Share,
            (Kind::Count, Kind::Count) => Kind::Count,
            _ => Kind::Number,
        };
        Ok(Quantity::number(x * y, kind))
    })
}

/// `a / b`. Dividing by a time gives a number per second; dividing by 0 gives a missing value.
pub(crate) fn quotient(a: &Quantity, b: &Quantity) -> Result<Quantity, String> {
    pair(a, b, |x, k, y, l| {
        let (kind, unit) = match (k, l) {
            (Kind::Time, Kind::Time) => (Kind::Number, 1.0),
            (Kind::Time, _) => (Kind::Time, 1.0),
            (_, Kind::Time) => (Kind::Number, 1e9),
            (Kind::Share, Kind::Number | Kind::Count) => (Kind::Share, 1.0),
            _ => (Kind::Number, 1.0),
        };
        Ok(Quantity::number(x / y * unit, kind))
    })
}

/// Calculates with two numbers, with each item of a list, or with the items of two lists one by one. The value is missing
/// where one of the two is.
fn pair(
    a: &Quantity,
    b: &Quantity,
    with: impl Fn(f64, Kind, f64, Kind) -> Result<Quantity, String> + Copy,
) -> Result<Quantity, String> {
    let listed = |all: Result<Vec<Quantity>, String>| all.map(Quantity::List);
    match (a, b) {
        (Quantity::List(x), Quantity::List(y)) if x.len() != y.len() => {
            let (n, m) = (x.len(), y.len());
            Err(format!("calculates with lists of {n} and of {m} items"))
        }
        (Quantity::List(x), Quantity::List(y)) => {
            let all = x.iter().zip(y);
            listed(all.map(|(a, b)| pair(a, b, with)).collect())
        }
        (Quantity::List(x), b @ Quantity::Number(..)) => {
            listed(x.iter().map(|a| pair(a, b, with)).collect())
        }
        (a @ Quantity::Number(..), Quantity::List(y)) => {
            listed(y.iter().map(|b| pair(a, b, with)).collect())
        }
        (Quantity::Missing, _) | (_, Quantity::Missing) => Ok(Quantity::Missing),
        (Quantity::Number(x, k), Quantity::Number(y, l)) => with(*x, *k, *y, *l),
        (Quantity::Number(..), other) | (other, _) => {
            Err(format!("calculates with {}", other.name()))
        }
    }
}

/// Compares two numbers; `None` if one is missing.
pub(crate) fn compare(a: &Quantity, b: &Quantity) -> Result<Option<std::cmp::Ordering>, String> {
    match (a, b) {
        (Quantity::Missing, _) | (_, Quantity::Missing) => Ok(None),
        (Quantity::Number(x, k), Quantity::Number(y, l)) => {
            let times = (*k == Kind::Time) != (*l == Kind::Time);
            if times && *x != 0.0 && *y != 0.0 {
                let message = format!("compares {} with {}", k.name(), l.name());
                return Err(with_hint(&message));
            }
            Ok(x.partial_cmp(y))
        }
        (Quantity::Word(x), Quantity::Word(y)) => Ok(Some(x.cmp(y))),
        (Quantity::Flag(x), Quantity::Flag(y)) => Ok(Some(x.cmp(y))),
        (Quantity::List(x), Quantity::List(y)) => {
            for (p, q) in x.iter().zip(y) {
                match compare(p, q)? {
                    Some(std::cmp::Ordering::Equal) => {}
                    other => return Ok(other),
                }
            }
            Ok(Some(x.len().cmp(&y.len())))
        }
        _ => Err(format!("compares {} with {}", a.name(), b.name())),
    }
}

/// The units of questions and placeholders: the word, the kind of number, and the factor to the base unit.
const UNITS: [(&str, Option<Kind>, f64); 9] = [
    ("s", Some(Kind::Time), 1e9),
    ("ms", Some(Kind::Time), 1e6),
    ("us", Some(Kind::Time), 1e3),
    ("µs", Some(Kind::Time), 1e3),
    ("ns", Some(Kind::Time), 1.0),
    ("%", Some(Kind::Share), 0.01),
    ("x", None, 1.0),
    ("×", None, 1.0),
    ("n", None, 1.0),
];

/// A number in a unit: times in `s`, `ms`, `us`, `ns`; shares and ratios in `%`; everything but times in `x`, `n` or words.
pub fn in_unit(value: f64, kind: Kind, unit: &str) -> Result<f64, String> {
    let known = UNITS.iter().find(|u| u.0 == unit);
    match known {
        Some((_, Some(Kind::Time), factor)) if kind == Kind::Time || value == 0.0 => {
            Ok(value / factor)
        }
        Some((_, Some(Kind::Share), _)) if matches!(kind, Kind::Share | Kind::Number) => {
            Ok(value * 100.0)
        }
        Some((_, None, _)) | None if kind != Kind::Time => Ok(value),
        _ if unit.is_empty() => Err(format!("{} needs a unit: s, ms, us or ns", kind.name())),
        _ => Err(format!("\"{unit}\" is no unit of {}", kind.name())),
    }
}

/// The reverse: the quantity of a number with a unit.
#[must_use]
pub fn from_unit(value: f64, unit: &str) -> Quantity {
    match UNITS.iter().find(|u| u.0 == unit) {
        Some((_, Some(Kind::Time), factor)) => Quantity::Number(value * factor, Kind::Time),
        Some((_, Some(Kind::Share), _)) => Quantity::Number(value / 100.0, Kind::Share),
        _ => Quantity::Number(value, Kind::Number),
    }
}

/// How a number is printed: its unit (as in the texts of lessons; if empty, a suitable one) and its number of decimals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Format {
    /// The unit.
    pub unit: String,
    /// Decimals; at most three significant digits if left out.
    pub decimals: Option<usize>,
}

impl Format {
    /// Reads `s`, `ms.1`, `%`, `.2`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (unit, decimals) = match text.split_once('.') {
            None => (text, None),
            Some((unit, d)) => {
                let d = d.parse().ok().filter(|d| *d <= 6);
                (unit, Some(d.ok_or("decimals must be from 0 to 6")?))
            }
        };
        if !unit.is_empty() && !UNITS.iter().any(|u| u.0 == unit) {
            let message = format!("\"{unit}\" must be one of s, ms, us, ns, %, x, n");
            return Err(message);
        }
        Ok(Self {
            unit: unit.to_owned(),
            decimals,
        })
    }

    /// The text of a quantity.
    pub fn print(&self, quantity: &Quantity, words: &Words) -> Result<String, String> {
        Ok(match quantity {
            Quantity::Missing => "–".to_owned(),
            Quantity::Word(w) => w.clone(),
            Quantity::Flag(is) => if *is { words.yes } else { words.no }.to_owned(),
            Quantity::List(all) => {
                let told: Result<Vec<_>, _> = all.iter().map(|q| self.print(q, words)).collect();
                told?.join(", ")
            }
            Quantity::Number(value, kind) => self.number(*value, *kind, words)?,
        })
    }

    fn number(&self, value: f64, kind: Kind, words: &Words) -> Result<String, String> {
        let unit = match (self.unit.as_str(), kind) {
            ("", Kind::Time) => suiting(value),
            ("", Kind::Share) => "%",
            ("", _) => "n",
            (unit, _) => unit,
        };
        let number = in_unit(value, kind, unit)?;
        // Counts are shown exactly.
        let whole = unit == "n" && (kind == Kind::Count || number.fract() == 0.0);
        let decimals = self
            .decimals
            .unwrap_or(if whole { 0 } else { digits(number) });
        let text = told(number, decimals, words);
        let sign = if unit == "us" { "µs" } else { unit };
        Ok(match unit {
            "n" => text,
            "x" | "×" => format!("{text}×"),
            _ => format!("{text} {sign}"),
        })
    }
}

/// The unit in which a time has one to three digits before the point.
fn suiting(ns: f64) -> &'static str {
    let size = ns.abs();
    if size >= 999.5e6 {
        "s"
    } else if size >= 999.5e3 || size == 0.0 {
        "ms"
    } else if size >= 999.5 {
        "us"
    } else {
        "ns"
    }
}

/// Number of decimals that gives three significant digits.
fn digits(value: f64) -> usize {
    let size = value.abs();
    match size {
        s if s >= 99.95 || s == 0.0 => 0,
        s if s >= 9.995 => 1,
        s if s >= 0.095 => 2,
        _ => 3,
    }
}

/// A number with separated thousands.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates; numbers of lessons are far smaller
fn told(value: f64, decimals: usize, words: &Words) -> String {
    let factor = 10_u64.pow(u32::try_from(decimals).unwrap_or(0));
    let scaled = (value.abs() * sim_run::metrics::real(factor)).round() as u64;
    let (whole, part) = ((scaled / factor).to_string(), scaled % factor);
    let mut out = String::new();
    if value < 0.0 && scaled > 0 {
        out.push('−');
    }
    for (i, c) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i) % 3 == 0 {
            out.push('\u{202f}');
        }
        out.push(c);
    }
    if decimals > 0 {
        let digits = part.to_string();
        out.push(words.point);
        out.extend(std::iter::repeat_n('0', decimals - digits.len()));
        out.push_str(&digits);
    }
    out
}
