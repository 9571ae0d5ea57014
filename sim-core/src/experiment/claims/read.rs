//! Claims read from their data, field by field. The derived reader is larger than much of what the page loads for its
//! claims; a test compares the two.

use super::claim::{Claim, Control, Demand, Kind, When};
use crate::experiment::bound::{About, Bound, Covered, Published, Verdict};
use crate::experiment::words::list;
use serde_json::{Map, Value};

/// An object, and where it stands.
struct Object<'a> {
    map: &'a Map<String, Value>,
    path: String,
}

type Read<T> = Result<T, String>;

impl<'a> Object<'a> {
    fn new(value: &'a Value, path: String, known: &[&str]) -> Read<Self> {
        let Value::Object(map) = value else {
            return Err(path + " must be an object");
        };
        for key in map.keys() {
            if !known.contains(&key.as_str()) {
                return Err(format!("{path}.{key} must be one of {}", list(known)));
            }
        }
        Ok(Self { map, path })
    }

    fn wrong<T>(&self, key: &str, what: &str) -> Read<T> {
        Err(self.told(key, what))
    }

    #[inline(never)]
    fn told(&self, key: &str, what: &str) -> String {
        format!("{}.{key} must be {what}", self.path)
    }

    fn value(&self, key: &str) -> Read<&'a Value> {
        match self.map.get(key) {
            Some(value) => Ok(value),
            None => self.wrong(key, "there"),
        }
    }

    #[inline(never)]
    fn text(&self, key: &str) -> Read<String> {
        match self.value(key)? {
            Value::String(text) => Ok(text.clone()),
            _ => self.wrong(key, "a text"),
        }
    }

    #[inline(never)]
    fn text_if(&self, key: &str) -> Read<Option<String>> {
        if self.map.contains_key(key) {
            return Ok(Some(self.text(key)?));
        }
        Ok(None)
    }

    #[inline(never)]
    fn number_if(&self, key: &str) -> Read<Option<f64>> {
        match self.map.get(key).map(Value::as_f64) {
            None => Ok(None),
            Some(Some(x)) => Ok(Some(x)),
            Some(None) => self.wrong(key, "a number"),
        }
    }

    fn list(&self, key: &str) -> Read<&'a [Value]> {
        match self.map.get(key) {
            None => Ok(&[]),
            Some(Value::Array(list)) => Ok(list),
            Some(_) => self.wrong(key, "a list"),
        }
    }

    fn each<T>(&self, key: &str, read: fn(&Value, String) -> Read<T>) -> Read<Vec<T>> {
        let mut all = Vec::new();
        for (i, value) in self.list(key)?.iter().enumerate() {
            all.push(read(value, format!("{}.{key}[{i}]", self.path))?);
        }
        Ok(all)
    }

    fn verdict(&self, key: &str) -> Read<Verdict> {
        match self.text(key)?.as_str() {
            "holds" => Ok(Verdict::Holds),
            "fails" => Ok(Verdict::Fails),
            "undecided" => Ok(Verdict::Undecided),
            "unavailable" => Ok(Verdict::Unavailable),
            _ => self.wrong(key, "one of holds, fails, undecided, unavailable"),
        }
    }
}

/// Appends the claims of a file.
pub(super) fn claims(file: &Value, all: &mut Vec<Claim>) -> Read<()> {
    let list = file.as_array().ok_or("the file must be a list")?;
    for value in list {
        let id = value["id"].as_str().unwrap_or("a claim");
        all.push(claim(value, id.to_owned())?);
    }
    Ok(())
}

#[inline(never)]
fn claim(value: &Value, path: String) -> Read<Claim> {
    let known = [
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
    let of = Object::new(value, path, &known)?;
    Ok(Claim {
        id: of.text("id")?,
        experiment: of.text("experiment")?,
        page: of.text("page")?,
        kind: match of.text("kind")?.as_str() {
            "validation" => Kind::Validation,
            "calibration" => Kind::Calibration,
            "verification" => Kind::Verification,
            _ => return of.wrong("kind", "one of validation, calibration, verification"),
        },
        statement: of.text("statement")?,
        source: of.text("source")?,
        circular: of.text_if("circular")?,
        measures: of.each("measures", demand)?,
        suspected: of.text_if("suspected")?,
        expected_verdict: of.verdict("expectedVerdict")?,
        control: match of.map.get("control") {
            None => None,
            Some(value) => Some(control(value, format!("{}.control", of.path))?),
        },
    })
}

#[inline(never)]
fn demand(value: &Value, path: String) -> Read<Demand> {
    let of = Object::new(value, path, &["measure", "of", "when", "bound", "reason"])?;
    Ok(Demand {
        measure: of.text("measure")?,
        of: of.text_if("of")?,
        when: match of.map.get("when") {
            None => None,
            Some(value) => Some(when(value, format!("{}.when", of.path))?),
        },
        bound: bound(of.value("bound")?, format!("{}.bound", of.path))?,
        reason: of.text("reason")?,
    })
}

#[inline(never)]
fn when(value: &Value, path: String) -> Read<When> {
    let of = Object::new(value, path, &["from", "to", "is"])?;
    let number = |v: &Value, path: String| match v.as_f64() {
        Some(x) => Ok(x),
        None => Err(path + " must be a number"),
    };
    Ok(When {
        from: of.number_if("from")?,
        to: of.number_if("to")?,
        is: of.each("is", number)?,
    })
}

#[inline(never)]
fn bound(value: &Value, path: String) -> Read<Bound> {
    let known = [
        "from",
        "to",
        "about",
        "within",
        "withinPercent",
        "withinFactor",
        "covers",
        "together",
    ];
    let of = Object::new(value, path, &known)?;
    Ok(Bound {
        from: of.number_if("from")?,
        to: of.number_if("to")?,
        about: match of.map.get("about") {
            None => None,
            Some(Value::String(word)) if word == "published" => {
                Some(About::Published(Published::Published))
            }
            Some(value) => match value.as_f64() {
                Some(x) => Some(About::Number(x)),
                None => return of.wrong("about", "a number or published"),
            },
        },
        within: of.number_if("within")?,
        within_percent: of.number_if("withinPercent")?,
        within_factor: of.number_if("withinFactor")?,
        covers: match of.text_if("covers")?.as_deref() {
            None => None,
            Some("theory") => Some(Covered::Theory),
            Some(_) => return of.wrong("covers", "theory"),
        },
        together: match of.map.get("together").map(Value::as_u64) {
            None => None,
            Some(Some(n)) => usize::try_from(n).ok(),
            Some(None) => return of.wrong("together", "a whole number from 0 on"),
        },
    })
}

#[inline(never)]
fn control(value: &Value, path: String) -> Read<Control> {
    let of = Object::new(value, path, &["what", "changes", "expects"])?;
    Ok(Control {
        what: of.text("what")?,
        changes: of.list("changes")?.to_vec(),
        expects: of.verdict("expects")?,
    })
}

#[cfg(test)]
mod tests {
    use super::super::claim::FILES;
    use super::*;
    use crate::experiment::shelf;

    fn file(name: &str) -> &'static Value {
        shelf::file(&format!("claims/{name}")).expect("shipped")
    }

    fn read(file: &Value) -> Read<Vec<Claim>> {
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
