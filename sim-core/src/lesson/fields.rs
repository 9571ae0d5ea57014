//! Readers for types whose fields depend on their kind. They are written by hand. The derived form of a tagged enum
//! reads everything twice and loses the line of an error, and the derived form of a flattened struct accepts unknown
//! fields.

use super::format::{
    Axis, Compare, Difference, Feedback, Fork, Point, Question, RowPoint, Step, Tolerance,
};
use crate::property::written;
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::collections::BTreeMap;

/// Declares a struct with the fields of a difference and its own.
macro_rules! difference {
    ($fields:ident { $($own:ident : $type:ty),* } => |$f:ident, $is:ident| $made:expr, $name:ident) => {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        struct $fields {
            $($own: $type,)*
            #[serde(default)]
            set: BTreeMap<String, Value>,
            lane: Option<u32>,
            #[serde(default)]
            tunables: BTreeMap<String, Value>,
            era: Option<String>,
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let $f = $fields::deserialize(from)?;
                let $is = by_paths($f.set, $f.lane, $f.tunables, $f.era);
                Ok($made)
            }
        }
    };
}

/// A difference by paths alone. Older files say tunables and era of a lane in fields of their own; without the lane they
/// concern every lane that has them.
fn by_paths(
    mut set: BTreeMap<String, Value>,
    lane: Option<u32>,
    tunables: BTreeMap<String, Value>,
    era: Option<String>,
) -> Difference {
    let lane = lane.map_or_else(|| "*".to_owned(), |lane| lane.to_string());
    let era = era.map(|era| ("era".to_owned(), Value::from(era)));
    let old = tunables.into_iter().chain(era);
    set.extend(old.map(|(field, value)| (written(&["lanes", &lane, &field]), value)));
    Difference { set }
}

difference!(DifferenceFields {} => |f, is| is, Difference);
difference!(PointFields { at: f64 } => |f, is| RowPoint { at: f.at, is }, RowPoint);
difference!(ForkFields { label: String } => |f, is| Fork { label: f.label, is }, Fork);

/// Declares the fields of all kinds, and which of them each kind may have.
macro_rules! choice {
    (
        $fields:ident by $tag:literal: $kinds:ident { $($kind:ident => [$($of:literal),*]),* $(,)? }
        { $($field:ident: $type:ty),* $(,)? }
    ) => {
        #[derive(Clone, Copy, Deserialize)]
        #[serde(rename_all = "camelCase")]
        enum $kinds {
            $($kind),*
        }

        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        struct $fields {
            #[serde(rename = $tag)]
            kind: $kinds,
            $($field: Option<$type>),*
        }

        impl $fields {
            /// Refuses a field that this kind cannot have.
            fn without_strays<E: Error>(self) -> Result<Self, E> {
                let known: &'static [&'static str] = match self.kind {
                    $($kinds::$kind => &[$($of),*]),*
                };
                let given = [$((stringify!($field), self.$field.is_some())),*];
                match given.iter().find(|(name, is)| *is && !known.contains(name)) {
                    Some((name, _)) => Err(E::unknown_field(name, known)),
                    None => Ok(self),
                }
            }
        }
    };
}

choice! {
    StepFields by "kind": StepKind {
        Situation => ["text"],
        Predict => ["id", "ask", "answer", "truth", "expected", "feedback"],
        Run => ["text", "stop", "otherwise"],
        Observe => ["id", "ask", "options", "truth", "point", "otherwise"],
        Explain => ["text", "point", "otherwise"],
        Change => ["text", "forks", "compare", "expected", "then"],
    }
    {
        text: String,
        id: String,
        ask: String,
        answer: Question,
        truth: String,
        expected: Value,
        feedback: Vec<Feedback>,
        stop: Point,
        otherwise: String,
        options: Vec<String>,
        point: Point,
        forks: Vec<Fork>,
        compare: Compare,
        then: String,
    }
}

