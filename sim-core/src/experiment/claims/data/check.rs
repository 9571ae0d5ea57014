//! What is wrong with a file as far as it shows without results: expressions that cannot be read, and names that do not
//! exist.

use super::format::{How, PageSpec, Points, Times};
use super::functions;
use super::place::{Bound, word};
use super::{Data, Told, one_of, parts};
use crate::experiment::claims::Effort;
use crate::experiment::{probe, published, registry};
use crate::text::quoted;
use serde_json::Value as Json;
use sim_measure::expression::{Argument, Expression, ExpressionError, Node, parse};
use sim_measure::functions::{Function, named as known_function};
use std::collections::BTreeSet;

/// The place in the file, and what is wrong there.
type Wrong = (String, String);

/// Whether a function of the measure language needs no run.
fn is_of_lists(f: &Function) -> bool {
    !f.of_lessons && f.name != "each" && !["lane", "group"].contains(&f.parameters[0])
}

/// The expressions of a value with texts in it, each with its path.
fn texts(path: &str, value: &Json, all: &mut Vec<(String, String)>) {
    match value {
        Json::String(text) => {
            let inner = parts(text).into_iter().filter(|part| part.1);
            all.extend(inner.map(|(inner, _)| (path.to_owned(), inner.to_owned())));
        }
        Json::Array(list) => {
            for (i, value) in list.iter().enumerate() {
                texts(&format!("{path}[{i}]"), value, all);
            }
        }
        Json::Object(map) => {
            for (key, value) in map {
                texts(&format!("{path}.{key}"), value, all);
            }
        }
        _ => {}
    }
}

fn of_points(path: &str, points: &Points, all: &mut Vec<(String, String)>) {
    let whole = [("x", &points.x), ("y", &points.y)];
    all.extend(whole.map(|(field, text)| (format!("{path}.{field}"), text.clone())));
    let times = points.times.iter();
    all.extend(times.map(|text| (format!("{path}.times"), text.clone())));
}

fn of_how(path: &str, how: &How, all: &mut Vec<(String, String)>) {
    let fields = [
        ("value", &how.value),
        ("place", &how.place),
        ("published", &how.published),
    ];
    for (field, text) in fields {
        all.extend(
            text.iter()
                .map(|text| (format!("{path}.{field}"), text.clone())),
        );
    }
    all.extend(
        how.times
            .iter()
            .map(|text| (format!("{path}.times"), text.clone())),
    );
    if let Some(of) = &how.of {
        texts(&format!("{path}.of"), &of.as_str().into(), all);
    }
}

impl Data {
    /// Reads all expressions, and looks for names that do not exist.
    pub(super) fn check(&mut self) -> Result<(), Wrong> {
        self.read_columns()?;
        let all = self.expressions();
        for (path, text) in &all {
            let e = parse(text).map_err(|e| (path.clone(), format!("{text}: {e}")))?;
            self.parsed.insert(text.clone(), e);
        }
        let words = self.words();
        for (path, text) in &all {
            let names = Names {
                data: self,
                words: &words,
                runs: None,
                is_let: path.starts_with("let."),
            };
            let e = self.parsed(text).map_err(|m| (path.clone(), m))?;
            names
                .walk(e)
                .map_err(|e| (path.clone(), format!("{text}: {e}")))?;
        }
        self.check_axes()
    }

    /// The columns of each set of runs.
    fn read_columns(&mut self) -> Result<(), Wrong> {
        for (name, set) in &self.file.runs {
            let at = |field: &str, message: String| (format!("runs.{name}.{field}"), message);
            if !set.scenario.contains('{') && registry::text(&set.scenario).is_none() {
                let known = registry::SCENARIOS.iter().map(|(id, _)| *id);
                return Err(at("scenario", one_of("it", known, &set.scenario)));
            }
            let columns = match (&set.probe, set.read.is_empty()) {
                (Some(id), true) => {
                    let known = probe::PROBES.iter().map(|p| p.id);
                    if !known.clone().any(|known| known == id) {
                        return Err(at("probe", one_of("it", known, id)));
                    }
                    id.clone()
                }
                (None, false) => {
                    let mut lines = Vec::new();
                    for (column, text) in &set.read {
                        parse(text).map_err(|e| at(&format!("read.{column}"), e.to_string()))?;
                        lines.push(format!("{column}: {text}"));
                    }
                    lines.join("\n")
                }
                _ => {
                    let message = "must have probe or read, and not both";
                    return Err(at("probe", message.to_owned()));
                }
            };
            self.columns.insert(name.clone(), columns);
        }
        Ok(())
    }

