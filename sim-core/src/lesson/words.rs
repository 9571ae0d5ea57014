//! The few words of the core itself, by language.

/// Words of a language.
#[derive(Debug, PartialEq, Eq)]
pub struct Words {
    /// Its code.
    pub language: &'static str,
    /// How values are written.
    pub values: sim_measure::words::Words,
    /// The feedback if no other fits; `{said}` and `{truth}` are replaced.
    pub neutral: &'static str,
    /// The feedback to a drawn line that has the shape of the truth but is too far from it.
    pub elsewhere: &'static str,
    /// The text for a run without the moment, if the lesson has none.
    pub otherwise: &'static str,
    /// Names of [shapes](sim_measure::shape::shape) of drawn lines, in the order of [`sim_measure::shape::SHAPES`].
    pub shapes: [&'static str; 9],
}

const ENGLISH: Words = Words {
    language: "en",
    values: sim_measure::words::ENGLISH,
    neutral: "You said {said}, your run gives {truth}.",
    elsewhere: "Your line has the shape of your run, {truth}, but lies elsewhere.",
    otherwise: "Your run has no such moment.",
    shapes: [
        "a level line",
        "a straight line",
        "a step",
        "stairs",
        "a peak",
        "a valley",
        "a line that bends towards a limit",
        "a line that grows faster and faster",
        "a line of its own form",
    ],
};

const GERMAN: Words = Words {
    language: "de",
    values: sim_measure::words::GERMAN,
    neutral: "Du sagtest {said}, dein Lauf ergibt {truth}.",
    elsewhere: "Deine Linie hat die Form deines Laufs, {truth}, liegt aber anderswo.",
    otherwise: "Dein Lauf hat keinen solchen Moment.",
    shapes: [
        "eine waagrechte Linie",
        "eine gerade Linie",
        "eine Stufe",
        "eine Treppe",
        "eine Spitze",
        "ein Tal",
        "eine Linie, die sich einer Grenze nähert",
        "eine Linie, die immer schneller wächst",
        "eine Linie von eigener Form",
    ],
};

/// The words of a language (`de`, `de-AT`); English if the language is unknown.
#[must_use]
pub fn words(language: &str) -> &'static Words {
    match language.split(['-', '_']).next() {
        Some("de") => &GERMAN,
        _ => &ENGLISH,
    }
}
