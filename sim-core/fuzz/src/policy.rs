//! Programs of own policies.

use super::{EVENTS, checked, in_words};
use serde_json::json;
use sim_core::config::validate;
use sim_core::engine::Sim;
use std::sync::Arc;

/// A text as a program: it is refused with a message, or a lane runs with it until the program is wrong or the run is long
/// enough. The run goes on alike after its state was saved and restored.
pub fn policy(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let scenario = json!({
        "version": 2,
        "name": "a program",
        "machine": "i7860",
        "schedulers": [{ "id": "own", "program": text }],
        "groups": [
            { "name": "hog", "count": 3, "behaviour": { "kind": "compute" } },
            { "name": "typist", "count": 2, "behaviour": { "kind": "interactive" } },
            { "name": "short", "count": 2, "behaviour": { "kind": "script", "params": { "program": "run 1ms; sleep 1ms; yield; repeat 4" } } },
        ],
        "edits": [{ "atNs": 3_000_000, "set": { "groups.hog.nice": 5 } }],
        "end": { "atNs": 100_000_000 },
    });
    let scenario = validate::parse(&scenario.to_string()).expect("of the right shape");
    let plan = match validate::plan(&scenario) {
        Ok(plan) => Arc::new(plan),
        Err(errors) => return in_words(&errors),
    };
    let mut sim = Sim::new(&plan, 0, checked());
    sim.advance(sim.end(), EVENTS);
    let saved = sim.snapshot();
    sim.advance(sim.end(), EVENTS);
    let wanted = sim.digest();
    sim.restore(&saved).expect("of this very run");
    sim.advance(sim.end(), EVENTS);
    assert_eq!(sim.digest(), wanted, "another run after it was restored");
    if let Some(fault) = sim.fault() {
        assert!(!fault.message.is_empty());
    }
}
