//! The promises of each scheduler, and known exceptions.

use super::lanes::Lane;
use crate::conformance::ns;
use serde::Deserialize;

/// The file of rules.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RuleFile {
    rule: Vec<Rule>,
    #[serde(default)]
    pub(super) exception: Vec<Exception>,
}

/// Promises with their source. Later rules override earlier ones.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    /// `*`, `family NAME`, or the id of a scheduler.
    of: String,
    /// Only these eras.
    eras: Option<Vec<String>>,
    source: String,
    idle_while_waiting: Option<String>,
    per_rival: Option<String>,
    equal_percent: Option<u64>,
    across: Option<AcrossRule>,
    leaves: Option<String>,
    nice: Option<Effect>,
    real_time: Option<Effect>,
    idle: Option<Effect>,
}

/// A situation in which some lanes do not give the expected result, for a known reason.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Exception {
    /// The id of a scheduler.
    pub(super) of: String,
    /// Only these eras.
    pub(super) eras: Option<Vec<String>>,
    pub(super) situations: Vec<String>,
    /// The kind of the failure.
    pub(super) fails: String,
    /// The reason, with its source.
    pub(super) because: String,
}

/// How equal threads share several CPUs.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum AcrossRule {
    /// How much busier one side of a level may stay than the other, in percent.
    Percent(Tolerated),
    /// A word, for any number of threads.
    Word(Word),
}

/// Values in percent: 125 allows a quarter more.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tolerated {
    /// Between the threads of a core.
    pub(super) siblings: u64,
    /// Between the cores that share a cache.
    pub(super) cores: u64,
    /// Between the caches of a node.
    pub(super) caches: u64,
    /// Between nodes.
    pub(super) nodes: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Word {
    /// All get the same, for any number of threads.
    Always,
    /// Nothing is promised.
    No,
}

/// The effect of a request for more or less CPU time than others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Effect {
    /// The favoured get more.
    Acts,
    /// All get the same.
    Ignored,
    /// The favoured get no less.
    May,
}

/// The rules of a lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    /// Longest time for which a CPU is idle while a thread that may run there waits, from the time at which the CPU
    /// notices (delays of signals are added).
    pub(super) idle_while_waiting: u64,
    /// Longest wait of a thread for each equal thread that wants the same CPU.
    pub(super) per_rival: u64,
    /// The smallest share among equal threads on one CPU relative to the largest, in the long run.
    pub(super) equal_percent: u64,
    pub(super) across: AcrossRule,
    /// Longest time for which a thread still runs on a CPU that has been forbidden to it.
    pub(super) leaves: u64,
    pub(super) nice: Effect,
    pub(super) real_time: Effect,
    pub(super) idle: Effect,
}

/// Whether a rule or an exception is about a lane.
fn concerns(of: &str, eras: Option<&[String]>, lane: &Lane) -> bool {
    let family = of.strip_prefix("family ");
    let named = of == "*" || of == lane.info.id || family == Some(lane.info.family);
    named && eras.is_none_or(|all| all.iter().any(|e| e == lane.era.id))
}

impl Exception {
    pub(super) fn concerns(&self, lane: &Lane) -> bool {
        concerns(&self.of, self.eras.as_deref(), lane)
    }
}

impl RuleFile {
    /// Reads rules; each must name its source.
    pub(crate) fn read(text: &str) -> Self {
        let file: Self = toml::from_str(text).unwrap_or_else(|e| panic!("the rules: {e}"));
        for rule in &file.rule {
            assert!(
                !rule.source.is_empty(),
                "a rule of {} has no source",
                rule.of
            );
        }
        for e in &file.exception {
            assert!(
                !e.because.is_empty(),
                "an exception of {} has no reason",
                e.of
            );
        }
        file
    }

    /// The rules of a lane.
    pub(super) fn of(&self, lane: &Lane) -> Rules {
        fn last<T>(
            file: &RuleFile,
            lane: &Lane,
            name: &str,
            field: impl Fn(&Rule) -> Option<T>,
        ) -> T {
            let mut found = file.rule.iter().rev().filter_map(|rule| {
                field(rule).filter(|_| concerns(&rule.of, rule.eras.as_deref(), lane))
            });
            found
                .next()
                .unwrap_or_else(|| panic!("no rule says {name} for {}", lane.name()))
        }
        let time = |name: &str, field: fn(&Rule) -> Option<&String>| {
            last(self, lane, name, |r| field(r).map(|text| ns(text)))
        };
        Rules {
            idle_while_waiting: time("idle_while_waiting", |r| r.idle_while_waiting.as_ref()),
            per_rival: time("per_rival", |r| r.per_rival.as_ref()),
            equal_percent: last(self, lane, "equal_percent", |r| r.equal_percent),
            across: last(self, lane, "across", |r| r.across),
            leaves: time("leaves", |r| r.leaves.as_ref()),
            nice: last(self, lane, "nice", |r| r.nice),
            real_time: last(self, lane, "real_time", |r| r.real_time),
            idle: last(self, lane, "idle", |r| r.idle),
        }
    }

    /// Names of schedulers and eras that do not exist; `known` are the existing ones.
    pub(super) fn strangers(&self, known: &[Lane]) -> Vec<String> {
        let mut wrong = Vec::new();
        let rules = self.rule.iter().map(|r| (&r.of, &r.eras));
        let exceptions = self.exception.iter().map(|e| (&e.of, &e.eras));
        for (of, eras) in rules.chain(exceptions) {
            if !known.iter().any(|lane| concerns(of, None, lane)) && of != "*" {
                wrong.push(format!("nobody is called {of}"));
            }
            for era in eras.iter().flatten() {
                let one = std::slice::from_ref(era);
                if !known.iter().any(|lane| concerns(of, Some(one), lane)) {
                    wrong.push(format!("{of} has no era {era}"));
                }
            }
        }
        wrong
    }
}
