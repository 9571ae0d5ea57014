//! A game or a player: one picture after the other, each due when the screen is drawn anew.

use super::script::Script;
use super::{Behaviour, BehaviourInfo, ORDINARY_SET, TYPICAL};
use sim_ground::params::{ParamSpec, Params};

pub(super) static INFO: BehaviourInfo = BehaviourInfo {
    id: "game",
    name: "Game",
    summary: "Computes a picture for each refresh of the screen; a late picture is a missed deadline.",
    uses_working_set: true,
    offered: true,
    working_set_bytes: ORDINARY_SET,
    class: TYPICAL,
    params: PARAMS,
    make,
};

const PARAMS: &[ParamSpec] = &[
    ParamSpec::int("frameUs", 1_000, 1_000_000, 16_667)
        .label("time of a picture")
        .unit("µs")
        .summary("Time between two refreshes of the screen: 16,667 µs are 60 pictures a second.")
        .assumed("screens of 60 Hz are the most common ones")
        .log(),
    ParamSpec::int("computeUs", 1, 1_000_000, 6_000)
        .label("compute")
        .unit("µs")
        .summary("Mean work for a picture, at full speed.")
        .assumed("a choice of the scenario")
        .log(),
    ParamSpec::int("spreadPercent", 0, 100, 50)
        .label("spread")
        .unit("%")
        .summary("By how much the work for a picture may lie above or below the mean.")
        .assumed("a choice of the scenario"),
];

fn make(params: &Params) -> Result<Box<dyn Behaviour>, String> {
    let (frame, mean) = (params.get_u64("frameUs"), params.get_u64("computeUs"));
    let mean_ns = mean * 1_000;
    let spread_ns = mean_ns * params.get_u64("spreadPercent") / 100;
    let (least, most) = ((mean_ns - spread_ns).max(1), mean_ns + spread_ns);
    let program = format!("run uniform {least}ns {most}ns; every {frame}us; repeat");
    Ok(Box::new(Script::new(&program, "", 0)?))
}
