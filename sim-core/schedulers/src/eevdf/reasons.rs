//! Why EEVDF did what it did, in the kernel's words. Lags are V - v, in virtual time: what is not negative is eligible.

use sim_contract::decision::reasons;

reasons! {
    ONLY_ONE = "only_one", "pickNext", "pick_eevdf @ Linux 6.6, 6.12",
        "lag": "ns", "deadline from V": "ns", "slice": "ns", "queued": "threads";
    PROTECTED = "protected", "pickNext", "pick_eevdf @ Linux 6.6, 6.12 (RUN_TO_PARITY)",
        "lag": "ns", "deadline from V": "ns", "slice": "ns", "queued": "threads";
    EARLIEST = "earliest_deadline", "pickNext", "pick_eevdf @ Linux 6.6, 6.12",
        "lag": "ns", "deadline from V": "ns", "slice": "ns", "queued": "threads";
    GOES_ON = "goes_on", "pickNext", "pick_eevdf @ Linux 6.6, 6.12",
        "lag": "ns", "deadline from V": "ns", "slice": "ns", "queued": "threads";
    NO_OTHER = "no_other_eligible", "pickNext", "pick_eevdf @ Linux 6.6, 6.12",
        "lag": "ns", "deadline from V": "ns", "slice": "ns", "queued": "threads";
    BUDDY = "next_buddy", "pickNext", "pick_next_entity @ Linux 6.12 (PICK_BUDDY)",
        "lag": "ns", "deadline from V": "ns", "slice": "ns", "queued": "threads";
    REAL_TIME_FIRST = "real_time_first", "pickNext", "pick_next_task @ Linux 6.6, 6.12";
    REQUEST_USED = "request_used", "sliceEnd", "update_deadline @ Linux 6.6, 6.12",
        "lag": "ns", "next request": "ns", "slice": "ns", "queued": "threads";
    AHEAD = "unprotected_and_ahead", "sliceEnd", "did_preempt_short @ Linux 6.12",
        "lag": "ns", "left of its request": "ns", "slice": "ns", "queued": "threads";
    ROUND_ROBIN = "round_robin", "sliceEnd", "task_tick_rt @ Linux 6.6, 6.12",
        "turn": "ticks";
    YIELD_FORFEITS = "yield_forfeits", "sliceEnd", "yield_task_fair @ Linux 6.6, 6.12",
        "lag before": "ns", "deadline moves by": "ns", "queued": "threads";
    YIELD_NOT_ELIGIBLE = "yield_not_eligible", "sliceEnd", "yield_task_fair @ Linux 6.12.63",
        "lag before": "ns", "deadline moves by": "ns", "queued": "threads";
    PLACED_LAG = "placed_with_lag", "requeue", "place_entity @ Linux 6.6, 6.12",
        "lag": "ns", "request": "ns", "queued": "threads", "lag that it brought": "ns";
    PLACED_NEW = "placed_new", "requeue", "place_entity @ Linux 6.6, 6.12",
        "lag": "ns", "request": "ns", "queued": "threads";
    SLEEP_STORED = "sleep_lag_stored", "requeue", "dequeue_entity, update_entity_lag @ Linux 6.6, 6.12",
        "lag": "ns", "queued": "threads";
    SLEEP_DELAYED = "sleep_delayed", "requeue", "dequeue_entity @ Linux 6.12 (DELAY_DEQUEUE)",
        "lag": "ns", "left of its request": "ns", "queued": "threads";
    DELAYED_LEFT = "delayed_dequeue_completed", "requeue", "pick_next_entity @ Linux 6.12 (DELAY_DEQUEUE)",
        "lag": "ns", "queued": "threads";
    DELAYED_KEPT = "woken_while_delayed", "requeue", "requeue_delayed_entity @ Linux 6.12",
        "lag": "ns", "left of its request": "ns";
    DELAYED_RESET = "woken_while_delayed_at_v", "requeue", "requeue_delayed_entity @ Linux 6.12 (DELAY_ZERO)",
        "lag": "ns", "left of its request": "ns";
    DELAYED_STAYS = "delayed_stays", "selectCpu", "ttwu_runnable @ Linux 6.12";
    REWEIGHED = "reweighed", "priority", "set_user_nice, set_load_weight @ Linux 6.6, 6.12",
        "nice": "", "nice before": "", "weight": "", "weight before": "";
    SLICE_SET = "slice_set", "priority", "__setparam_fair @ Linux 6.12",
        "slice": "ns", "slice before": "ns";
    LIGHTER = "nice_lowered", "preempt", "prio_changed_fair @ Linux 6.6, 6.12",
        "nice": "", "nice before": "";
    EARLIER_DEADLINE = "earlier_deadline", "preempt", "check_preempt_wakeup_fair @ Linux 6.6, 6.12",
        "lag": "ns", "deadline from V": "ns", "lag of what runs": "ns", "its deadline from V": "ns";
    CURRENT_NOT_ELIGIBLE = "current_not_eligible", "preempt", "check_preempt_wakeup_fair @ Linux 6.6, 6.12",
        "lag": "ns", "deadline from V": "ns", "lag of what runs": "ns", "its deadline from V": "ns";
    SHORT_SLICE = "short_slice", "preempt", "do_preempt_short @ Linux 6.12 (PREEMPT_SHORT)",
        "lag": "ns", "deadline from V": "ns", "lag of what runs": "ns", "its deadline from V": "ns";
    IDLE_POLICY_RUNS = "idle_policy_runs", "preempt", "check_preempt_wakeup_fair @ Linux 6.6, 6.12",
        "lag": "ns", "deadline from V": "ns", "lag of what runs": "ns", "its deadline from V": "ns";
    REAL_TIME = "real_time", "preempt", "wakeup_preempt @ Linux 6.6, 6.12",
        "rank": "", "rank of what runs": "";
    IDLE_WOKEN = "idle_cpu_woken", "preempt", "wakeup_preempt_idle @ Linux 6.6, 6.12";
    CURRENT_PROTECTED = "current_protected", "noPreempt", "check_preempt_wakeup_fair @ Linux 6.6, 6.12 (RUN_TO_PARITY)",
        "lag": "ns", "deadline from V": "ns", "lag of what runs": "ns", "its deadline from V": "ns";
    LATER_DEADLINE = "later_deadline", "noPreempt", "check_preempt_wakeup_fair @ Linux 6.6, 6.12",
        "lag": "ns", "deadline from V": "ns", "lag of what runs": "ns", "its deadline from V": "ns";
    NOT_ELIGIBLE = "not_eligible", "noPreempt", "check_preempt_wakeup_fair @ Linux 6.6, 6.12",
        "lag": "ns", "deadline from V": "ns", "lag of what runs": "ns", "its deadline from V": "ns";
    NOT_NORMAL = "batch_or_idle_policy", "noPreempt", "check_preempt_wakeup_fair @ Linux 6.6, 6.12";
    RESCHED_PENDING = "resched_pending", "noPreempt", "check_preempt_wakeup_fair @ Linux 6.6, 6.12";
    WAKEUP_PREEMPTION_OFF = "wakeup_preemption_off", "noPreempt", "check_preempt_wakeup_fair @ Linux 6.6, 6.12";
    REAL_TIME_RUNS = "real_time_runs", "noPreempt", "wakeup_preempt @ Linux 6.6, 6.12",
        "rank": "", "rank of what runs": "";
    LOWEST_PRIORITY = "find_lowest_rq", "selectCpu", "find_lowest_rq @ Linux 6.6, 6.12",
        "rank of what runs": "";
    FALLBACK = "select_fallback_rq", "selectCpu", "select_fallback_rq @ Linux 6.6, 6.12";
    PREV_IDLE = "prev_idle", "selectCpu", "select_idle_sibling @ Linux 6.6, 6.12";
    IDLE_CPU = "idle_cpu", "selectCpu", "select_idle_cpu @ Linux 6.6, 6.12";
    NONE_IDLE = "none_idle", "selectCpu", "select_idle_sibling @ Linux 6.6, 6.12";
    TAKEN = "task_taken", "balance", "detach_task, attach_task @ Linux 6.6, 6.12",
        "from CPU": "";
    NEWIDLE_BALANCE = "new_idle_balance", "migrate", "sched_balance_newidle @ Linux 6.12";
    WAKE_PLACEMENT = "wake_placement", "migrate", "try_to_wake_up @ Linux 6.6, 6.12";
    FORK_PLACEMENT = "fork_placement", "migrate", "wake_up_new_task @ Linux 6.6, 6.12";
    EXEC_PLACEMENT = "exec_placement", "migrate", "sched_exec @ Linux 6.6, 6.12";
    AFFINITY_CHANGED = "affinity_changed", "migrate", "set_cpus_allowed_ptr @ Linux 6.6, 6.12";
}
