//! A database: threads that compute, read from a disk that they share, and change what one lock protects.

use super::script::Script;
use super::{Behaviour, BehaviourInfo, ORDINARY_SET, TYPICAL};
use sim_ground::params::{ParamSpec, Params};

pub(super) static INFO: BehaviourInfo = BehaviourInfo {
    id: "database",
    name: "Database",
    summary: "Computes, reads from a disk with a queue, and writes under a lock that all threads share.",
    uses_working_set: true,
    offered: true,
    working_set_bytes: ORDINARY_SET,
    class: TYPICAL,
    params: PARAMS,
    make,
};

const PARAMS: &[ParamSpec] = &[
    ParamSpec::int("computeUs", 1, 10_000_000, 300)
        .label("compute")
        .unit("µs")
        .summary("Mean work of a transaction without the lock, at full speed; exponential.")
        .assumed("a choice of the scenario")
        .log(),
    ParamSpec::int("diskUs", 1, 10_000_000, 500)
        .label("disk")
        .unit("µs")
        .summary("Mean time that the disk takes for a request; exponential.")
        .assumed("a choice of the scenario")
        .log(),
    ParamSpec::int("lockedUs", 1, 10_000_000, 50)
        .label("under the lock")
        .unit("µs")
        .summary("Mean work while holding the lock, at full speed; exponential.")
        .assumed("a choice of the scenario")
        .log(),
    ParamSpec::int("port", 0, 65_535, 0)
        .label("port")
        .summary("Groups with the same port share disk and lock, with each other and with scripts that name it.")
        .assumed("a choice of the scenario"),
];

fn make(params: &Params) -> Result<Box<dyn Behaviour>, String> {
    let us = |id| params.get_u64(id);
    let (compute, disk, locked) = (us("computeUs"), us("diskUs"), us("lockedUs"));
    let n = us("port");
    let program = format!(
        "run exp {compute}us; io {n} exp {disk}us; lock {n}; run exp {locked}us; unlock {n}; repeat"
    );
    Ok(Box::new(Script::new(&program, "", 0)?))
}
