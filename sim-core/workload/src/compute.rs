//! `compute`: any ordinary program that only computes, such as a ray tracer or a compiler.

use super::hog::{Hog, WORK_MS};
use super::{Behaviour, BehaviourInfo, ORDINARY_SET, TYPICAL};
use sim_ground::params::{ParamSpec, Params};

pub(super) static INFO: BehaviourInfo = BehaviourInfo {
    id: "compute",
    name: "Ordinary program",
    summary: "Computes without end on a small working set, which it touches again after each switch. Two on one core do 20 % more than one.",
    uses_working_set: true,
    offered: true,
    working_set_bytes: ORDINARY_SET,
    class: TYPICAL,
    params: PARAMS,
    make,
};

const PARAMS: &[ParamSpec] = &[WORK_MS];

fn make(params: &Params) -> Result<Box<dyn Behaviour>, String> {
    Ok(Box::new(Hog::new(params.get_u64("workMs"))))
}
