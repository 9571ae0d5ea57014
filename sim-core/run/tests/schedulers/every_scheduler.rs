//! Requirements for every scheduler: situations as data, run under every registered scheduler in each of its eras.
//!
//! A situation (`tests/every-scheduler/situations/*.toml`) states its expected result in terms that fit every
//! scheduler. How long, how fair, and what is favoured depends on the scheduler: `tests/every-scheduler/rules.toml` has
//! these promises with their sources, and cautious ones for all other schedulers. Besides the expected result, the
//! following holds in every situation:
//!
//! - no thread is lost: all invariants hold between events;
//! - no CPU is idle longer than the scheduler's own bound while a thread that may run there waits;
//! - no thread waits longer than the scheduler's own bound for each rival, where all are equal;
//! - a thread leaves a CPU that is forbidden to it;
//! - what it shows of threads and CPUs fits the columns that it declares;
//! - the run is the same with every tick an event, and from a snapshot in the middle.
//!
//! If a scheduler is known to violate one of these, an exception gives the reason; the exception fails as soon as it is
//! not needed.

mod judge;
pub(crate) mod lanes;
mod rows;
pub(crate) mod rules;
pub(crate) mod situation;

use crate::support::{checked, schedulers};
use judge::Failure;
use lanes::Lane;
use rules::RuleFile;
use sim_run::config::plan::Plan;
use sim_run::engine::{Options, Sim};
use sim_run::sched::registry::ALL;
use sim_run::sched::{SchedulerInfo, bfs, cfs, manual};
use sim_run::time::SimTime;
use sim_watch::{moment, watch};
use situation::{File, Situation};
use std::any::Any;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Up to this time runs are compared with runs in which every tick is an event: long enough for each mechanism.
const COMPARED_NS: u64 = 2_000_000_000;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/every-scheduler")
}

/// The rules of the shipped schedulers.
pub(crate) fn shipped_rules() -> RuleFile {
    RuleFile::read(&rules_text())
}

/// Their text. Templates of own policies have a file of their own, as not every build has them.
fn rules_text() -> String {
    let read = |name: &str| std::fs::read_to_string(root().join(name)).expect("readable");
    let own = ALL.find("own").map(|_| read("own.toml"));
    read("rules.toml") + &own.unwrap_or_default()
}

/// The subjects of the situations: the names of their files.
fn subjects() -> BTreeSet<String> {
    let folder = std::fs::read_dir(root().join("situations")).expect("readable");
    let paths = folder.map(|entry| entry.expect("readable").path());
    let stem = |p: PathBuf| p.file_stem().expect("named").to_string_lossy().into_owned();
    paths.map(stem).collect()
}