    /// All expressions of the file but those that are about a run alone, with their paths.
    fn expressions(&self) -> Vec<(String, String)> {
        let file = &self.file;
        let mut all = Vec::new();
        for (name, text) in &file.names {
            all.push((format!("let.{name}"), text.clone()));
        }
        for (axis, values) in &file.axes {
            for (i, value) in values.iter().enumerate() {
                texts(&format!("axes.{axis}[{i}].set"), &value["set"], &mut all);
            }
        }
        for (name, set) in &file.runs {
            let at = |field: &str| format!("runs.{name}.{field}");
            for (field, text) in [("key", &set.key), ("scenario", &set.scenario)] {
                texts(&at(field), &text.as_str().into(), &mut all);
            }
            texts(&at("lane"), &set.lane, &mut all);
            texts(&at("set"), &Json::Object(set.set.clone()), &mut all);
            all.extend(set.seeds.iter().map(|text| (at("seeds"), text.clone())));
            for times in &set.at {
                let texts = match times {
                    Times::One(time) => vec![time],
                    Times::Many(many) => vec![&many.every, &many.from, &many.to],
                };
                all.extend(texts.into_iter().map(|text| (at("at"), text.clone())));
            }
        }
        for measure in &file.measures {
            of_how(&format!("measures.{}", measure.id), &measure.how, &mut all);
        }
        for claim in &file.claims {
            for (i, spec) in claim.values.iter().enumerate() {
                of_how(&format!("{}.values[{i}]", claim.id), &spec.how, &mut all);
            }
        }
        for page in &file.pages {
            of_page(page, &mut all);
        }
        all
    }

    /// The words that expressions may have.
    fn words(&self) -> BTreeSet<&str> {
        let mut words = BTreeSet::from(["seed", "seeds", "seconds", "true", "false"]);
        words.extend(self.file.names.keys().map(String::as_str));
        for (axis, values) in &self.file.axes {
            for value in values {
                match value {
                    Json::Object(fields) => words.extend(fields.keys().map(String::as_str)),
                    _ => {
                        words.insert(super::word_of(axis));
                    }
                }
            }
        }
        words
    }

    /// The axes and measures that values and figures name.
    fn check_axes(&self) -> Result<(), Wrong> {
        let bound = Bound::new(Effort::default());
        let over = |path: String, over: &[String]| {
            let places = self.places(&bound, over);
            places.map(|_| ()).map_err(|message| (path, message))
        };
        for claim in &self.file.claims {
            if claim.values.is_empty() {
                let message = "must have values, with the ids of measures";
                return Err((claim.id.clone(), message.to_owned()));
            }
            for (i, spec) in claim.values.iter().enumerate() {
                let at = |field: &str| format!("{}.values[{i}].{field}", claim.id);
                let (_, how) = self.how(spec).map_err(|m| (at("measure"), m))?;
                over(at("over"), &spec.over)?;
                over(at("under"), how.under.as_slice())?;
                if how.value.is_none() {
                    let message = "must have a value, here or in the measure";
                    return Err((at("value"), message.to_owned()));
                }
            }
        }
        for page in &self.file.pages {
            for figure in &page.figures {
                let at = format!("pages.{}.{}.over", page.id, figure.id);
                over(at, &figure.over)?;
                if let Some(rows) = &figure.rows {
                    let at = format!("pages.{}.{}.rows.over", page.id, figure.id);
                    over(at, &rows.over)?;
                }
                for spec in &figure.series {
                    let at = format!("pages.{}.{}", page.id, figure.id);
                    let points = spec.points.iter().chain(&spec.published);
                    let all = [&spec.over].into_iter().chain(points.map(|p| &p.over));
                    for axes in all {
                        over(at.clone(), axes)?;
                    }
                    let under = spec.band.iter().map(|band| band.under.clone());
                    over(at, &under.collect::<Vec<_>>())?;
                }
            }
        }
        Ok(())
    }
}

fn of_page(page: &PageSpec, all: &mut Vec<(String, String)>) {
    for figure in &page.figures {
        let at = |field: &str| format!("pages.{}.{}.{field}", page.id, figure.id);
        let mut words = vec![
            ("id", &figure.id),
            ("title", &figure.title),
            ("definition", &figure.definition),
        ];
        if let Some(rows) = &figure.rows {
            words.extend([("rows.label", &rows.label), ("rows.unit", &rows.unit)]);
        }
        for (field, text) in words {
            texts(&at(field), &text.as_str().into(), all);
        }
        all.extend(figure.opens.iter().map(|text| (at("opens"), text.clone())));
        for spec in &figure.series {
            for (field, text) in [
                ("id", &spec.id),
                ("label", &spec.label),
                ("scheduler", &spec.scheduler),
            ] {
                texts(&at(field), &text.as_str().into(), all);
            }
            if let Some(lists) = &spec.lists {
                let rest = [("lists.x", &lists.x), ("lists.rows", &lists.rows)];
                let rest = rest
                    .into_iter()
                    .filter_map(|(f, text)| Some((f, text.as_ref()?)));
                let whole = [("lists.y", &lists.y)].into_iter().chain(rest);
                all.extend(whole.map(|(field, text)| (at(field), text.clone())));
            }
            if let Some(mark) = &spec.mark {
                all.push((at("mark.x"), mark.x.clone()));
                texts(&at("mark.label"), &mark.label.as_str().into(), all);
            }
            for (field, points) in [("points", &spec.points), ("published", &spec.published)] {
                points
                    .iter()
                    .for_each(|points| of_points(&at(field), points, all));
            }
        }
    }
}

