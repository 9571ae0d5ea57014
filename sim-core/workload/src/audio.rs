//! Sound: a short computation for each buffer, due before the buffer before it has been played.

use super::jitter::BURST_JITTER;
use super::script::Script;
use super::{Behaviour, BehaviourInfo, ORDINARY_SET, TYPICAL};
use sim_ground::params::{ParamSpec, Params};

pub(super) static INFO: BehaviourInfo = BehaviourInfo {
    id: "audio",
    name: "Audio",
    summary: "Fills a buffer of sound at regular times; a buffer that comes late is a missed deadline, and is heard.",
    uses_working_set: true,
    offered: true,
    working_set_bytes: ORDINARY_SET,
    class: TYPICAL,
    params: PARAMS,
    make,
};

const PARAMS: &[ParamSpec] = &[
    ParamSpec::int("bufferUs", 100, 1_000_000, 5_333)
        .label("buffer")
        .unit("µs")
        .summary("Time for which a buffer is played: 5,333 µs are 256 samples at 48 kHz.")
        .assumed("256 samples are a usual choice for music that reacts to its player")
        .log(),
    ParamSpec::int("computeUs", 1, 1_000_000, 800)
        .label("compute")
        .unit("µs")
        .summary("Work for a buffer, at full speed.")
        .assumed("a choice of the scenario")
        .log(),
    BURST_JITTER,
];

fn make(params: &Params) -> Result<Box<dyn Behaviour>, String> {
    let (buffer, compute) = (params.get_u64("bufferUs"), params.get_u64("computeUs"));
    let program = format!("run {compute}us; every {buffer}us; repeat");
    let jitter = params.get_u64(BURST_JITTER.id);
    Ok(Box::new(Script::new(&program, "", jitter)?))
}
