//! Reads claims from their data, field by field. The derived reader would be larger than much of what the page loads
//! for its claims; a test compares the two.

use super::claim::{Claim, Control, Demand, Kind, When};
use crate::experiment::bound::{Bound, BoundCentre, Covered, Published, Verdict};
use crate::experiment::words::list;
use serde_json::{Map, Value};
use std::cell::Cell;

/// The first error; empty if there is none. Reading goes on after an error, because returning early after each field
/// would make the readers larger.
type FirstError = Cell<String>;

/// An object and its path.
struct Object<'a> {
    /// `None` if the value is no object.
    map: Option<&'a Map<String, Value>>,
    path: String,
    wrong: &'a FirstError,
}

impl<'a> Object<'a> {
    fn new(value: &'a Value, path: String, known: &[&str], wrong: &'a FirstError) -> Self {
        let map = value.as_object();
        let of = Self { map, path, wrong };
        let Some(map) = map else {
            of.tell(of.path.clone() + " must be an object");
            return of;
        };
        for key in map.keys() {
            if !known.contains(&key.as_str()) {
                of.wrong(key, &("one of ".to_owned() + &list(known)));
            }
        }
        of
    }

    #[inline(never)]
    fn wrong(&self, key: &str, what: &str) {
        self.tell(format!("{}.{key} must be {what}", self.path));
    }

    fn tell(&self, wrong: String) {
        let told = self.wrong.take();
        self.wrong.set(if told.is_empty() { wrong } else { told });
    }

    #[inline(never)]
    fn get(&self, key: &str) -> Option<&'a Value> {
        self.map?.get(key)
    }

    /// A text; empty if there is none.
    #[inline(never)]
    fn text(&self, key: &str) -> String {
        match self.get(key) {
            Some(Value::String(text)) => text.clone(),
            _ => {
                self.wrong(key, "a text");
                String::new()
            }
        }
    }

    #[inline(never)]
    fn text_if(&self, key: &str) -> Option<String> {
        self.get(key)?;
        Some(self.text(key))
    }

    #[inline(never)]
    fn number_if(&self, key: &str) -> Option<f64> {
        let number = self.get(key)?.as_f64();
        if number.is_none() {
            self.wrong(key, "a number");
        }
        number
    }

    #[inline(never)]
    fn list(&self, key: &str) -> &'a [Value] {
        match self.get(key) {
            None => &[],
            Some(Value::Array(list)) => list,
            Some(_) => {
                self.wrong(key, "a list");
                &[]
            }
        }
    }

    /// The path of a field.
    fn path(&self, key: &str) -> String {
        format!("{}.{key}", self.path)
    }

    fn verdict(&self, key: &str) -> Verdict {
        match self.text(key).as_str() {
            "holds" => return Verdict::Holds,
            "fails" => return Verdict::Fails,
            "undecided" => return Verdict::Undecided,
            "unavailable" => {}
            _ => self.wrong(key, "one of holds, fails, undecided, unavailable"),
        }
        Verdict::Unavailable
    }
}

/// Appends the claims of a file.
pub(super) fn claims(file: &Value, all: &mut Vec<Claim>) -> Result<(), String> {
    let Value::Array(list) = file else {
        return Err("the file must be a list".to_owned());
    };
    let wrong = FirstError::default();
    for value in list {
        all.push(claim(value, &wrong));
    }
    let wrong = wrong.take();
    if wrong.is_empty() {
        return Ok(());
    }
    Err(wrong)
}

const CLAIM: &[&str] = &[
    "id",
    "experiment",
    "page",
    "kind",
    "statement",
    "source",
    "circular",
    "measures",
    "suspected",
    "expectedVerdict",
    "control",
];

fn claim(value: &Value, wrong: &FirstError) -> Claim {
    let id = value["id"].as_str().unwrap_or("a claim");
    let of = Object::new(value, id.to_owned(), CLAIM, wrong);
    let mut measures = Vec::new();
    for (i, value) in of.list("measures").iter().enumerate() {
        let path = format!("{}.measures[{i}]", of.path);
        measures.push(demand(value, path, wrong));
    }
    Claim {
        id: of.text("id"),
        experiment: of.text("experiment"),
        page: of.text("page"),
        kind: match of.text("kind").as_str() {
            "calibration" => Kind::Calibration,
            "verification" => Kind::Verification,
            word => {
                if word != "validation" {
                    of.wrong("kind", "one of validation, calibration, verification");
                }
                Kind::Validation
            }
        },
        statement: of.text("statement"),
        source: of.text("source"),
        circular: of.text_if("circular"),
        measures,
        suspected: of.text_if("suspected"),
        expected_verdict: of.verdict("expectedVerdict"),
        control: of
            .get("control")
            .map(|value| control(value, of.path("control"), wrong)),
    }
}