/// The names that exist where an expression stands.
#[derive(Clone, Copy)]
struct Names<'a> {
    data: &'a Data,
    words: &'a BTreeSet<&'a str>,
    /// The runs, within `in`.
    runs: Option<&'a str>,
    /// A name of an expression may be used within `in`.
    is_let: bool,
}

impl<'a> Names<'a> {
    fn walk(self, e: &Expression) -> Result<(), ExpressionError> {
        match &e.is {
            Node::Number(..) | Node::Text(_) => Ok(()),
            Node::Word(word) => self
                .word(word)
                .map_err(|m| ExpressionError::new(e.column, m)),
            Node::List(all) => all.iter().try_for_each(|e| self.walk(e)),
            Node::Minus(a) | Node::Not(a) => self.walk(a),
            Node::Binary(_, a, b) => {
                self.walk(a)?;
                self.walk(b)
            }
            Node::Call(name, arguments) => self.call(e.column, name, arguments),
        }
    }

    fn word(self, word: &str) -> Told<()> {
        if self.words.contains(word) {
            return Ok(());
        }
        Err(one_of("the word", self.words.iter().copied(), word))
    }

    fn call(
        self,
        column: usize,
        name: &str,
        arguments: &[Argument],
    ) -> Result<(), ExpressionError> {
        let Some(own) = functions::named(name) else {
            if !known_function(name).is_some_and(is_of_lists) {
                let known = functions::FUNCTIONS.iter().map(|f| f.name);
                let of_lists = sim_measure::functions::FUNCTIONS.iter();
                let of_lists = of_lists.filter(|f| is_of_lists(f)).map(|f| f.name);
                let message = one_of("the function", known.chain(of_lists), name);
                return Err(ExpressionError::new(column, message));
            }
            return arguments.iter().try_for_each(|a| self.walk(&a.value));
        };
        let wrong = |message: String| ExpressionError::new(column, message);
        let [least, most] = own.takes;
        if !(least..=most).contains(&arguments.len()) {
            return Err(wrong(format!(
                "{} arguments; it is {}",
                arguments.len(),
                own.usage
            )));
        }
        if own.of_run && self.runs.is_none() && !self.is_let {
            return Err(wrong(format!("{} stands within in(runs, …)", own.usage)));
        }
        let first = &arguments[0];
        let at_first = |message: String| ExpressionError::new(first.value.column, message);
        let name = word(first).unwrap_or_default();
        match own.name {
            "in" | "samples" => {
                let (runs, _) = self.data.run_set_of(name).map_err(at_first)?;
                let runs = Some(runs);
                Names { runs, ..self }.walk(&arguments[1].value)?;
                for argument in &arguments[2..] {
                    let key = argument.key.as_deref().unwrap_or_default();
                    let at = |m| ExpressionError::new(argument.value.column, m);
                    self.word(key).map_err(at)?;
                    self.walk(&argument.value)?;
                }
                Ok(())
            }
            "over" => {
                self.data.chosen(name).map_err(at_first)?;
                self.walk(&arguments[1].value)
            }
            "end" | "grown" | "now" | "before" => {
                self.column(name).map_err(at_first)?;
                arguments[1..].iter().try_for_each(|a| self.walk(&a.value))
            }
            "published" => {
                let file = self.data.file.published.as_deref();
                let file =
                    file.ok_or_else(|| wrong("the file names no published file".to_owned()))?;
                published::find(file, name).map_err(at_first)?;
                arguments[1..].iter().try_for_each(|a| self.walk(&a.value))
            }
            _ => arguments.iter().try_for_each(|a| self.walk(&a.value)),
        }
    }

    /// A column of runs that name their columns; those of a probe depend on the scenario.
    fn column(self, name: &str) -> Told<()> {
        let set = self.runs.map(|runs| self.data.run_set(runs)).transpose()?;
        match set {
            Some(set)
                if set.probe.is_none()
                    && !set.read.contains_key(name)
                    && !self.words.contains(name) =>
            {
                Err(one_of(
                    "the column",
                    set.read.keys().map(String::as_str),
                    name,
                ))
            }
            _ if name.is_empty() => Err(format!("\"{}\" is no column", quoted(name))),
            _ => Ok(()),
        }
    }
}
