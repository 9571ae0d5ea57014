//! `timeslice lesson check FILE… | --all`

use crate::arguments;
use crate::exit::Exit;
use crate::output::{self, Failure, Printed};
use serde::Serialize;
use sim_core::config::{Scenario, validate};
use sim_core::lesson::check::{Checked, check, check_translation};
use sim_core::lesson::registry::{Shipped, find, lessons};
use sim_host::parallel;
use std::fs;
use std::path::Path;
use std::time::Duration;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files of lessons, or ids of shipped ones. Its scenario is looked for in the folder `scenarios` beside a file, then
    /// among the shipped ones.
    #[arg(required_unless_present = "all")]
    files: Vec<String>,
    /// All lessons of this build, with their translations.
    #[arg(long, conflicts_with = "files")]
    all: bool,
    /// Only read it: no runs, and so no values.
    #[arg(long)]
    quick: bool,
    /// Print only what is wrong.
    #[arg(long)]
    quiet: bool,
    #[command(flatten)]
    printed: Printed,
    /// Check again whenever one of the files, its scenario or a translation changes, until interrupted. `npm run dev` reloads
    /// the page for the same changes.
    #[arg(long, conflicts_with = "all")]
    watch: bool,
}

/// A lesson to check.
struct Source {
    name: String,
    text: String,
    scenario: Scenario,
    /// Names and texts of the translations.
    translations: Vec<(String, String)>,
}

/// The findings in one of its files.
#[derive(Serialize)]
struct Result {
    file: String,
    #[serde(flatten)]
    checked: Checked,
}

/// Interval between checks of the files.
const LOOK: Duration = Duration::from_millis(300);

pub(crate) fn run(args: &Args) -> std::result::Result<Exit, Failure> {
    if !args.watch {
        return once(args);
    }
    let mut before = None;
    loop {
        let now = contents(&args.files);
        if before.as_ref() != Some(&now) {
            before = Some(now);
            // A file that cannot be read while it is being written is reported, and read again.
            if let Err(failure) = once(args) {
                output::error(&failure);
            }
        }
        std::thread::sleep(LOOK);
    }
}

/// The contents of the files, and of those beside them.
fn contents(files: &[String]) -> Vec<Option<String>> {
    let of = |path: &Path| fs::read_to_string(path).ok();
    let mut all = Vec::new();
    for file in files {
        let path = Path::new(file);
        all.push(of(path));
        let folder = path.parent().unwrap_or(Path::new(""));
        let name = path.file_name().unwrap_or_default();
        all.push(of(&folder.join("scenarios").join(name)));
        all.extend(
            translations_of(file)
                .into_iter()
                .map(|(_, text)| Some(text)),
        );
    }
    all
}

fn once(args: &Args) -> std::result::Result<Exit, Failure> {
    let sources: Vec<Source> = if args.all {
        let (can, cannot): (Vec<&Shipped>, Vec<&Shipped>) =
            lessons().iter().partition(|l| l.is_runnable());
        for lesson in cannot {
            let why = "left out, this build has no own policies";
            output::progress(&format!("{}: {why}", lesson.id));
        }
        can.iter()
            .map(|l| shipped(l.id))
            .collect::<std::result::Result<_, _>>()?
    } else {
        let each = args.files.iter().map(|file| match find(file) {
            Some(lesson) => shipped(lesson.id),
            None => from_file(file),
        });
        each.collect::<std::result::Result<_, _>>()?
    };
    let one = |i: usize| results(&sources[i], !args.quick);
    let found = parallel::map(sources.len(), parallel::cores(), one, |_| {});
    let found: Vec<Result> = found.into_iter().flatten().collect();
    if args.printed.is_json() {
        output::json(&found);
    } else {
        found.iter().for_each(|r| print(r, args.quiet));
    }
    let good = found.iter().all(|r| r.checked.findings.is_empty());
    Ok(if good { Exit::Good } else { Exit::Wrong })
}

fn shipped(id: &str) -> std::result::Result<Source, Failure> {
    let lesson = find(id).ok_or_else(|| Failure::new(id, "no such lesson"))?;
    let file = |language: &str| format!("{id}.{language}.json");
    let translations = lesson.translations.iter();
    Ok(Source {
        name: format!("{id}.json"),
        text: lesson.lesson.to_owned(),
        scenario: scenario(&format!("scenarios/{id}.json"), lesson.scenario)?,
        translations: translations
            .map(|(language, text)| (file(language), (*text).to_owned()))
            .collect(),
    })
}

fn from_file(file: &str) -> std::result::Result<Source, Failure> {
    let text = arguments::read_text(file)?;
    let value: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    let id = value["scenario"].as_str().unwrap_or_default();
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    let beside = folder.join("scenarios").join(format!("{id}.json"));
    let own = fs::read_to_string(&beside).ok();
    let known = find(id).map(|l| l.scenario);
    let scenario = match (own, known) {
        (Some(own), _) => scenario(&beside.display().to_string(), &own)?,
        (None, Some(known)) => scenario(id, known)?,
        (None, None) if id.is_empty() => arguments::read_scenario("bfs-smt")?,
        (None, None) => {
            let missing = format!(
                "scenario: there is no {} nor a shipped one",
                beside.display()
            );
            return Err(Failure::new(file, missing));
        }
    };
    Ok(Source {
        name: file.to_owned(),
        text,
        scenario,
        translations: translations_of(file),
    })
}

/// The files beside `lesson.json` with names such as `lesson.de.json`, by name.
fn translations_of(file: &str) -> Vec<(String, String)> {
    let path = Path::new(file);
    let Some(stem) = path.file_stem().and_then(|s| s.to_str()) else {
        return Vec::new();
    };
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
    let entries = fs::read_dir(folder.unwrap_or(Path::new(".")))
        .into_iter()
        .flatten()
        .flatten();
    let is_one = |name: &str| {
        let middle = name
            .strip_prefix(stem)
            .and_then(|n| n.strip_suffix(".json"));
        middle.is_some_and(|m| m.len() > 1 && m.starts_with('.'))
    };
    let mut found: Vec<(String, String)> = entries
        .filter(|e| e.file_name().to_str().is_some_and(is_one))
        .filter_map(|e| {
            Some((
                e.path().display().to_string(),
                fs::read_to_string(e.path()).ok()?,
            ))
        })
        .collect();
    found.sort();
    found
}

fn scenario(name: &str, text: &str) -> std::result::Result<Scenario, Failure> {
    validate::parse(text).map_err(|errors| Failure {
        source: name.to_owned(),
        errors,
    })
}

fn results(source: &Source, runs: bool) -> Vec<Result> {
    let own = Result {
        file: source.name.clone(),
        checked: check(&source.text, &source.scenario, runs),
    };
    let others = source.translations.iter().map(|(file, text)| Result {
        file: file.clone(),
        checked: check_translation(&source.text, text),
    });
    std::iter::once(own).chain(others).collect()
}

fn print(result: &Result, quiet: bool) {
    let place = |line: Option<usize>| {
        let line = line.map_or_else(String::new, |line| format!(":{line}"));
        format!("{}{line}", result.file)
    };
    for f in &result.checked.findings {
        output::line(&format!("{}: {}: {}", place(f.line), f.path, f.message));
    }
    if quiet {
        return;
    }
    for g in &result.checked.given {
        let (path, value) = (&g.path, &g.value);
        output::line(&format!(
            "{}: {path}: {} → {value}",
            place(g.line),
            g.expression
        ));
    }
    if result.checked.findings.is_empty() {
        output::line(&format!("{}: good", result.file));
    }
}