/// The situations of a subject.
pub(crate) fn situations(subject: &str) -> Vec<Situation> {
    let path = root().join(format!("situations/{subject}.toml"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{subject}: {e}"));
    let file: File = toml::from_str(&text).unwrap_or_else(|e| panic!("{subject}: {e}"));
    file.situation
}

/// Options with checks and without history; every tick may be an event.
fn options(fast_forward: bool) -> Options {
    Options {
        fast_forward,
        ..checked()
    }
}

/// The failures of a situation under a lane.
fn failures(situation: &Situation, lane: &Lane, rules: &RuleFile) -> Vec<Failure> {
    let attempt = catch_unwind(AssertUnwindSafe(|| run(situation, lane, rules)));
    attempt.unwrap_or_else(|cause| {
        let text = message(&cause);
        vec![Failure { kind: "lost", text }]
    })
}

fn message(cause: &Box<dyn Any + Send>) -> String {
    let text = cause.downcast_ref::<String>().cloned();
    let text = text.or_else(|| cause.downcast_ref::<&str>().map(|s| (*s).to_owned()));
    text.unwrap_or_default()
}

fn run(situation: &Situation, lane: &Lane, rules: &RuleFile) -> Vec<Failure> {
    let plan = situation.plan(lane);
    let compared = COMPARED_NS.min(plan.end_ns);
    // A time that is neither a tick nor the middle of a round.
    let kept = compared * 43 / 100 + 11;
    let mut marks = vec![compared, kept];
    marks.extend(situation.expect.iter().flat_map(|e| e.marks()));
    let mut sim = Sim::new(&plan, 0, options(true));
    let seen = watch(&mut sim, &marks);
    let mut all = judge::failures(situation, &rules.of(lane), &sim, &seen);
    all.extend(rows::failures(sim.refresh()));
    let wanted = seen.moments[&compared].digest;
    if digest_at(&plan, compared, None) != wanted {
        all.push(another_run("ticks", "with every tick an event"));
    }
    if digest_at(&plan, compared, Some(kept)) != wanted {
        all.push(another_run("snapshot", "from a snapshot in the middle"));
    }
    all
}

fn another_run(kind: &'static str, how: &str) -> Failure {
    let text = format!("another run {how}");
    Failure { kind, text }
}

/// The state at a time, reached with every tick an event, or by way of a snapshot.
fn digest_at(plan: &Arc<Plan>, at: u64, snapshot: Option<u64>) -> u64 {
    let mut sim = Sim::new(plan, 0, options(snapshot.is_some()));
    if let Some(kept) = snapshot {
        sim.run_until(SimTime(kept));
        let mut restored = Sim::new(plan, 0, options(true));
        let bytes = sim.snapshot();
        restored.restore(&bytes).expect("of this very run");
        sim = restored;
    }
    sim.run_until(SimTime(at));
    moment(&mut sim).digest
}

/// Selects situations of the shipped schedulers, for people who work on one of them: those whose title contains this.
#[allow(clippy::disallowed_methods)] // which situations are run, not what they do
fn asked_for() -> String {
    std::env::var("TIMESLICE_CASES").unwrap_or_default()
}

/// The name of a situation under a lane in messages.
fn title(subject: &str, situation: &Situation, lane: &Lane) -> String {
    format!("{subject}: {} under {}", situation.name, lane.name())
}

/// Runs all situations of a subject under every lane of the schedulers. Returns the failures, one line each.
pub(crate) fn wrong(
    subject: &str,
    schedulers: &[&'static SchedulerInfo],
    rules: &RuleFile,
) -> Vec<String> {
    wrong_of(subject, schedulers, rules, "")
}

/// The same for the situations whose title contains `only`.
fn wrong_of(
    subject: &str,
    schedulers: &[&'static SchedulerInfo],
    rules: &RuleFile,
    only: &str,
) -> Vec<String> {
    let mut all = Vec::new();
    for situation in situations(subject) {
        for lane in lanes::of(schedulers) {
            let at = title(subject, &situation, &lane);
            if at.contains(only) {
                let found = failures(&situation, &lane, rules);
                all.extend(compare(&situation.name, &lane, rules, found, &at));
            }
        }
    }
    all
}

/// The failures without known ones, and known failures that no longer occur.
fn compare(
    name: &str,
    lane: &Lane,
    rules: &RuleFile,
    mut found: Vec<Failure>,
    at: &str,
) -> Vec<String> {
    let mut wrong = Vec::new();
    let named = |e: &&rules::Exception| e.situations.iter().any(|s| s == name);
    for exception in rules.exception.iter().filter(named) {
        if !exception.concerns(lane) {
            continue;
        }
        let before = found.len();
        found.retain(|f| f.kind != exception.fails);
        if found.len() == before {
            let fails = &exception.fails;
            wrong.push(format!(
                "{at}: \"{fails}\" holds now: take the exception away"
            ));
        }
    }
    wrong.extend(
        found
            .iter()
            .map(|f| format!("{at}: {}: {}", f.kind, f.text)),
    );
    wrong
}

fn survives(subject: &str) {
    let wrong = wrong_of(subject, &schedulers(), &shipped_rules(), &asked_for());
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// The names of the shipped schedulers' situations in messages.
fn titles() -> Vec<String> {
    let mut all = Vec::new();
    for subject in subjects() {
        for situation in situations(&subject) {
            for lane in lanes::of(&schedulers()) {
                all.push(title(&subject, &situation, &lane));
            }
        }
    }
    all
}

#[test]
fn what_is_asked_for_is_there() {
    let only = asked_for();
    let lanes: Vec<String> = lanes::of(&schedulers()).iter().map(Lane::name).collect();
    assert!(
        titles().iter().any(|title| title.contains(&only)),
        "no situation has TIMESLICE_CASES=\"{only}\" in its title; titles end with one of {lanes:?}"
    );
}

/// One test for each file of situations, so that they run in parallel.
macro_rules! subjects {
    ($($subject:ident),*) => {
        $(
            #[test]
            fn $subject() {
                survives(stringify!($subject));
            }
        )*

        #[test]
        fn no_situations_are_left_out() {
            let known = [$(stringify!($subject).to_owned()),*];
            assert_eq!(subjects(), known.into_iter().collect());
        }
    };
}

subjects!(
    affinity, cgroups, endings, idle_cpus, mechanisms, nice, policies, sharing, sleepers, timing
);

#[test]
fn names_of_situations_are_unique_and_exceptions_name_some() {
    let all: Vec<Situation> = subjects().iter().flat_map(|s| situations(s)).collect();
    let mut names = BTreeSet::new();
    for situation in &all {
        assert!(names.insert(&situation.name), "{} twice", situation.name);
        assert!(
            situation.why.ends_with('.'),
            "{}: no sentence",
            situation.name
        );
    }
    let rules = shipped_rules();
    for exception in &rules.exception {
        for name in &exception.situations {
            assert!(names.contains(name), "no situation is called {name}");
        }
    }
    let strangers = rules.strangers(&lanes::of(ALL.schedulers));
    assert!(strangers.is_empty(), "{strangers:?}");
}

/// A scheduler that is not shipped and has no rules.
const fn stranger(id: &'static str, like: &'static SchedulerInfo) -> SchedulerInfo {
    SchedulerInfo {
        id,
        family: "baseline",
        ..*like
    }
}

/// Its CPUs show a value, and it declares no column for it.
static SHORT_CPU_ROWS: SchedulerInfo = SchedulerInfo {
    cpu_columns: &[],
    ..stranger("short rows of CPUs", &bfs::INFO)
};
static SHORT_TASK_ROWS: SchedulerInfo = SchedulerInfo {
    task_columns: &[],
    ..stranger("short rows of tasks", &bfs::INFO)
};

#[test]
fn a_row_of_another_size_than_declared_is_told_with_its_hook() {
    let rules = shipped_rules();
    let situation = &situations("sharing")[0];
    for (info, hook) in [
        (&SHORT_CPU_ROWS, "observe_cpu of CPU 0"),
        (&SHORT_TASK_ROWS, "observe_task of hog-1"),
    ] {
        let found = failures(situation, &lanes::of(&[info])[0], &rules);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].kind, "columns");
        let says = |part: &str| assert!(found[0].text.contains(part), "{found:?}");
        says(hook);
        says("declares 0 columns");
    }
}

static BALANCES: SchedulerInfo = stranger("balances", &cfs::INFO);
static NEVER_MOVES: SchedulerInfo = stranger("never moves", &manual::INFO);

#[test]
fn a_scheduler_of_which_nothing_is_said_is_held_to_cautious_rules() {
    let rules = shipped_rules();
    for subject in ["affinity", "endings", "idle_cpus", "nice", "policies"] {
        let wrong = wrong(subject, &[&BALANCES], &rules);
        assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    }
    let wrong = wrong("idle_cpus", &[&NEVER_MOVES], &rules);
    let told = |what: &str| wrong.iter().any(|line| line.contains(what));
    assert!(told(
        "all pinned to one CPU and set free under never moves fixed: busy"
    ));
    assert!(told("an exit frees its CPU under never moves fixed: gets"));
}

#[test]
fn the_skeleton_survives_what_every_scheduler_must() {
    let rules = shipped_rules();
    for subject in subjects() {
        let wrong = wrong(&subject, &[&sim_schedulers::skeleton::INFO], &rules);
        assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    }
}

#[test]
fn an_exception_that_is_not_needed_is_told() {
    let rules = RuleFile::read(
        &(rules_text()
            + r#"
            [[exception]]
            of = "manual"
            situations = ["killed before the start"]
            fails = "alive"
            because = "It does not."
        "#),
    );
    let wrong = wrong("endings", &[&manual::INFO], &rules);
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert!(wrong[0].contains("\"alive\" holds now"), "{wrong:?}");
}
