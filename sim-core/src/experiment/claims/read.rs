//! Claims read from their data, field by field. The derived reader of a tagged enum and of an untagged one is larger than all
//! else that the page loads for its claims; a test compares the two.

use super::claim::{Claim, Control, Demand, Kind, When};
use crate::experiment::bound::{About, Bound, Covered, Published, Verdict};
use crate::experiment::change::Change;
use serde_json::{Map, Value};

/// An object, and where it stands.
struct Object<'a> {
    map: &'a Map<String, Value>,
    path: String,
}

type Read<T> = Result<T, String>;

impl<'a> Object<'a> {
    fn new(value: &'a Value, path: String, known: &[&str]) -> Read<Self> {
        let map = value
            .as_object()
            .ok_or(format!("{path} must be an object"))?;
        match map.keys().find(|k| !known.contains(&k.as_str())) {
            Some(key) => Err(format!("{path}.{key} must be one of {}", known.join(", "))),
            None => Ok(Self { map, path }),
        }
    }

    fn wrong<T>(&self, key: &str, what: &str) -> Read<T> {
        Err(format!("{}.{key} must be {what}", self.path))
    }

    fn value(&self, key: &str) -> Read<&'a Value> {
        let found = self.map.get(key);
        found.ok_or(format!("{}.{key} is missing", self.path))
    }

    fn text(&self, key: &str) -> Read<String> {
        match self.value(key)? {
            Value::String(text) => Ok(text.clone()),
            _ => self.wrong(key, "a text"),
        }
    }

    fn text_if(&self, key: &str) -> Read<Option<String>> {
        self.map.get(key).map(|_| self.text(key)).transpose()
    }

    fn whole(&self, key: &str) -> Read<u64> {
        let number = self.value(key)?.as_u64();
        number.map_or_else(|| self.wrong(key, "a whole number from 0 on"), Ok)
    }

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

/// The claims of a file.
pub(super) fn claims(text: &str) -> Read<Vec<Claim>> {
    let file: Value = serde_json::from_str(text).map_err(|e| e.to_string())?;
    let list = file.as_array().ok_or("the file must be a list")?;
    let mut all = Vec::new();
    for value in list {
        let id = value["id"].as_str().unwrap_or("a claim");
        all.push(claim(value, id.to_owned())?);
    }
    Ok(all)
}

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

fn when(value: &Value, path: String) -> Read<When> {
    let of = Object::new(value, path, &["from", "to", "is"])?;
    let number = |v: &Value, path: String| v.as_f64().ok_or(format!("{path} must be a number"));
    Ok(When {
        from: of.number_if("from")?,
        to: of.number_if("to")?,
        is: of.each("is", number)?,
    })
}

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
        together: match of.map.get("together") {
            None => None,
            Some(_) => usize::try_from(of.whole("together")?).ok(),
        },
    })
}

fn control(value: &Value, path: String) -> Read<Control> {
    let of = Object::new(value, path, &["what", "changes", "expects"])?;
    Ok(Control {
        what: of.text("what")?,
        changes: of.each("changes", change)?,
        expects: of.verdict("expects")?,
    })
}

