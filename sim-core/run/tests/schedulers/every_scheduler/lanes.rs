//! The lanes of a list of schedulers: each scheduler in each of its eras, with its defaults.

use serde_json::{Value, json};
use sim_run::sched::{EraInfo, Registry, SchedulerInfo};

/// A scheduler in one of its eras.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lane {
    pub(super) info: &'static SchedulerInfo,
    pub(super) era: &'static EraInfo,
    /// Rate of ticks, if it is not the default.
    hz: Option<u32>,
}

/// Every era of every scheduler of a list.
pub(crate) fn of(schedulers: &[&'static SchedulerInfo]) -> Vec<Lane> {
    let lane = |info, era| Lane {
        info,
        era,
        hz: None,
    };
    let eras = |info: &'static SchedulerInfo| info.eras.iter().map(move |era| lane(info, era));
    schedulers.iter().copied().flat_map(eras).collect()
}

/// The same; schedulers with a choice of HZ at 100, 250 and 1000.
pub(crate) fn at_all_rates(schedulers: &[&'static SchedulerInfo]) -> Vec<Lane> {
    let rates = |lane: Lane| {
        let has_hz = lane.era.tunables.iter().any(|t| t.id == "hz");
        let rates: &[Option<u32>] = if has_hz {
            &[Some(100), Some(250), Some(1000)]
        } else {
            &[None]
        };
        rates.iter().map(move |hz| Lane { hz: *hz, ..lane })
    };
    of(schedulers).into_iter().flat_map(rates).collect()
}

impl Lane {
    /// Its name in messages.
    pub(super) fn name(&self) -> String {
        format!("{} {}", self.info.id, self.era.id)
    }

    /// A registry with only this scheduler, shipped or not.
    pub(super) fn registry(&self) -> Registry {
        Registry::of(vec![self.info].leak())
    }

    /// The lane as a scenario writes it.
    pub(crate) fn choice(&self) -> Value {
        let mut choice = json!({ "id": self.info.id, "era": self.era.id });
        if let Some(hz) = self.hz {
            choice["tunables"] = json!({ "hz": hz });
        }
        choice
    }
}