#[inline(never)]
fn demand(value: &Value, path: String, wrong: &FirstError) -> Demand {
    let known = ["measure", "of", "when", "bound", "reason"];
    let of = Object::new(value, path, &known, wrong);
    Demand {
        measure: of.text("measure"),
        of: of.text_if("of"),
        when: of
            .get("when")
            .map(|value| when(value, of.path("when"), wrong)),
        bound: bound(&value["bound"], of.path("bound"), wrong),
        reason: of.text("reason"),
    }
}

#[inline(never)]
fn when(value: &Value, path: String, wrong: &FirstError) -> When {
    let of = Object::new(value, path, &["from", "to", "is"], wrong);
    let mut is = Vec::new();
    for value in of.list("is") {
        match value.as_f64() {
            Some(x) => is.push(x),
            None => of.wrong("is", "a list of numbers"),
        }
    }
    When {
        from: of.number_if("from"),
        to: of.number_if("to"),
        is,
    }
}

const BOUND: &[&str] = &[
    "from",
    "to",
    "about",
    "within",
    "withinPercent",
    "withinFactor",
    "covers",
    "together",
];

#[inline(never)]
fn bound(value: &Value, path: String, wrong: &FirstError) -> Bound {
    let of = Object::new(value, path, BOUND, wrong);
    let about = match of.get("about") {
        None => None,
        Some(Value::String(word)) if word == "published" => {
            Some(BoundCentre::Published(Published::Published))
        }
        Some(_) => of.number_if("about").map(BoundCentre::Number),
    };
    let covers = of.text_if("covers");
    if covers.as_deref().is_some_and(|word| word != "theory") {
        of.wrong("covers", "theory");
    }
    let together = of.get("together").map(Value::as_u64);
    if together == Some(None) {
        of.wrong("together", "a whole number from 0 on");
    }
    Bound {
        from: of.number_if("from"),
        to: of.number_if("to"),
        about,
        within: of.number_if("within"),
        within_percent: of.number_if("withinPercent"),
        within_factor: of.number_if("withinFactor"),
        covers: covers.map(|_| Covered::Theory),
        together: together.flatten().and_then(|n| usize::try_from(n).ok()),
    }
}

#[inline(never)]
fn control(value: &Value, path: String, wrong: &FirstError) -> Control {
    let of = Object::new(value, path, &["what", "changes", "expects"], wrong);
    Control {
        what: of.text("what"),
        changes: of.list("changes").to_vec(),
        expects: of.verdict("expects"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::claim::FILES;
    use super::*;
    use crate::experiment::shelf;

    fn file(name: &str) -> &'static Value {
        shelf::file(&format!("claims/{name}")).expect("shipped")
    }

    fn read(file: &Value) -> Result<Vec<Claim>, String> {
        let mut all = Vec::new();
        claims(file, &mut all).map(|()| all)
    }

    #[test]
    fn by_hand_gives_what_the_derived_reader_gives() {
        for name in FILES {
            let derived: Vec<Claim> = serde_json::from_value(file(name).clone()).expect("valid");
            let by_hand = read(file(name)).expect("valid");
            assert_eq!(format!("{derived:?}"), format!("{by_hand:?}"));
            for control in by_hand.iter().filter_map(|c| c.control.as_ref()) {
                assert!(!control.changes().expect("valid").is_empty());
            }
        }
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        let changed = |from: &str, to: &str| {
            let text = file("s1").to_string().replacen(from, to, 1);
            read(&serde_json::from_str(&text).expect("JSON")).expect_err("wrong")
        };
        let error = changed("\"reason\"", "\"raeson\"");
        assert!(
            error.contains("S1a.measures[0].raeson must be one of"),
            "{error}"
        );
        let error = changed("\"validation\"", "\"guess\"");
        assert!(error.starts_with("S1a.kind must be one of"), "{error}");
    }
}
