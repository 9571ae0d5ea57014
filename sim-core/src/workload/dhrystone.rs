//! Dhrystone 2.1: integer work, tiny footprint, no input or output, never sleeps.

use super::{Behaviour, BehaviourInfo, Phase, WorkCx};
use crate::machine::rate::{DataUse, WorkClass};
use crate::params::{ParamSpec, Params};

pub(super) static INFO: BehaviourInfo = BehaviourInfo {
    id: "dhrystone",
    name: "Dhrystone",
    summary: "Integer arithmetic in a tiny footprint; never sleeps. Two on one core do 4 % less than one.",
    uses_working_set: false,
    offered: true,
    working_set_bytes: 0,
    // Wong 2011: throughput falls by roughly 4 % with two threads on a core.
    class: WorkClass {
        smt_pair_milli: 960,
        pressure_milli: 1000,
        data: DataUse::Footprint,
    },
    params: PARAMS,
    make,
};

const PARAMS: &[ParamSpec] = &[super::spin_array::WORK_MS];

fn make(params: &Params) -> Result<Box<dyn Behaviour>, String> {
    Ok(Box::new(Hog::new(params.get_u64("workMs"))))
}

/// Computes, then exits; or computes for ever.
#[derive(Debug)]
pub(super) struct Hog {
    work_ns: u64,
    started: bool,
}

impl Hog {
    /// A hog with this much work, in ms at full speed; 0 for endless.
    pub(super) fn new(work_ms: u64) -> Self {
        Self {
            work_ns: work_ms * 1_000_000,
            started: false,
        }
    }
}

impl Behaviour for Hog {
    fn next(&mut self, _cx: &mut WorkCx<'_>) -> Phase {
        if self.started {
            return Phase::Exit;
        }
        self.started = true;
        if self.work_ns == 0 {
            Phase::RunForever
        } else {
            Phase::Run(self.work_ns)
        }
    }

    fn save(&self, out: &mut Vec<u64>) {
        out.push(u64::from(self.started));
    }

    fn load(&mut self, words: &[u64]) {
        self.started = words.first().is_some_and(|w| *w != 0);
    }
}
