//! Questions on paper: boxes, lines and axes, without answers.

use super::axes::{axes, number};
use super::html::{element, escape};
use super::words::SheetWords;
use crate::lesson::format::{Compare, Fork, Question};
use std::fmt::Write;

/// Letters of options.
const LETTERS: [char; 6] = ['A', 'B', 'C', 'D', 'E', 'F'];

/// The field for an answer.
pub(super) fn field(question: &Question, words: &SheetWords) -> String {
    match question {
        Question::Choice { options, .. } => choice(options),
        Question::Number { unit, min, max, .. } => {
            let range = words.from_to.replace("{min}", &number(*min));
            let range = range.replace("{max}", &number(*max));
            format!(
                "<p class=\"hint\"><span class=\"number\"></span>{} ({})</p>\n",
                escape(shown(unit)),
                escape(&range)
            )
        }
        Question::Order { items } => {
            let mut out = String::from("<ol class=\"options row\">");
            for item in items {
                let _ = write!(
                    out,
                    "<li><span class=\"place\"></span>{}</li>",
                    escape(item)
                );
            }
            format!(
                "{out}</ol>\n<p class=\"hint\">{}</p>\n",
                escape(words.order_hint)
            )
        }
        Question::Curve { x, y, at } => axes(x, y, at, &[]),
    }
}

/// Options to tick.
pub(super) fn choice(options: &[String]) -> String {
    let mut out = String::from("<ol class=\"options\">");
    for (i, option) in options.iter().enumerate() {
        let letter = LETTERS.get(i).copied().unwrap_or('–');
        let _ = write!(
            out,
            "<li><span class=\"tick\"></span>{letter} · {}</li>",
            escape(option)
        );
    }
    out + "</ol>\n"
}

/// Empty lines to write on.
pub(super) fn lines(n: usize) -> String {
    "<div class=\"line\"></div>\n".repeat(n)
}

/// The table of a change: a row for each run, to be filled in.
pub(super) fn table(forks: &[Fork], compare: &Compare, words: &SheetWords) -> String {
    let label = match shown(&compare.unit) {
        "" => compare.label.clone(),
        unit => format!("{} ({unit})", compare.label),
    };
    let head = [label.as_str(), words.my_guess, words.run_gave];
    let mut out = String::from("<table><tr>");
    for cell in head {
        out += &element("th", cell);
    }
    out += "</tr>";
    let rows = std::iter::once(words.as_it_is).chain(forks.iter().map(|f| f.label.as_str()));
    for row in rows {
        let _ = write!(out, "<tr>{}<td></td><td></td></tr>", element("td", row));
    }
    out + "</table>\n"
}

/// A unit as it is displayed.
pub(super) fn shown(unit: &str) -> &str {
    match unit {
        "us" => "µs",
        "x" => "×",
        "n" => "",
        unit => unit,
    }
}
