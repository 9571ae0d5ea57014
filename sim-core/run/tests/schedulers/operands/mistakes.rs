//! Mistakes in decisions, which the check must find.

use super::records::{About, Checked};
use super::rules::Release;
use super::told::{COMPARED, MEASURED};
use super::walk::{Step, Walk};
use sim_run::ids::TaskId;
use sim_run::sched::decision::Decision;

/// Reasons that may be taken for each other.
fn families(release: Release) -> Vec<Vec<&'static str>> {
    let pairs = |words: &[&'static str], groups: &[&'static str]| [words, groups].concat();
    match release {
        Release::Eevdf => vec![
            pairs(
                &[
                    "only_one",
                    "protected",
                    "earliest_deadline",
                    "goes_on",
                    "no_other_eligible",
                ],
                &[
                    "next_buddy",
                    "real_time_first",
                    "group_protected",
                    "group_earliest_deadline",
                    "group_goes_on",
                    "group_no_other_eligible",
                    "group_next_buddy",
                ],
            ),
            COMPARED.to_vec(),
            pairs(
                &["request_used", "unprotected_and_ahead"],
                &["group_request_used", "group_unprotected_and_ahead"],
            ),
        ],
        Release::OldCfs | Release::NewCfs => vec![
            pairs(
                &[
                    "leftmost",
                    "next_buddy",
                    "last_buddy",
                    "skip_buddy",
                    "real_time_first",
                ],
                &[
                    "group_leftmost",
                    "group_next_buddy",
                    "group_last_buddy",
                    "group_skip_buddy",
                ],
            ),
            MEASURED.to_vec(),
            vec![
                "slice_expired",
                "leftmost_far_behind",
                "missed_wakeup_quirk",
            ],
        ],
    }
}

/// What an event told about a CPU, with one mistake: each operand that was compared by one more and one less, each other
/// reason, another thread, and a level that is left out or in the place of another.
pub(super) fn mistakes(
    walk: &Walk,
    step: &Step,
    checked: &[Checked],
) -> Vec<(String, Vec<Decision>)> {
    let mut all = Vec::new();
    let rules = &walk.rules;
    let families = families(rules.release);
    let at = |id: u64| step.told.iter().position(|d| d.id == id).expect("told");
    let mut make = |what: String, change: &mut dyn FnMut(&mut Vec<Decision>)| {
        let mut told = step.told.clone();
        change(&mut told);
        all.push((what, told));
    };
    for c in checked {
        let at = at(c.id);
        let word = rules.word(&step.told[at]);
        for i in (0..4).filter(|i| c.operands[*i]) {
            for by in [-1, 1] {
                make(format!("{word}: operand {i} by {by}"), &mut |told| {
                    told[at].operands[i] += by;
                });
            }
        }
        let family = families
            .iter()
            .find(|f| f.contains(&word))
            .filter(|_| c.clear);
        for (i, reason) in rules.reasons.iter().enumerate() {
            if reason.id == word || !family.is_some_and(|f| f.contains(&reason.id)) {
                continue;
            }
            make(format!("{} for {word}", reason.id), &mut |told| {
                told[at].reason = u16::try_from(i).expect("few");
            });
        }
    }
    let picks: Vec<usize> = checked
        .iter()
        .filter(|c| matches!(c.what, About::Pick | About::PickOfGroup))
        .map(|c| at(c.id))
        .collect();
    for pick in &picks {
        make("another thread".to_owned(), &mut |told| {
            for pick in &picks {
                let other = told[*pick].task.map_or(0, |t| t.0 + 1);
                told[*pick].task = Some(TaskId(other));
            }
        });
        if picks.len() > 1 {
            make("a level less".to_owned(), &mut |told| {
                told.remove(*pick);
            });
        }
    }
    if let &[first, second] = picks.as_slice() {
        make("one level for the other".to_owned(), &mut |told| {
            let ids = [told[first].id, told[second].id];
            told.swap(first, second);
            (told[first].id, told[second].id) = (ids[0], ids[1]);
        });
    }
    all
}
