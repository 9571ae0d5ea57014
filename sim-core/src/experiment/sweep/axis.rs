//! The property that an axis varies, also in the words of older files.

use super::space::COLUMNS;
use super::{Axis, Vary};
use crate::error::ConfigError;
use crate::property::{self, Set, of_pointer, written};
use serde_json::{Value, json};

impl Vary {
    /// Its word in a file.
    fn word(self) -> String {
        let word = serde_json::to_value(self).unwrap_or_default();
        word.as_str().unwrap_or_default().to_owned()
    }

    fn is_of_group(self) -> bool {
        matches!(
            self,
            Self::Count | Self::Nice | Self::WorkingSet | Self::Param
        )
    }

    fn has_id(self) -> bool {
        matches!(self, Self::Param | Self::Tunable | Self::Path)
    }
}

impl Axis {
    /// Reads `PATH=VALUES`, as a command line has it: `seed=1..10`, `groups.hog.nice=-20..20:5`, `lanes=cfs,eevdf`, or a JSON
    /// list.
    ///
    /// # Errors
    /// What the form is, or that there is no such property.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (path, values) = property::values(text)?;
        Ok(Self {
            name: None,
            set: Some(path),
            vary: None,
            group: None,
            scheduler: None,
            id: None,
            values,
        })
    }

    /// The heading of its column.
    #[must_use]
    pub fn heading(&self) -> String {
        let named = || match (&self.set, &self.id, self.vary) {
            (Some(path), ..) => path.rsplit('.').next().unwrap_or(path).to_owned(),
            (None, Some(id), _) => id.clone(),
            (None, None, vary) => vary.map_or_else(String::new, Vary::word),
        };
        self.name.clone().unwrap_or_else(|| {
            let word = named();
            if COLUMNS.contains(&word.as_str()) {
                return format!("varied_{word}");
            }
            word
        })
    }

    /// One of its values, set.
    pub(super) fn set(&self, path: &str, value: &Value) -> Set {
        // The word `scheduler` of older files means the only lane, not a list of lanes.
        let is_only = self.vary == Some(Vary::Scheduler);
        let value = if is_only {
            json!([value])
        } else {
            value.clone()
        };
        Set::new(path, value)
    }

    /// The path of what it varies.
    ///
    /// # Errors
    /// What its fields lack or have too much. The field is given as the end of a path.
    pub(super) fn path(&self, base: &Value) -> Result<String, ConfigError> {
        let wrong = |field: &str, message: String| ConfigError::new(field, message);
        let vary = match (&self.set, self.vary) {
            (Some(path), None) => {
                let others = [&self.group, &self.scheduler, &self.id];
                if others.iter().any(|field| field.is_some()) {
                    let message = "has group, scheduler and id in its path";
                    return Err(wrong(".set", message.to_owned()));
                }
                return Ok(path.clone());
            }
            (None, Some(vary)) => vary,
            _ => {
                return Err(wrong(
                    "",
                    "must have set: the path of a property".to_owned(),
                ));
            }
        };
        let word = vary.word();
        if self.group.is_some() && !vary.is_of_group() {
            let message = "only count, nice, workingSet and param are a group's";
            return Err(wrong(".group", format!("{message}, not {word}")));
        }
        if self.scheduler.is_some() && !matches!(vary, Vary::Era | Vary::Tunable) {
            let message = "only era and tunable are a scheduler's";
            return Err(wrong(".scheduler", format!("{message}, not {word}")));
        }
        if self.id.is_some() && !vary.has_id() {
            let message = format!("only param, tunable and path have one, not {word}");
            return Err(wrong(".id", message));
        }
        let needs = || wrong("", format!("\"{word}\" needs an id"));
        let id = || self.id.as_deref().ok_or_else(needs);
        let first = base["groups"][0]["name"].as_str().unwrap_or_default();
        let group = self.group.as_deref().unwrap_or(first);
        let lanes = self.scheduler.as_deref().unwrap_or("*");
        Ok(match vary {
            Vary::Count => written(&["groups", group, "count"]),
            Vary::Nice => written(&["groups", group, "nice"]),
            Vary::WorkingSet => written(&["groups", group, "workingSetBytes"]),
            Vary::Param => written(&["groups", group, "behaviour", id()?]),
            Vary::Machine => "machine".to_owned(),
            Vary::Scheduler => "lanes".to_owned(),
            Vary::Era => written(&["lanes", lanes, "era"]),
            Vary::Tunable => written(&["lanes", lanes, id()?]),
            Vary::Seed => "seed".to_owned(),
            Vary::Path => of_pointer(id()?, base).map_err(|m| wrong(".id", m))?,
        })
    }
}
