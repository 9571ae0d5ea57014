//! One language for change: `set PATH = VALUE`, before a run or during it. The command line, Python, sweeps, lessons and
//! claims all speak it. What can be set stands in one table, [`PROPERTIES`].
//!
//! A path names what it changes: `groups.hog.nice`, `lanes.2.slice`, `machine.memory.localLatencyNs`. Groups and threads have
//! names; lanes and all other lists count from 1. A lane may also be named by its scheduler (`lanes.cfs.hz`: all its lanes), and
//! `*` stands for all groups, or for all lanes that have the tunable. `null` removes what may be left out.

mod edit;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use read::value_at;

pub use crate::config::property::{Kind, PROPERTIES, Property, When, of_pointer, written};

use crate::config::property::{self as value, find, steps};

use crate::config::{Scenario, validate};
use crate::error::ConfigError;
use crate::text::visible;
use crate::units;
use serde_json::{Map, Value};

/// The fields of a scenario that only guide people; they may not fit after a change.
const GUIDE: &[&str] = &[
    "ask", "opening", "answer", "controls", "moments", "thumb", "try",
];

/// Why a property was not set.
enum Refused {
    /// No lane has this scheduler or tunable. Where lanes vary, that is no error.
    Nowhere(String),
    /// Anything else.
    Wrong(String),
}

impl From<String> for Refused {
    fn from(message: String) -> Self {
        Self::Wrong(message)
    }
}

impl From<&str> for Refused {
    fn from(message: &str) -> Self {
        Self::Wrong(message.to_owned())
    }
}

/// A property and its new value.
#[derive(Clone, Debug, PartialEq)]
pub struct Set {
    /// The path.
    pub path: String,
    /// The value, as a scenario file has it or as a text with a unit.
    pub value: Value,
    /// When it takes effect, in ns from the start of the run; before the run if left out.
    pub at_ns: Option<u64>,
}

impl Set {
    /// A value before the run.
    pub fn new(path: impl Into<String>, value: impl Into<Value>) -> Self {
        Self {
            path: path.into(),
            value: value.into(),
            at_ns: None,
        }
    }

    /// Reads `PATH=VALUE` or `PATH=VALUE@TIME`, as a command line has it.
    ///
    /// # Errors
    /// If it has another form, or there is no such property.
    pub fn parse(text: &str) -> Result<Self, String> {
        let form = "must look like groups.hog.nice=5 or groups.hog.nice=5@2s";
        let (path, rest) = value::before_value(text).ok_or(form)?;
        let timed = rest.rsplit_once('@');
        let timed = timed.and_then(|(value, at)| Some((value, units::time(at).ok()?)));
        let (value, at_ns) = timed.map_or((rest, None), |(value, at)| (value, Some(at)));
        let (property, _) = find(path)?;
        Ok(Self {
            path: path.to_owned(),
            value: value::from_text(property.kind, value),
            at_ns,
        })
    }

    /// The values of a list in a file, each under its path.
    #[must_use]
    pub fn all(map: &Map<String, Value>) -> Vec<Self> {
        let all = map.iter();
        all.map(|(path, value)| Self::new(path, value.clone()))
            .collect()
    }

    /// The scheduler whose lanes it concerns, if it names them so.
    #[must_use]
    pub fn scheduler(&self) -> Option<String> {
        let steps = steps(&self.path).ok()?;
        let named = steps.get(1).filter(|_| steps[0] == "lanes")?;
        let is_name = named != "*" && named.parse::<usize>().is_err();
        is_name.then(|| named.clone())
    }

    /// Where it stands in an order in which everything is there before it is changed: schedulers, groups and machines
    /// before their fields, releases before tunables, and other names last.
    #[must_use]
    pub fn turn(&self) -> usize {
        let steps = steps(&self.path).unwrap_or_default();
        let words: Vec<&str> = steps.iter().map(String::as_str).collect();
        match words[..] {
            ["groups", _, "name"] => 4,
            ["lanes", _, "id"] | ["groups", _, "behaviour"] => 1,
            ["lanes", _, "era"] => 2,
            ["lanes" | "groups" | "cgroups" | "threads", _] | [_] => 0,
            _ => 3,
        }
    }

