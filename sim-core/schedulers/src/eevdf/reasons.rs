//! The reasons of EEVDF's decisions, in the kernel's terms. Lags are V - v, in virtual time; an entity is eligible if
//! its lag is not negative.

use sim_contract::decision::{Reason, reasons};

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
    // The same where the candidates are the groups of applications.
    GROUP_PROTECTED = "group_protected", "pickNext", "pick_eevdf @ Linux 6.6, 6.12 (RUN_TO_PARITY)",
        "lag": "ns", "deadline from V": "ns", "slice": "ns", "queued": "";
    GROUP_EARLIEST = "group_earliest_deadline", "pickNext", "pick_eevdf @ Linux 6.6, 6.12",
        "lag": "ns", "deadline from V": "ns", "slice": "ns", "queued": "";
    GROUP_GOES_ON = "group_goes_on", "pickNext", "pick_eevdf @ Linux 6.6, 6.12",
        "lag": "ns", "deadline from V": "ns", "slice": "ns", "queued": "";
    GROUP_NO_OTHER = "group_no_other_eligible", "pickNext", "pick_eevdf @ Linux 6.6, 6.12",
        "lag": "ns", "deadline from V": "ns", "slice": "ns", "queued": "";
    GROUP_BUDDY = "group_next_buddy", "pickNext", "pick_next_entity @ Linux 6.12 (PICK_BUDDY)",
        "lag": "ns", "deadline from V": "ns", "slice": "ns", "queued": "";
    REAL_TIME_FIRST = "real_time_first", "pickNext", "pick_next_task @ Linux 6.6, 6.12";
    REQUEST_USED = "request_used", "sliceEnd", "update_deadline @ Linux 6.6, 6.12",
        "lag": "ns", "next request": "ns", "slice": "ns", "queued": "threads";
    AHEAD = "unprotected_and_ahead", "sliceEnd", "did_preempt_short @ Linux 6.12",
        "lag": "ns", "left of its request": "ns", "slice": "ns", "queued": "threads";
    GROUP_REQUEST_USED = "group_request_used", "sliceEnd", "update_deadline @ Linux 6.6, 6.12",
        "lag": "ns", "next request": "ns", "slice": "ns", "queued": "";
    GROUP_AHEAD = "group_unprotected_and_ahead", "sliceEnd", "did_preempt_short @ Linux 6.12",
        "lag": "ns", "left of its request": "ns", "slice": "ns", "queued": "";
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
    TARGET_IDLE = "target_idle", "selectCpu", "select_idle_sibling @ Linux 6.12",
        "previous CPU": "", "waker's CPU": "";
    PREV_IDLE = "prev_idle", "selectCpu", "select_idle_sibling @ Linux 6.12",
        "CPU it was meant for": "", "waker's CPU": "";
    RECENT_IDLE = "recent_idle", "selectCpu", "select_idle_sibling (recent_used_cpu) @ Linux 6.12",
        "CPU it was meant for": "", "previous CPU": "", "waker's CPU": "";
    KERNEL_THREAD_WAKES = "per_cpu_kthread_wakes", "selectCpu", "select_idle_sibling (is_per_cpu_kthread) @ Linux 6.12",
        "CPU it was meant for": "", "waker's CPU": "";
    IDLE_SMT = "idle_smt", "selectCpu", "select_idle_smt @ Linux 6.12",
        "CPU it was meant for": "", "previous CPU": "", "waker's CPU": "";
    IDLE_CORE = "idle_core", "selectCpu", "select_idle_core @ Linux 6.12",
        "CPU it was meant for": "", "previous CPU": "", "cores looked at": "cores";
    IDLE_CPU = "idle_cpu", "selectCpu", "select_idle_cpu @ Linux 6.12",
        "CPU it was meant for": "", "previous CPU": "", "looked at": "";
    SCAN_SKIPPED = "scan_skipped", "selectCpu", "select_idle_cpu (SIS_UTIL) @ Linux 6.12",
        "previous CPU": "", "looked at": "CPUs", "nr_idle_scan": "CPUs", "CPUs of the cache": "CPUs";
    SCAN_ENDED = "scan_ended", "selectCpu", "select_idle_cpu (SIS_UTIL) @ Linux 6.12",
        "previous CPU": "", "looked at": "CPUs", "nr_idle_scan": "CPUs", "CPUs of the cache": "CPUs";
    NONE_IDLE = "none_idle", "selectCpu", "select_idle_cpu @ Linux 6.12",
        "previous CPU": "", "looked at": "", "nr_idle_scan": "CPUs", "CPUs of the cache": "CPUs";
    TARGET_BUSY = "target_busy", "selectCpu", "select_idle_sibling @ Linux 6.12",
        "previous CPU": "", "waker's CPU": "";
    WAKE_WIDE = "wake_wide", "selectCpu", "wake_wide @ Linux 6.12",
        "flips of the waker": "", "its flips": "", "CPUs of the cache": "CPUs";
    AFFINE_PREV_IDLE = "affine_prev_idle", "selectCpu", "wake_affine_idle @ Linux 6.12",
        "waker's CPU": "", "previous CPU": "";
    AFFINE_WAKER_IDLE = "affine_waker_idle", "selectCpu", "wake_affine_idle @ Linux 6.12",
        "waker's CPU": "", "previous CPU": "";
    AFFINE_SYNC = "affine_sync", "selectCpu", "wake_affine_idle, wake_affine_weight @ Linux 6.12",
        "waker's CPU": "", "previous CPU": "", "load of the waker's CPU": "", "load of the waker": "";
    AFFINE_LIGHTER = "affine_lighter", "selectCpu", "wake_affine_weight @ Linux 6.12",
        "load of the waker's CPU with it": "", "load of the previous CPU without it": "", "its load": "", "factor": "%";
    NOT_AFFINE = "not_affine", "selectCpu", "wake_affine_weight @ Linux 6.12",
        "load of the waker's CPU with it": "", "load of the previous CPU without it": "", "its load": "", "factor": "%";
    FALLBACK = "select_fallback_rq", "selectCpu", "select_fallback_rq @ Linux 6.12",
        "CPU that was chosen": "";
    FORK_LOCAL = "fork_local", "selectCpu", "sched_balance_find_dst_cpu @ Linux 6.12",
        "CPU of the parent": "";
    FORK_IDLEST = "fork_idlest", "selectCpu", "sched_balance_find_dst_group_cpu @ Linux 6.12",
        "CPU of the parent": "", "idle since": "ns", "load": "";
    EXEC_LOCAL = "exec_local", "selectCpu", "sched_exec, sched_balance_find_dst_cpu @ Linux 6.12",
        "CPU before": "";
    EXEC_IDLEST = "exec_idlest", "selectCpu", "sched_exec, sched_balance_find_dst_group_cpu @ Linux 6.12",
        "CPU before": "", "idle since": "ns", "load": "";
    NO_OTHER_GROUP = "no_other_group", "selectCpu", "sched_balance_find_dst_group @ Linux 6.12",
        "level": "";
    OWN_GROUP_FORBIDDEN = "own_group_forbidden", "selectCpu", "sched_balance_find_dst_group @ Linux 6.12",
        "level": "";
    OWN_TYPE_LOWER = "own_type_lower", "selectCpu", "sched_balance_find_dst_group @ Linux 6.12",
        "level": "", "type of the own group": "", "type of the idlest": "";
    OTHER_TYPE_LOWER = "other_type_lower", "selectCpu", "sched_balance_find_dst_group @ Linux 6.12",
        "level": "", "type of the own group": "", "type of the idlest": "";
    NOT_LESS_LOADED = "not_less_loaded", "selectCpu", "sched_balance_find_dst_group @ Linux 6.12",
        "level": "", "load of the own group": "", "load of the idlest": "", "imbalance_pct": "%";
    LESS_LOADED = "less_loaded", "selectCpu", "sched_balance_find_dst_group @ Linux 6.12",
        "level": "", "load of the own group": "", "load of the idlest": "", "imbalance_pct": "%";
    NOT_MORE_IDLE = "not_more_idle", "selectCpu", "sched_balance_find_dst_group @ Linux 6.12",
        "level": "", "own idle CPUs": "CPUs", "idle CPUs of the idlest": "CPUs";
    MORE_IDLE = "more_idle", "selectCpu", "sched_balance_find_dst_group @ Linux 6.12",
        "level": "", "own idle CPUs": "CPUs", "idle CPUs of the idlest": "CPUs";
    NUMA_IMBALANCE_ALLOWED = "numa_imbalance_allowed", "balance", "adjust_numa_imbalance @ Linux 6.12",
        "level": "", "imbalance": "", "own threads with one more": "threads", "imb_numa_nr": "threads";
    NUMA_STAYS = "numa_stays", "selectCpu", "sched_balance_find_dst_group, adjust_numa_imbalance @ Linux 6.12",
        "level": "", "difference of idle CPUs": "CPUs", "own threads with it": "threads", "imb_numa_nr": "threads";
    NOHZ_KICK = "nohz_kick", "selectCpu", "nohz_balancer_kick, kick_ilb @ Linux 6.12",
        "kicked by CPU": "", "running and waiting": "threads", "idle CPUs": "CPUs", "busy CPUs of its cache": "CPUs";
    NOT_IN_CHARGE = "not_in_charge", "balance", "should_we_balance @ Linux 6.12",
        "level": "", "CPU in charge": "";
    NO_BUSIEST_GROUP = "lb_nobusyg", "balance", "sched_balance_find_src_group @ Linux 6.12",
        "level": "", "own threads": "threads", "own idle CPUs": "CPUs";
    LOCAL_BUSIER_TYPE = "local_busier_type", "balance", "sched_balance_find_src_group @ Linux 6.12",
        "level": "", "type of the own group": "", "type of the busiest": "";
    NOT_BELOW_AVERAGE = "not_below_average", "balance", "sched_balance_find_src_group, calculate_imbalance @ Linux 6.12",
        "load of the busiest": "", "own load": "", "average": "";
    WITHIN_IMBALANCE_PCT = "within_imbalance_pct", "refuse", "sched_balance_find_src_group @ Linux 6.12",
        "load of the busiest": "", "own load": "", "average": "", "imbalance_pct": "%";
    LEFT_TO_IDLE_CPUS = "left_to_idle_cpus", "balance", "sched_balance_find_src_group @ Linux 6.12",
        "level": "", "type of the busiest": "", "threads of the busiest": "threads", "CPUs of the busiest": "CPUs";
    IDLE_CPUS_EVEN = "idle_cpus_even", "balance", "sched_balance_find_src_group @ Linux 6.12",
        "level": "", "own idle CPUs": "CPUs", "idle CPUs of the busiest": "CPUs";
    ONE_TASK = "one_task", "balance", "sched_balance_find_src_group @ Linux 6.12",
        "level": "", "own threads": "threads", "threads of the busiest": "threads";
    NOTHING_TO_MOVE = "nothing_to_move", "balance", "calculate_imbalance @ Linux 6.12",
        "level": "", "own or idle": "", "of the busiest": "";
    SMT_BALANCE = "smt_balance", "balance", "calculate_imbalance (group_smt_balance) @ Linux 6.12",
        "level": "", "threads of the busiest": "threads", "own threads": "threads", "threads to move": "threads";
    GROUP_IMBALANCED = "group_imbalanced", "balance", "calculate_imbalance (group_imbalanced) @ Linux 6.12",
        "level": "", "threads of the busiest": "threads", "own threads": "threads", "threads to move": "threads";
    MOVE_TASKS = "migrate_task", "balance", "calculate_imbalance, sibling_imbalance @ Linux 6.12",
        "level": "", "threads of the busiest": "threads", "own threads": "threads", "threads to move": "threads";
    EVEN_IDLE_CPUS = "even_idle_cpus", "balance", "calculate_imbalance @ Linux 6.12",
        "level": "", "own idle CPUs": "CPUs", "idle CPUs of the busiest": "CPUs", "threads to move": "threads";
    MOVE_UTIL = "migrate_util", "balance", "calculate_imbalance @ Linux 6.12",
        "level": "", "own utilisation": "", "own capacity": "", "to move": "";
    MOVE_LOAD = "migrate_load", "balance", "calculate_imbalance @ Linux 6.12",
        "load of the busiest": "", "own load": "", "average": "", "imbalance": "";
    NO_BUSIEST_QUEUE = "lb_nobusyq", "refuse", "sched_balance_find_src_rq @ Linux 6.12",
        "level": "", "imbalance": "";
    NOTHING_MOVED = "lb_failed", "refuse", "sched_balance_rq @ Linux 6.12",
        "busiest CPU": "", "nr_balance_failed": "", "pushes beyond": "", "level": "";
    FAILED_HOT = "nr_failed_migrations_hot", "refuse", "can_migrate_task, task_hot @ Linux 6.12",
        "since it ran": "ns", "sched_migration_cost": "ns", "nr_balance_failed": "", "cache_nice_tries": "";
    FAILED_AFFINE = "nr_failed_migrations_affine", "refuse", "can_migrate_task @ Linux 6.12",
        "from CPU": "";
    FAILED_RUNNING = "nr_failed_migrations_running", "refuse", "can_migrate_task @ Linux 6.12",
        "from CPU": "";
    LOAD_TOO_BIG = "load_too_big", "refuse", "detach_tasks (migrate_load) @ Linux 6.12",
        "its load": "", "left to move": "", "nr_balance_failed": "";
    UTIL_TOO_BIG = "util_too_big", "refuse", "detach_tasks (migrate_util) @ Linux 6.12",
        "its utilisation": "", "left to move": "", "nr_balance_failed": "";
    FORCED = "nr_forced_migrations", "balance", "can_migrate_task @ Linux 6.12",
        "since it ran": "ns", "sched_migration_cost": "ns", "nr_balance_failed": "", "cache_nice_tries": "";
    TAKEN = "task_taken", "balance", "detach_tasks, attach_tasks (migrate_task) @ Linux 6.12",
        "from CPU": "", "threads": "", "left to move": "threads", "level": "";
    TAKEN_LOAD = "task_taken_load", "balance", "detach_tasks, attach_tasks (migrate_load) @ Linux 6.12",
        "from CPU": "", "its load": "", "left to move": "", "level": "";
    TAKEN_UTIL = "task_taken_util", "balance", "detach_tasks, attach_tasks (migrate_util) @ Linux 6.12",
        "from CPU": "", "its utilisation": "", "left to move": "", "level": "";
    PULLED = "tasks_pulled", "balance", "sched_balance_rq @ Linux 6.12",
        "from CPU": "", "moved": "threads", "nr_balance_failed": "", "level": "";
    ALL_PINNED = "all_pinned", "refuse", "sched_balance_rq @ Linux 6.12",
        "busiest CPU": "", "threads there": "threads", "balance interval": "ms", "level": "";
    NEED_ACTIVE_BALANCE = "need_active_balance", "balance", "need_active_balance @ Linux 6.12",
        "busiest CPU": "", "nr_balance_failed": "", "level": "";
    ACTIVE_BALANCE_PINNED = "active_balance_pinned", "refuse", "sched_balance_rq @ Linux 6.12",
        "busiest CPU": "", "nr_balance_failed": "", "level": "";
    ACTIVE_BALANCE_PENDING = "active_balance_pending", "refuse", "sched_balance_rq @ Linux 6.12",
        "busiest CPU": "", "nr_balance_failed": "", "level": "";
    PUSHED = "task_pushed", "balance", "active_load_balance_cpu_stop @ Linux 6.12",
        "from CPU": "", "nr_balance_failed": "", "level": "";
    AVG_IDLE_SHORT = "avg_idle_too_short", "refuse", "sched_balance_newidle @ Linux 6.12",
        "avg_idle": "ns", "cost": "ns", "level": "";
    NOT_OVERLOADED = "not_overloaded", "refuse", "sched_balance_newidle @ Linux 6.12",
        "avg_idle": "ns", "cost": "ns", "level": "";
    NEWIDLE_DICE = "newidle_dice", "refuse", "sched_balance_newidle (NI_RANDOM) @ Linux 6.12.65",
        "dice of 1024": "", "newidle_ratio": "", "level": "";
    NEWIDLE_PULLED = "newidle_balance", "balance", "sched_balance_newidle @ Linux 6.12",
        "avg_idle": "ns";
    PERIODIC_BALANCE = "periodic_balance", "migrate", "sched_balance_rq @ Linux 6.12";
    IDLE_BALANCE = "idle_balance", "migrate", "sched_balance_rq, nohz_idle_balance @ Linux 6.12";
    NEWIDLE_BALANCE = "new_idle_balance", "migrate", "sched_balance_newidle @ Linux 6.12";
    ACTIVE_BALANCE = "active_balance", "migrate", "active_load_balance_cpu_stop @ Linux 6.12";
    WAKE_PLACEMENT = "wake_placement", "migrate", "try_to_wake_up @ Linux 6.12";
    FORK_PLACEMENT = "fork_placement", "migrate", "wake_up_new_task @ Linux 6.12";
    EXEC_PLACEMENT = "exec_placement", "migrate", "sched_exec @ Linux 6.12";
    AFFINITY_CHANGED = "affinity_changed", "migrate", "set_cpus_allowed_ptr @ Linux 6.12";
    NUMA_SCAN = "task_numa_work", "balance", "task_tick_numa, task_numa_work @ Linux 6.12",
        "pages marked": "pages", "numa_scan_period": "ms", "numa_scan_seq": "", "pages of the process": "pages";
    NUMA_PAGES_MOVED = "numa_pages_migrated", "balance", "should_numa_migrate_memory, migrate_misplaced_folio @ Linux 6.12",
        "moved": "pages", "faulted on": "pages", "to node": "", "pages of the thread": "pages";
    NUMA_PAGES_REFUSED = "numa_pages_refused", "refuse", "should_numa_migrate_memory @ Linux 6.12",
        "refused": "pages", "they lie on node": "", "node of the last fault": "", "node of the CPU": "";
    NUMA_PAGES_FAILED = "numa_pages_failed", "refuse", "migrate_misplaced_folio @ Linux 6.12",
        "not moved": "pages", "node of the CPU": "", "room there": "pages";
    NUMA_PREFERRED = "numa_preferred_nid", "balance", "task_numa_placement, sched_setnuma @ Linux 6.12",
        "preferred node": "", "faults there": "pages", "all faults": "pages", "numa_scan_period": "ms";
    NUMA_MIGRATE = "task_numa_migrate", "balance", "task_numa_migrate, task_numa_find_cpu @ Linux 6.12",
        "from CPU": "", "preferred node": "", "score": "1/1000";
    NUMA_SWAP = "task_numa_swap", "balance", "task_numa_migrate, task_numa_compare, migrate_swap @ Linux 6.12",
        "from CPU": "", "preferred node": "", "score": "1/1000", "in exchange for thread": "";
    NUMA_NO_PLACE = "task_numa_stays", "refuse", "task_numa_migrate, task_numa_compare @ Linux 6.12",
        "preferred node": "", "load of the own node": "", "load of the preferred node": "", "best score": "1/1000";
    FAILED_NUMA = "migrate_degrades_locality", "refuse", "migrate_degrades_locality @ Linux 6.12",
        "preferred node": "", "its node": "", "node of the CPU": "", "nr_balance_failed": "";
    NUMA_PLACEMENT = "numa_placement", "migrate", "migrate_task_to, migrate_swap @ Linux 6.12";
    BUSIEST_AT_AVERAGE = "busiest_at_average", "balance", "calculate_imbalance @ Linux 6.12",
        "load of the busiest": "", "own load": "", "average": "";
    NO_ROOM = "no_room", "balance", "calculate_imbalance @ Linux 6.12",
        "level": "", "own utilisation": "", "own capacity": "";
    TAKEN_LOAD_SHIFTED = "task_taken_load_shifted", "balance", "detach_tasks, shr_bound (migrate_load) @ Linux 6.12",
        "from CPU": "", "its load": "", "left to move": "", "nr_balance_failed": "";
    TAKEN_UTIL_SHIFTED = "task_taken_util_shifted", "balance", "detach_tasks, shr_bound (migrate_util) @ Linux 6.12",
        "from CPU": "", "its utilisation": "", "left to move": "", "nr_balance_failed": "";
    EVICTED = "set_cpus_allowed", "selectCpu", "set_cpus_allowed_ptr @ Linux 6.12",
        "CPU before": "";
    // New in 6.14 to 6.18; behind the others, so that digests of the other releases stay.
    STILL_PROTECTED = "still_protected", "pickNext", "pick_eevdf, protect_slice @ Linux 6.18",
        "lag": "ns", "deadline from V": "ns", "slice": "ns", "queued": "threads";
    GROUP_STILL_PROTECTED = "group_still_protected", "pickNext", "pick_eevdf, protect_slice @ Linux 6.18",
        "lag": "ns", "deadline from V": "ns", "slice": "ns", "queued": "";
    UNPROTECTED = "unprotected", "sliceEnd", "update_curr @ Linux 6.18",
        "lag": "ns", "left of its request": "ns", "slice": "ns", "queued": "threads";
    GROUP_UNPROTECTED = "group_unprotected", "sliceEnd", "update_curr @ Linux 6.18",
        "lag": "ns", "left of its request": "ns", "slice": "ns", "queued": "";
    SHORT_PICKED = "shorter_slice_picked", "preempt", "check_preempt_wakeup_fair @ Linux 6.18 (PREEMPT_SHORT)",
        "lag": "ns", "deadline from V": "ns", "lag of what runs": "ns", "its deadline from V": "ns";
    WOKEN_BUDDY = "woken_buddy", "preempt", "wakeup_preempt_fair @ Linux 6.18 (NEXT_BUDDY)",
        "lag": "ns", "deadline from V": "ns", "lag of what runs": "ns", "its deadline from V": "ns";
    CURRENT_STILL_PROTECTED = "current_still_protected", "noPreempt", "wakeup_preempt_fair, protect_slice @ Linux 6.18",
        "lag": "ns", "deadline from V": "ns", "lag of what runs": "ns", "its deadline from V": "ns";
    NEW_WAITS = "new_waits", "noPreempt", "wakeup_preempt_fair @ Linux 6.18",
        "lag": "ns", "deadline from V": "ns", "lag of what runs": "ns", "its deadline from V": "ns";
    FAILED_DELAYED = "asleep_in_its_queue", "refuse", "can_migrate_task @ Linux 6.14",
        "from CPU": "";
    FAILED_INELIGIBLE = "not_eligible_on_its_cpu", "refuse", "can_migrate_task @ Linux 6.14",
        "from CPU": "", "lag": "ns";
    // New in 7.2 and 7.3.
    SHORT_FIRST = "shorter_slice_first", "preempt", "wakeup_preempt_fair @ Linux 7.3 (PREEMPT_SHORT)",
        "lag": "ns", "deadline from V": "ns", "lag of what runs": "ns", "its deadline from V": "ns";
    TIMER = "request_timer", "sliceEnd", "hrtick, task_tick_fair @ Linux 7.2 (HRTICK)",
        "lag": "ns", "left of its request": "ns", "slice": "ns", "queued": "threads";
    CACHE_PREFERRED = "cache_preferred", "balance", "task_cache_work @ Linux 7.2, 7.3 (SCHED_CACHE)",
        "first CPU of the cache": "", "CPUs that it had there": "1/1024", "CPUs in the former one": "1/1024", "running": "threads";
    CACHE_TOO_MANY = "too_many_for_a_cache", "refuse", "invalid_llc_nr @ Linux 7.2, 7.3 (SCHED_CACHE)",
        "running in the mean": "threads", "CPUs of the cache": "CPUs", "threads of a core": "";
    CACHE_TOO_LARGE = "too_large_for_a_cache", "refuse", "exceed_llc_capacity @ Linux 7.2, 7.3 (SCHED_CACHE)",
        "pages of the process": "pages", "pages of the cache": "pages";
    CACHE_GATHERS = "group_llc_balance", "balance", "calculate_imbalance (group_llc_balance) @ Linux 7.2, 7.3",
        "level": "", "that prefer this cache": "threads", "own threads": "threads", "threads to move": "threads";
    FAILED_CACHE = "migrate_degrades_llc", "refuse", "migrate_degrades_llc, can_migrate_llc @ Linux 7.2, 7.3",
        "utilisation of the cache that it leaves": "", "of the other, with it": "", "nr_balance_failed": "";
    OTHER_CACHE = "prefers_other_cache", "refuse", "migrate_llc_task_wrong_dst @ Linux 7.3",
        "from CPU": "";
    CACHE_PUSHES = "push_to_its_cache", "balance", "need_active_balance (migrate_llc_task) @ Linux 7.2, 7.3",
        "busiest CPU": "", "level": "";
    CACHE_HOLDS = "alb_break_llc", "refuse", "alb_break_llc @ Linux 7.2, 7.3",
        "busiest CPU": "", "threads there": "threads", "level": "";
    // Control groups.
    OUT_OF_TIME = "cgroup_out_of_time", "sliceEnd", "account_cfs_rq_runtime @ Linux 6.12",
        "control group": "cgroup", "debt": "ns", "pool": "ns";
    THROTTLED = "cgroup_throttled", "requeue", "throttle_cfs_rq @ Linux 6.12",
        "control group": "cgroup", "debt": "ns", "pool": "ns", "throttled queues": "";
    THROTTLED_AT_WAKE = "cgroup_throttled_at_wake", "requeue", "check_enqueue_throttle @ Linux 6.12",
        "control group": "cgroup", "debt": "ns", "pool": "ns", "throttled queues": "";
    REFILLED = "cgroup_refilled", "requeue", "do_sched_cfs_period_timer @ Linux 6.12",
        "control group": "cgroup", "pool": "ns", "throttled queues": "";
    RELEASED = "cgroup_released", "requeue", "unthrottle_cfs_rq @ Linux 6.12",
        "control group": "cgroup", "left to the queue": "ns", "pool": "ns";
    RELEASE_WAITS = "cgroup_released_on_a_busy_cpu", "requeue", "unthrottle_cfs_rq @ Linux 6.12",
        "control group": "cgroup", "left to the queue": "ns", "pool": "ns";
    GAVE_BACK = "cgroup_gave_back", "requeue", "return_cfs_rq_runtime @ Linux 6.12",
        "control group": "cgroup", "given back": "ns", "pool": "ns";
    WAKES_THROTTLED = "cgroup_is_throttled", "noPreempt", "check_preempt_wakeup_fair (throttled_hierarchy) @ Linux 6.12";
    IDLE_GROUP_RUNS = "idle_group_runs", "preempt", "check_preempt_wakeup_fair (cfs_rq_is_idle) @ Linux 6.12",
        "lag": "ns", "deadline from V": "ns", "lag of what runs": "ns", "its deadline from V": "ns";
    FAILED_THROTTLED = "throttled_lb_pair", "refuse", "can_migrate_task (throttled_lb_pair) @ Linux 6.12",
        "from CPU": "";
    // CPUs of different capacities.
    IDLE_FITS = "idle_cpu_that_fits", "selectCpu", "select_idle_capacity @ Linux 6.12",
        "CPU it was meant for": "", "its utilisation": "", "capacity": "";
    IDLE_LARGEST = "largest_idle_cpu", "selectCpu", "select_idle_capacity @ Linux 6.12",
        "CPU it was meant for": "", "its utilisation": "", "capacity": "";
    NO_IDLE_CAPACITY = "no_idle_cpu_of_any_capacity", "selectCpu", "select_idle_sibling @ Linux 6.12",
        "previous CPU": "", "waker's CPU": "", "its utilisation": "";
    LARGER = "larger_cpus", "selectCpu", "sched_balance_find_dst_group (group_misfit_task) @ Linux 6.12",
        "level": "", "own largest capacity": "", "largest capacity there": "";
    NOT_LARGER = "no_larger_cpus", "selectCpu", "sched_balance_find_dst_group (group_misfit_task) @ Linux 6.12",
        "level": "", "own largest capacity": "", "largest capacity there": "";
    NOHZ_MISFIT = "nohz_kick_misfit", "selectCpu", "nohz_balancer_kick, check_misfit_status @ Linux 6.12",
        "kicked by CPU": "", "load of its thread": "", "its capacity": "";
    MOVE_MISFIT = "migrate_misfit", "balance", "calculate_imbalance (group_misfit_task) @ Linux 6.12",
        "level": "", "load of the thread": "", "largest capacity there": "", "largest capacity here": "";
    FITS_THERE = "fits_where_it_is", "refuse", "detach_tasks (migrate_misfit) @ Linux 6.12",
        "from CPU": "", "its utilisation": "", "capacity there": "", "capacity here": "";
    TAKEN_MISFIT = "task_taken_misfit", "balance", "detach_tasks, attach_tasks (migrate_misfit) @ Linux 6.12",
        "from CPU": "", "its utilisation": "", "capacity there": "", "capacity here": "";
    PUSH_MISFIT = "push_misfit", "balance", "need_active_balance (migrate_misfit) @ Linux 6.12",
        "busiest CPU": "", "its utilisation": "", "capacity there": "", "capacity here": "";
    PUSHED_MISFIT = "task_pushed_misfit", "balance", "active_load_balance_cpu_stop @ Linux 6.12",
        "from CPU": "", "its utilisation": "", "capacity there": "", "capacity here": "";
    LENT = "priority_lent", "priority", "rt_mutex_setprio @ Linux",
        "by": "task", "lock": "", "priority": "", "before": "";
    RETURNED = "priority_returned", "priority", "rt_mutex_setprio @ Linux",
        "priority": "", "before": "";
    // Real time has a limit.
    RT_THROTTLED = "rt_throttled", "sliceEnd", "sched_rt_runtime_exceeded @ Linux 6.6",
        "used": "ns", "limit": "ns", "until the period ends": "ns", "period": "ns";
    RT_UNTHROTTLED = "rt_unthrottled", "preempt", "do_sched_rt_period_timer @ Linux 6.6",
        "used beyond the limit": "ns", "limit": "ns";
    RT_STANDS = "rt_stands", "noPreempt", "wakeup_preempt (rt_rq_throttled @ Linux 6.6, __pick_task_dl @ 6.12)",
        "rank": "";
    // The fair server.
    FAIR_SERVER_BEGINS = "fair_server_begins", "preempt", "dl_server_timer @ Linux 6.12",
        "runtime": "ns", "period": "ns";
    FAIR_SERVED = "fair_served", "pickNext", "__pick_task_dl, fair_server_pick_task @ Linux 6.12",
        "left to ordinary threads": "ns";
    FAIR_SERVER_ENDS = "fair_server_ends", "sliceEnd", "update_curr_dl_se @ Linux 6.12",
        "runtime": "ns", "period": "ns";
}

/// No release borrows real time.
pub(super) const RT_BORROWED: Reason = RT_THROTTLED;

/// The word for a decision between groups of applications, for a decision between tasks.
pub(super) fn of_group(reason: Reason) -> Reason {
    match reason {
        PROTECTED => GROUP_PROTECTED,
        STILL_PROTECTED => GROUP_STILL_PROTECTED,
        EARLIEST => GROUP_EARLIEST,
        GOES_ON => GROUP_GOES_ON,
        NO_OTHER => GROUP_NO_OTHER,
        BUDDY => GROUP_BUDDY,
        REQUEST_USED => GROUP_REQUEST_USED,
        AHEAD => GROUP_AHEAD,
        UNPROTECTED => GROUP_UNPROTECTED,
        same => same,
    }
}
