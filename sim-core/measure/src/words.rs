//! How a language writes numbers and truth.

/// The words of a language that values need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// The character between the integer and the fractional part of a number.
    pub point: char,
    /// True.
    pub yes: &'static str,
    /// False.
    pub no: &'static str,
}

/// English.
pub const ENGLISH: Words = Words {
    point: '.',
    yes: "yes",
    no: "no",
};

/// German.
pub const GERMAN: Words = Words {
    point: ',',
    yes: "ja",
    no: "nein",
};