    /// Sets it in the JSON of a scenario. The scenario as a whole is checked when it is read.
    ///
    /// # Errors
    /// If there is no such property, the scenario has nothing of that name (the message lists what it has), the value has
    /// another form, or it cannot be set at that time.
    pub fn apply(&self, scenario: &mut Value) -> Result<(), ConfigError> {
        let set = self.try_apply(scenario);
        set.map_err(|(Refused::Nowhere(message) | Refused::Wrong(message))| {
            ConfigError::new(visible(&self.path), message)
        })
    }

    /// The same where the scenario may have other lanes than the one that is named: then nothing changes. Says whether it
    /// was set.
    ///
    /// # Errors
    /// As for [`Self::apply`].
    pub fn apply_where_it_is(&self, scenario: &mut Value) -> Result<bool, ConfigError> {
        match self.try_apply(scenario) {
            Ok(()) => Ok(true),
            Err(Refused::Nowhere(_)) => Ok(false),
            Err(Refused::Wrong(message)) => Err(ConfigError::new(visible(&self.path), message)),
        }
    }

    fn try_apply(&self, scenario: &mut Value) -> Result<(), Refused> {
        let (property, steps) = find(&self.path)?;
        let value = match &self.value {
            Value::Null if property.default.is_empty() => {
                return Err("must have a value; got null".into());
            }
            Value::Null => Value::Null,
            value => value::read(property.kind, value)?,
        };
        match (property.when, self.at_ns) {
            (When::Start, Some(_)) => Err("can only be set before the run, without a time".into()),
            (When::Start | When::Live, None) => write::write(scenario, &steps, &value),
            (When::Run, None) => edit::edit(scenario, &steps, &value, 0),
            (When::Live | When::Run, Some(at)) => edit::edit(scenario, &steps, &value, at),
        }
    }
}

/// A property and several values for it: `PATH=A,B,C`, `PATH=FROM..TO`, `PATH=FROM..TO:STEP` (both ends included, with units
/// if the property has one), or `PATH=[…]`.
///
/// # Errors
/// What the form is, or that there is no such property.
pub fn values(text: &str) -> Result<(String, Vec<Value>), String> {
    let form = "must look like groups.hog.nice=-20..20:5, seed=1,2,3 or lanes=cfs,eevdf";
    let (path, values) = value::before_value(text).ok_or(form)?;
    let (property, _) = find(path)?;
    let one = |text: &str| value::from_text(property.kind, text);
    let all = match one(values) {
        Value::Array(all) => all,
        _ => match values.split_once("..") {
            Some((from, to)) => {
                let (to, step) = to.split_once(':').unwrap_or((to, "1"));
                let number = |text| value::number(property.kind, &one(text));
                value::range(number(from)?, number(to)?, number(step)?)?
            }
            None => values.split(',').map(one).collect(),
        },
    };
    Ok((path.to_owned(), all))
}

/// A scenario with properties set, in this order. What only guides people is dropped if it no longer fits.
///
/// # Errors
/// The first that cannot be set, or the errors of the changed scenario.
pub fn changed(base: &Scenario, sets: &[Set]) -> Result<Scenario, Vec<ConfigError>> {
    let mut written = serde_json::to_value(base).expect("invariant: scenarios are plain data");
    for set in sets {
        set.apply(&mut written).map_err(|e| vec![e])?;
        // Read after each, so that a value of another form is told by its path.
        let read = validate::parse(&written.to_string());
        read.map_err(|errors| in_place(&set.path, errors))?;
    }
    let mut scenario = validate::parse(&written.to_string())?;
    if validate::plan(&scenario).is_err() {
        scenario.drop_guide();
    }
    Ok(scenario)
}

/// Errors of a text that nobody has seen, by the path that caused them.
fn in_place(path: &str, errors: Vec<ConfigError>) -> Vec<ConfigError> {
    let told = |e: ConfigError| ConfigError::new(visible(path), e.message);
    errors.into_iter().map(told).collect()
}

/// Removes the fields of a scenario that only guide people.
pub fn drop_guide(scenario: &mut Value) {
    if let Value::Object(map) = scenario {
        map.retain(|key, _| !GUIDE.contains(&key.as_str()));
    }
}
