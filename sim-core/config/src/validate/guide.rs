//! Checks of the parts of a scenario that the page shows first.

use super::{Check, most};
use crate::guide::{Answer, Control, ControlKind, Opening};
use sim_ground::bounds;
use sim_ground::text::quoted;

impl Check<'_> {
    /// Checks the question and its related fields.
    pub(super) fn guide(&mut self) {
        let s = self.scenario;
        if let Some(opening) = &s.opening {
            self.opening(opening);
        }
        if let Some(answer) = &s.answer {
            self.answer(answer);
        }
        self.range("controls", bounds::CONTROLS, s.controls.len());
        for (i, control) in s.controls.iter().enumerate().take(most(bounds::CONTROLS)) {
            self.control(&format!("controls[{i}]"), control);
        }
        self.range("moments", bounds::MOMENTS, s.moments.len());
    }

    fn opening(&mut self, opening: &Opening) {
        if let Some(at) = opening.at_ns {
            self.range("opening.atNs", bounds::OPENING, at);
            if opening.moment.is_some() {
                self.error("opening.moment", "only without opening.atNs");
            }
        }
        if let Some(speed) = opening.speed {
            self.range("opening.speed", bounds::OPENING_SPEED, speed);
        }
        if let Some(later) = opening.later {
            self.range("opening.later.atNs", bounds::OPENING, later.at_ns);
            self.range("opening.later.speed", bounds::OPENING_SPEED, later.speed);
        }
        if let Some(window) = opening.window_ns {
            self.range("opening.windowNs", bounds::WINDOW, window);
        }
        if let Some(name) = &opening.select {
            self.line("opening.select", bounds::SELECT, name);
            self.thread("opening.select", name);
        }
    }

    fn answer(&mut self, answer: &Answer) {
        match (&answer.measure, &answer.expression) {
            (None, None) => self.error("answer.measure", "must be given, or answer.expression"),
            (Some(_), Some(_)) => {
                self.error("answer.expression", "only without answer.measure");
            }
            (None, Some(_)) if answer.of.is_some() => {
                self.error("answer.of", "only without answer.expression");
            }
            _ => {}
        }
        if let Some(text) = &answer.expression {
            self.line("answer.expression", bounds::ANSWER_EXPRESSION, text);
        }
        if let Some(name) = &answer.of {
            self.line("answer.of", bounds::ANSWER_OF, name);
            if let (Err(groups), Err(threads)) = (self.find_group(name), self.find_thread(name)) {
                let (known, got) = ([groups, threads].concat().join(", "), quoted(name));
                let message = format!(
                    "no group or thread is ever called that: must be one of {known}, got \"{got}\""
                );
                self.error("answer.of", message);
            }
        }
        if let Some(fair) = answer.fair {
            #[allow(clippy::cast_precision_loss)]
            let (min, max) = (bounds::FAIR.min as f64, bounds::FAIR.max as f64);
            if !(min..=max).contains(&fair) {
                self.error("answer.fair", bounds::FAIR.message(&fair));
            }
        }
    }

    fn control(&mut self, path: &str, control: &Control) {
        if control.kind == ControlKind::Tunable {
            if control.group.is_some() {
                self.error(format!("{path}.group"), "not for the kind tunable");
            }
            return match &control.id {
                Some(id) => self.control_tunable(path, control.lane, id),
                None => self.error(format!("{path}.id"), "must be given for the kind tunable"),
            };
        }
        for (field, given) in [
            ("id", control.id.is_some()),
            ("lane", control.lane.is_some()),
        ] {
            if given {
                self.error(format!("{path}.{field}"), "only for the kind tunable");
            }
        }
        let path = format!("{path}.group");
        match (control.kind, &control.group) {
            (ControlKind::Limit | ControlKind::Period, None) => {
                self.error(path, "must be given for the kinds limit and period");
            }
            (ControlKind::Limit | ControlKind::Period, Some(name)) => {
                self.cgroup_name(&path, name);
            }
            (_, Some(name)) => self.group_name(&path, name),
            (_, None) => {}
        }
    }

    /// Checks that a lane has the tunable. Unlike an edit, a control may also change a tunable that is fixed once a run
    /// has begun: the run starts again.
    fn control_tunable(&mut self, path: &str, lane: Option<u32>, id: &str) {
        if self.edit_lane(&format!("{path}.lane"), lane) && self.specs(lane, id).is_empty() {
            self.no_tunable(&format!("{path}.id"), id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{parse, plan_with};
    use serde_json::{Value, json};
    use sim_schedulers::registry::ALL;

    /// A scenario of two lanes and a group of two threads, with more fields.
    fn with(more: &Value) -> Value {
        let mut scenario = json!({
            "version": 1, "name": "x", "machine": "i7860",
            "schedulers": [{ "id": "bfs" }, { "id": "random" }],
            "groups": [{ "name": "dhry", "count": 2, "behaviour": { "kind": "dhrystone" } }],
            "end": { "atNs": 1 }
        });
        let fields = more.as_object().expect("an object").clone();
        scenario.as_object_mut().expect("an object").extend(fields);
        scenario
    }

    /// All errors of such a scenario.
    fn said(more: &Value) -> Vec<String> {
        let checked = parse(&with(more).to_string()).and_then(|s| plan_with(&s, ALL));
        let errors = checked.err().unwrap_or_default();
        errors.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_names_something_that_is_there_is_fine() {
        let all = json!({
            "ask": "ö".repeat(60),
            "opening": {
                "moment": "sharedCore", "speed": 20_000_000, "windowNs": 1_000_000_000,
                "tab": "runs", "select": "dhry-2"
            },
            "answer": {
                "measure": "share", "of": "dhry-1", "better": "higher", "fair": 0.25, "price": "moves"
            },
            "cgroups": { "web": { "quotaUs": 5000, "periodUs": 100_000, "burstUs": 0 } },
            "controls": [
                { "kind": "limit", "group": "web" }, { "kind": "period", "group": "web" },
                { "kind": "processes", "group": "dhry" },
                { "kind": "tunable", "id": "rrIntervalMs", "lane": 0 }
            ],
            "moments": ["refusal", "sharedCore", "steal", "balance", "migration", "wait"],
            "thumb": "machine"
        });
        assert_eq!(said(&all), [""; 0]);
        let written =
            parse(&with(&all).to_string()).map(|s| serde_json::to_value(s).expect("plain"));
        let written = written.expect("valid");
        for (field, value) in all.as_object().expect("an object") {
            assert_eq!(&written[field], value, "{field}");
        }
    }

    #[test]
    fn what_names_nothing_or_does_not_fit_is_told_by_its_field() {
        let threads = "must be one of dhry-1 to dhry-2, got \"cat-1\"";
        for (more, wanted) in [
            (
                json!({ "ask": "ö".repeat(61) }),
                "ask: length must be from 0 to 60 characters, got 61".to_owned(),
            ),
            (
                json!({ "opening": { "select": "cat-1" } }),
                format!("opening.select: no thread is ever called that: {threads}"),
            ),
            (
                json!({ "opening": { "atNs": 5, "moment": "steal" } }),
                "opening.moment: only without opening.atNs".to_owned(),
            ),
            (
                json!({ "answer": { "measure": "share", "of": "cat" } }),
                "answer.of: no group or thread is ever called that: must be one of dhry, dhry-1 to dhry-2, got \"cat\"".to_owned(),
            ),
            (
                json!({ "answer": { "of": "dhry" } }),
                "answer.measure: must be given, or answer.expression".to_owned(),
            ),
            (
                json!({ "answer": { "measure": "share", "expression": "share(lane, dhry)" } }),
                "answer.expression: only without answer.measure".to_owned(),
            ),
            (
                json!({ "answer": { "expression": "share(lane, dhry)", "of": "dhry" } }),
                "answer.of: only without answer.expression".to_owned(),
            ),
            (
                json!({ "answer": { "measure": "share", "fair": -0.5 } }),
                "answer.fair: must be from 0 to 14400000000000, got -0.5".to_owned(),
            ),
            (
                json!({ "controls": [{ "kind": "nice", "group": "cat" }] }),
                "controls[0].group: must be one of dhry, got \"cat\"".to_owned(),
            ),
            (
                json!({ "controls": [{ "kind": "nice", "id": "hz" }] }),
                "controls[0].id: only for the kind tunable".to_owned(),
            ),
            (
                json!({ "controls": [{ "kind": "start", "lane": 0 }] }),
                "controls[0].lane: only for the kind tunable".to_owned(),
            ),
            (
                json!({ "controls": [{ "kind": "period" }] }),
                "controls[0].group: must be given for the kinds limit and period".to_owned(),
            ),
            (
                json!({ "cgroups": { "web": { "quotaUs": 5000 } }, "controls": [{ "kind": "limit", "group": "dhry" }] }),
                "controls[0].group: must be one of web, got \"dhry\"".to_owned(),
            ),
            (
                json!({ "controls": [{ "kind": "tunable" }] }),
                "controls[0].id: must be given for the kind tunable".to_owned(),
            ),
            (
                json!({ "controls": [{ "kind": "tunable", "id": "hz", "group": "dhry" }] }),
                "controls[0].group: not for the kind tunable".to_owned(),
            ),
            (
                json!({ "controls": [{ "kind": "tunable", "id": "hz", "lane": 1 }] }),
                "controls[0].id: no scheduler here has a tunable \"hz\"".to_owned(),
            ),
        ] {
            assert_eq!(said(&more), [wanted], "{more}");
        }
        for (more, wanted) in [
            (
                json!({ "moments": ["noon"] }),
                "unknown variant `noon`, expected one of `refusal`",
            ),
            (
                json!({ "thumb": "up" }),
                "unknown variant `up`, expected one of `machine`",
            ),
            (json!({ "opening": { "at": 5 } }), "unknown field `at`"),
        ] {
            let errors = said(&more);
            assert!(errors[0].contains(wanted), "{more}: {errors:?}");
        }
    }

    #[test]
    fn the_hint_of_older_files_is_read_and_not_written() {
        let scenario = parse(&with(&json!({ "try": "x".repeat(300) })).to_string()).expect("read");
        assert_eq!(scenario.ask, "");
        let written = serde_json::to_value(&scenario).expect("plain");
        assert!(written.get("try").is_none(), "{written}");
    }
}
