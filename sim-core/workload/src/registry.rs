//! The behaviours: one line each. The order is that of the picker.

use super::{
    BehaviourInfo, audio, barrier, browser, chase, compute, daemon, database, dhrystone, game,
    interactive, jobs, kernel_thread, parent, pipeline, ray_tracer, recorded, request_server,
    script, spin_array, yield_loop,
};

/// All behaviours.
pub const BEHAVIOURS: &[&BehaviourInfo] = &[
    &dhrystone::INFO,
    &spin_array::INFO,
    &chase::INFO,
    &compute::INFO,
    &interactive::INFO,
    &game::INFO,
    &audio::INFO,
    &browser::INFO,
    &database::INFO,
    &request_server::INFO,
    &jobs::INFO,
    &pipeline::INFO,
    &barrier::INFO,
    &ray_tracer::INFO,
    &yield_loop::INFO,
    &script::INFO,
    &daemon::INFO,
    &kernel_thread::INFO,
    &parent::INFO,
    &recorded::INFO,
];

/// Behaviours that scenarios may name although nobody chooses them: they come with a trace.
const OF_TRACES: &[&str] = &[recorded::INFO.id];

/// The behaviour of an id that a scenario may name.
#[must_use]
pub fn in_scenarios(id: &str) -> Option<&'static BehaviourInfo> {
    find(id).filter(|b| b.offered || OF_TRACES.contains(&b.id))
}

/// The behaviour of an id.
#[must_use]
pub fn find(id: &str) -> Option<&'static BehaviourInfo> {
    BEHAVIOURS.iter().copied().find(|b| b.id == id)
}