impl<'de> Deserialize<'de> for Step {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let f = StepFields::deserialize(from)?.without_strays::<D::Error>()?;
        let lacks = Error::missing_field;
        Ok(match f.kind {
            StepKind::Situation => Self::Situation {
                text: f.text.ok_or_else(|| lacks("text"))?,
            },
            StepKind::Predict => Self::Predict {
                id: f.id.ok_or_else(|| lacks("id"))?,
                ask: f.ask.ok_or_else(|| lacks("ask"))?,
                answer: f.answer.ok_or_else(|| lacks("answer"))?,
                truth: f.truth.ok_or_else(|| lacks("truth"))?,
                expected: f.expected.ok_or_else(|| lacks("expected"))?,
                feedback: f.feedback.ok_or_else(|| lacks("feedback"))?,
            },
            StepKind::Run => Self::Run {
                text: f.text.unwrap_or_default(),
                stop: f.stop,
                otherwise: f.otherwise.unwrap_or_default(),
            },
            StepKind::Observe => Self::Observe {
                id: f.id.ok_or_else(|| lacks("id"))?,
                ask: f.ask.ok_or_else(|| lacks("ask"))?,
                options: f.options.unwrap_or_default(),
                truth: f.truth,
                point: f.point,
                otherwise: f.otherwise.unwrap_or_default(),
            },
            StepKind::Explain => Self::Explain {
                text: f.text.ok_or_else(|| lacks("text"))?,
                point: f.point,
                otherwise: f.otherwise.unwrap_or_default(),
            },
            StepKind::Change => Self::Change {
                text: f.text.ok_or_else(|| lacks("text"))?,
                forks: f.forks.ok_or_else(|| lacks("forks"))?,
                compare: f.compare.ok_or_else(|| lacks("compare"))?,
                expected: {
                    let given = f.expected.ok_or_else(|| lacks("expected"))?;
                    numbers(&given).ok_or_else(|| Error::custom("expected must be numbers"))?
                },
                then: f.then.ok_or_else(|| lacks("then"))?,
            },
        })
    }
}

/// The numbers of a list; `None` if it contains anything else.
fn numbers(list: &Value) -> Option<Vec<f64>> {
    list.as_array()?.iter().map(Value::as_f64).collect()
}

choice! {
    QuestionFields by "type": QuestionKind {
        Choice => ["options", "unit", "values"],
        Number => ["unit", "min", "max", "tolerance"],
        Order => ["items"],
        Curve => ["x", "y", "at"],
    }
    {
        options: Vec<String>,
        values: Vec<Option<f64>>,
        unit: String,
        min: f64,
        max: f64,
        tolerance: Tolerance,
        items: Vec<String>,
        x: Axis,
        y: Axis,
        at: Vec<f64>,
    }
}

impl<'de> Deserialize<'de> for Question {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let f = QuestionFields::deserialize(from)?.without_strays::<D::Error>()?;
        let lacks = Error::missing_field;
        Ok(match f.kind {
            QuestionKind::Choice => Self::Choice {
                options: f.options.ok_or_else(|| lacks("options"))?,
                unit: f.unit,
                values: f.values,
            },
            QuestionKind::Number => Self::Number {
                unit: f.unit.unwrap_or_default(),
                min: f.min.ok_or_else(|| lacks("min"))?,
                max: f.max.ok_or_else(|| lacks("max"))?,
                tolerance: f.tolerance.ok_or_else(|| lacks("tolerance"))?,
            },
            QuestionKind::Order => Self::Order {
                items: f.items.ok_or_else(|| lacks("items"))?,
            },
            QuestionKind::Curve => Self::Curve {
                x: f.x.ok_or_else(|| lacks("x"))?,
                y: f.y.ok_or_else(|| lacks("y"))?,
                at: f.at.ok_or_else(|| lacks("at"))?,
            },
        })
    }
}

/// Read through a value: where own policies are built, their language has the reader of JSON hand out numbers with a
/// fraction in a form that only a value understands.
impl<'de> Deserialize<'de> for Tolerance {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let found = match Value::deserialize(from)? {
            Value::String(part) => return Ok(Self::Part(part)),
            Value::Number(n) => match (n.as_i64().filter(|n| *n < 0), n.as_f64()) {
                (None, Some(n)) => return Ok(Self::Absolute(n)),
                (n, _) => Unexpected::Signed(n.unwrap_or_default()),
            },
            Value::Null => Unexpected::Unit,
            Value::Bool(b) => Unexpected::Bool(b),
            Value::Array(_) => Unexpected::Seq,
            Value::Object(_) => Unexpected::Map,
        };
        let wanted = "a number, or a part such as \"5%\"";
        Err(Error::invalid_type(found, &wanted))
    }
}