fn change(value: &Value, path: String) -> Read<Change> {
    let kind = value["change"].as_str().unwrap_or_default();
    let fields: &[&str] = match kind {
        "machine" => &["machine"],
        "machineField" | "timing" => &["field", "value"],
        "seed" => &["seed"],
        "end" => &["atNs"],
        "background" => &["background"],
        "group" => &["group", "field", "value"],
        "param" => &["group", "param", "value"],
        "behaviour" => &["group", "kind", "params"],
        "addGroup" => &["added"],
        "removeGroup" => &["group"],
        "tunable" => &["scheduler", "tunable", "value"],
        "era" => &["scheduler", "era"],
        "lane" => &["scheduler", "instead"],
        "editTime" => &["edit", "atNs"],
        _ => {
            return Err(format!(
                "{path}.change must be a kind of change; got \"{kind}\""
            ));
        }
    };
    let known: Vec<&str> = ["change"].iter().chain(fields).copied().collect();
    let of = Object::new(value, path, &known)?;
    let plain = |key: &str| of.value(key).cloned();
    Ok(match kind {
        "machine" => Change::Machine {
            machine: plain("machine")?,
        },
        "machineField" => Change::MachineField {
            field: of.text("field")?,
            value: plain("value")?,
        },
        "seed" => Change::Seed {
            seed: of.whole("seed")?,
        },
        "end" => Change::End {
            at_ns: of.whole("atNs")?,
        },
        "background" => Change::Background {
            background: plain("background")?,
        },
        "timing" => Change::Timing {
            field: of.text("field")?,
            value: plain("value")?,
        },
        "group" => Change::Group {
            group: of.text("group")?,
            field: of.text("field")?,
            value: plain("value")?,
        },
        "param" => Change::Param {
            group: of.text("group")?,
            param: of.text("param")?,
            value: plain("value")?,
        },
        "behaviour" => Change::Behaviour {
            group: of.text("group")?,
            kind: of.text("kind")?,
            params: match of.map.get("params") {
                None => Map::new(),
                Some(Value::Object(map)) => map.clone(),
                Some(_) => return of.wrong("params", "an object"),
            },
        },
        "addGroup" => Change::AddGroup {
            added: plain("added")?,
        },
        "removeGroup" => Change::RemoveGroup {
            group: of.text("group")?,
        },
        "tunable" => Change::Tunable {
            scheduler: of.text("scheduler")?,
            tunable: of.text("tunable")?,
            value: plain("value")?,
        },
        "era" => Change::Era {
            scheduler: of.text("scheduler")?,
            era: of.text("era")?,
        },
        "lane" => Change::Lane {
            scheduler: of.text("scheduler")?,
            instead: plain("instead")?,
        },
        _ => Change::EditTime {
            edit: usize::try_from(of.whole("edit")?).unwrap_or(usize::MAX),
            at_ns: of.whole("atNs")?,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::super::claim::FILES;
    use super::*;

    #[test]
    fn by_hand_gives_what_the_derived_reader_gives() {
        for text in FILES {
            let derived: Vec<Claim> = serde_json::from_str(text).expect("valid");
            let by_hand = claims(text).expect("valid");
            assert_eq!(format!("{derived:?}"), format!("{by_hand:?}"));
        }
        let json = r#"[{"change":"machine","machine":"e3"},{"change":"machineField","field":"a","value":1},
            {"change":"seed","seed":1},{"change":"end","atNs":2},{"change":"background","background":null},
            {"change":"timing","field":"kickNs","value":1},{"change":"group","group":"g","field":"nice","value":-3},
            {"change":"param","group":"g","param":"p","value":true},{"change":"behaviour","group":"g","kind":"loop"},
            {"change":"behaviour","group":"g","kind":"loop","params":{"workMs":3}},{"change":"addGroup","added":{}},
            {"change":"removeGroup","group":"g"},{"change":"tunable","scheduler":"s","tunable":"t","value":"x"},
            {"change":"era","scheduler":"s","era":"e"},{"change":"lane","scheduler":"s","instead":{"id":"t"}},
            {"change":"editTime","edit":0,"atNs":3}]"#;
        let derived: Vec<Change> = serde_json::from_str(json).expect("valid");
        let values: Vec<Value> = serde_json::from_str(json).expect("valid");
        let by_hand = values.iter().map(|v| change(v, String::new()));
        let by_hand: Vec<Change> = by_hand.collect::<Result<_, _>>().expect("valid");
        assert_eq!(derived, by_hand);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        let text = FILES[1].replacen("\"reason\"", "\"raeson\"", 1);
        let error = claims(&text).expect_err("wrong");
        assert!(
            error.contains("S1a.measures[0].raeson must be one of"),
            "{error}"
        );
        let text = FILES[1].replacen("\"validation\"", "\"guess\"", 1);
        let error = claims(&text).expect_err("wrong");
        assert!(error.starts_with("S1a.kind must be one of"), "{error}");
        for json in [
            r#"{"change":"wish"}"#,
            r#"{"change":"seed"}"#,
            r#"{"change":"seed","seed":1,"sed":2}"#,
        ] {
            let value: Value = serde_json::from_str(json).expect("JSON");
            assert!(change(&value, "c".to_owned()).is_err(), "{json}");
        }
    }
}
