//! The reasons of decisions: one for each function of a program that decides, and those of the host.

use sim_contract::decision::reasons;

reasons! {
    PLACE = "policy_place", "selectCpu", "place",
        "waiting": "threads", "first": "", "second": "", "third": "";
    DEFAULT_PLACE = "policy_default_place", "selectCpu", "rule without place",
        "waiting": "threads";
    PICK = "policy_pick", "pickNext", "pick",
        "waiting": "threads", "first": "", "second": "", "third": "";
    PREEMPT = "policy_preempt", "preempt", "preempt",
        "waiting": "threads", "first": "", "second": "", "third": "";
    NO_PREEMPT = "policy_no_preempt", "noPreempt", "preempt",
        "waiting": "threads", "first": "", "second": "", "third": "";
    SLICE = "policy_slice", "sliceEnd", "slice",
        "ran": "ns", "slice": "ns";
    TICK = "policy_tick", "sliceEnd", "tick",
        "waiting": "threads", "first": "", "second": "", "third": "";
    IDLE = "policy_idle", "steal", "idle",
        "waiting": "threads", "first": "", "second": "", "third": "";
    MOVE = "policy_move", "balance", "move",
        "waiting": "threads", "first": "", "second": "", "third": "";
    STOPPED = "policy_stopped", "pickNext", "rule of a stopped program",
        "waiting": "threads";
}
