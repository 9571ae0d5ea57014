//! Decisions in words: the words of the page's cards.
//!
//! The words are data: a scheduler's `reasons.json` has a sentence for each reason, with names in braces. `{who}` is the
//! thread, `{where}` the CPU, and any other name the operand of that name with its unit. Words behind a name stand for the
//! one that agrees with it: `{waiting|waits|wait}`. A reason without words is told by its code.

use crate::format;
use sim_core::report::DecisionView;

/// Sentences of one scheduler by reason.
type Sentences = &'static [(&'static str, &'static str)];

/// All of them by scheduler; see `build.rs`.
const ALL: &[(&str, Sentences)] = include!(concat!(env!("OUT_DIR"), "/words.rs"));

/// What is told of a scheduler's reasons.
#[derive(Debug)]
pub struct Words(Sentences);

impl Words {
    /// The words of a scheduler; none for one that only a test knows.
    #[must_use]
    pub fn of(scheduler: &str) -> Self {
        Self(
            ALL.iter()
                .find(|(id, _)| *id == scheduler)
                .map_or(&[], |(_, own)| own),
        )
    }

    /// The decision in a sentence.
    #[must_use]
    pub fn sentence(&self, d: &DecisionView) -> String {
        let found = self.0.iter().find(|(reason, _)| *reason == d.reason);
        found.map_or_else(|| from_code(d), |(_, template)| filled(template, d))
    }
}

/// The name of the thread.
fn who(d: &DecisionView) -> String {
    d.task_name
        .clone()
        .unwrap_or_else(|| "no thread".to_owned())
}

/// The name of the CPU.
fn place(d: &DecisionView) -> String {
    d.cpu
        .map_or_else(|| "no cpu".to_owned(), |cpu| format!("cpu {cpu}"))
}

/// An operand with its unit, or the word of two that agrees with it; an en dash if the decision has no operand of that
/// name.
fn operand(d: &DecisionView, name: &str) -> String {
    let (name, words) = name.split_once('|').unwrap_or((name, ""));
    let found = d.operands.iter().find(|o| o.name == name);
    if let Some((one, many)) = words.split_once('|') {
        let value = found.map_or(f64::NAN, |o| o.value);
        return format::one_or_many(value, one, many).to_owned();
    }
    found.map_or_else(
        || format::NOTHING.to_owned(),
        |o| {
            let number = || format::with_unit(o.value, o.unit);
            o.named.clone().unwrap_or_else(number)
        },
    )
}

fn filled(template: &str, d: &DecisionView) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let Some((name, behind)) = after.split_once('}') else {
            out.push('{');
            rest = after;
            continue;
        };
        out.push_str(&match name {
            "who" => who(d),
            "where" => place(d),
            name => operand(d, name),
        });
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// A sentence made from the code and the operands, so that no information is lost.
fn from_code(d: &DecisionView) -> String {
    let mut about = d.task_name.clone().unwrap_or_default();
    if d.cpu.is_some() {
        let space = if about.is_empty() { "" } else { " " };
        about = format!("{about}{space}on {}", place(d));
    }
    let colon = if about.is_empty() { "" } else { ": " };
    let code = d.reason.replace('_', " ");
    let operands: Vec<String> = d
        .operands
        .iter()
        .map(|o| format!("{} {}", o.name, operand(d, o.name)))
        .collect();
    if operands.is_empty() {
        format!("{about}{colon}{code}.")
    } else {
        format!("{about}{colon}{code} ({}).", operands.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::report::OperandView;

    fn decision() -> DecisionView {
        DecisionView {
            id: 3.0,
            at_ns: 0.0,
            cpu: Some(4),
            task: Some(0),
            task_name: Some("job-1".to_owned()),
            kind: "selectCpu",
            reason: "idle_core",
            kernel: "f @ BFS 0.318",
            operands: vec![
                OperandView {
                    name: "idle CPUs allowed",
                    value: 3.0,
                    unit: "CPUs",
                    named: None,
                },
                OperandView {
                    name: "rank",
                    value: 5.0,
                    unit: "",
                    named: None,
                },
            ],
            candidates: Vec::new(),
            said: None,
            calls: Vec::new(),
        }
    }

    #[test]
    fn names_in_braces_are_filled_in_with_their_units() {
        let template = "{who} wakes. Of {idle CPUs allowed} {where} is best ({rank}; {nothing}). {";
        assert_eq!(
            filled(template, &decision()),
            "job-1 wakes. Of 3 CPUs cpu 4 is best (5; –). {"
        );
    }

    #[test]
    fn a_word_agrees_with_the_number_that_it_belongs_to() {
        let mut d = decision();
        let template = "{rank} {rank|attempt has|attempts have} failed.";
        let told = [0.0, 1.0, 2.0].map(|rank| {
            d.operands[1].value = rank;
            filled(template, &d)
        });
        assert_eq!(
            told,
            [
                "0 attempts have failed.",
                "1 attempt has failed.",
                "2 attempts have failed."
            ]
        );
    }

    #[test]
    fn what_nobody_has_worded_is_told_from_its_code() {
        let mut d = decision();
        d.reason = "brand_new";
        let words = Words::of("bfs");
        assert_eq!(
            words.sentence(&d),
            "job-1 on cpu 4: brand new (idle CPUs allowed 3 CPUs, rank 5)."
        );
        (d.task_name, d.operands) = (None, Vec::new());
        assert_eq!(words.sentence(&d), "on cpu 4: brand new.");
        d.cpu = None;
        assert_eq!(words.sentence(&d), "brand new.");
    }
}
