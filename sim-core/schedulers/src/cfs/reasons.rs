//! The reasons of CFS's decisions, in the kernel's terms.

use sim_contract::decision::{Reason, reasons};

reasons! {
    PREV_CPU = "prev_cpu", "selectCpu", "select_task_rq_fair @ Linux 2.6.34, 4.9",
        "waker's CPU": "", "previous CPU": "";
    PREV_IDLE = "prev_idle", "selectCpu", "select_idle_sibling @ Linux 2.6.34, 4.9",
        "load of the waker's CPU": "", "load of the previous CPU": "", "its load": "", "factor": "%";
    WAKER_IDLE = "waker_idle", "selectCpu", "select_idle_sibling @ Linux 4.9",
        "load of the waker's CPU": "", "load of the previous CPU": "", "its load": "", "factor": "%";
    IDLE_SIBLING = "idle_sibling", "selectCpu", "select_idle_sibling @ Linux 2.6.34, select_idle_smt @ 4.9",
        "load of the waker's CPU": "", "load of the previous CPU": "", "its load": "", "factor": "%";
    IDLE_CORE = "idle_core", "selectCpu", "select_idle_core @ Linux 4.9",
        "load of the waker's CPU": "", "load of the previous CPU": "", "its load": "", "factor": "%";
    IDLE_CPU = "idle_cpu", "selectCpu", "select_idle_cpu @ Linux 4.9",
        "load of the waker's CPU": "", "load of the previous CPU": "", "its load": "", "factor": "%";
    WAKE_AFFINE = "wake_affine", "selectCpu", "wake_affine @ Linux 2.6.34, 4.9",
        "load of the waker's CPU": "", "load of the previous CPU": "", "its load": "", "factor": "%";
    NOT_AFFINE = "not_affine", "selectCpu", "wake_affine @ Linux 2.6.34, 4.9",
        "load of the waker's CPU": "", "load of the previous CPU": "", "its load": "", "factor": "%";
    WAKE_WIDE = "wake_wide", "selectCpu", "wake_wide @ Linux 4.9",
        "flips of the waker": "", "its flips": "", "CPUs of the cache": "CPUs";
    TARGET = "target", "selectCpu", "select_idle_sibling @ Linux 4.9";
    FALLBACK = "select_fallback_rq", "selectCpu", "select_fallback_rq @ Linux 2.6.34, 4.9";
    FORK_LOCAL = "fork_local", "selectCpu", "find_idlest_group @ Linux 2.6.34, 4.9",
        "load of the own group": "", "load of the idlest": "", "factor": "%";
    IDLEST = "idlest_cpu", "selectCpu", "find_idlest_group, find_idlest_cpu @ Linux 2.6.34, 4.9",
        "load of the own group": "", "load of the idlest": "", "factor": "%";
    EXEC_LOCAL = "exec_local", "selectCpu", "sched_exec, find_idlest_group @ Linux 2.6.34, 4.9",
        "load of the own group": "", "load of the idlest": "", "factor": "%";
    EXEC_IDLEST = "exec_idlest", "selectCpu", "sched_exec, find_idlest_group, find_idlest_cpu @ Linux 2.6.34, 4.9",
        "load of the own group": "", "load of the idlest": "", "factor": "%";
    LOWEST_PRIORITY = "find_lowest_rq", "selectCpu", "find_lowest_rq @ Linux 2.6.34, 4.9",
        "rank of what runs": "";
    NOHZ_OWNER = "nohz_load_balancer", "selectCpu", "select_nohz_load_balancer @ Linux 2.6.34",
        "idle CPUs": "CPUs";
    NOHZ_NOMINATED = "nohz_nominated", "selectCpu", "trigger_load_balance, find_new_ilb @ Linux 2.6.34",
        "nominated by CPU": "", "idle CPUs": "CPUs";
    NOHZ_KICK = "nohz_kick", "selectCpu", "nohz_kick_needed, nohz_balancer_kick @ Linux 4.9",
        "kicked by CPU": "", "running and waiting": "threads", "idle CPUs": "CPUs";
    LEFTMOST = "leftmost", "pickNext", "pick_next_entity @ Linux 2.6.34, 4.9",
        "vruntime ahead of min_vruntime": "ns", "running and waiting": "threads", "slice": "ns";
    NEXT_BUDDY = "next_buddy", "pickNext", "pick_next_entity @ Linux 2.6.34, 4.9",
        "vruntime ahead of min_vruntime": "ns", "running and waiting": "threads", "slice": "ns";
    LAST_BUDDY = "last_buddy", "pickNext", "pick_next_entity @ Linux 2.6.34, 4.9",
        "vruntime ahead of min_vruntime": "ns", "running and waiting": "threads", "slice": "ns";
    SKIP_BUDDY = "skip_buddy", "pickNext", "pick_next_entity @ Linux 4.9",
        "vruntime ahead of min_vruntime": "ns", "running and waiting": "threads", "slice": "ns";
    // The same where the candidates are the groups of applications.
    GROUP_LEFTMOST = "group_leftmost", "pickNext", "pick_next_entity @ Linux 2.6.34, 4.9",
        "vruntime ahead of min_vruntime": "ns", "running and waiting": "", "slice": "ns";
    GROUP_NEXT_BUDDY = "group_next_buddy", "pickNext", "pick_next_entity @ Linux 2.6.34, 4.9",
        "vruntime ahead of min_vruntime": "ns", "running and waiting": "", "slice": "ns";
    GROUP_LAST_BUDDY = "group_last_buddy", "pickNext", "pick_next_entity @ Linux 2.6.34, 4.9",
        "vruntime ahead of min_vruntime": "ns", "running and waiting": "", "slice": "ns";
    GROUP_SKIP_BUDDY = "group_skip_buddy", "pickNext", "pick_next_entity @ Linux 4.9",
        "vruntime ahead of min_vruntime": "ns", "running and waiting": "", "slice": "ns";
    REAL_TIME_FIRST = "real_time_first", "pickNext", "pick_next_task @ Linux 2.6.34, 4.9";
    SLICE_EXPIRED = "slice_expired", "sliceEnd", "check_preempt_tick @ Linux 2.6.34, 4.9",
        "ran": "ns", "slice": "ns", "running and waiting": "threads";
    LEFTMOST_FAR_BEHIND = "leftmost_far_behind", "sliceEnd", "check_preempt_tick @ Linux 2.6.34, 4.9",
        "ahead of the leftmost": "ns", "slice": "ns", "ran": "ns", "running and waiting": "threads";
    TICK_QUIRK = "missed_wakeup_quirk", "sliceEnd", "check_preempt_tick @ Linux 2.6.34",
        "ahead of the leftmost": "ns", "slice": "ns", "ran": "ns", "running and waiting": "threads";
    ROUND_ROBIN = "round_robin", "sliceEnd", "task_tick_rt @ Linux 2.6.34, 4.9",
        "turn": "ticks";
    YIELDED = "yielded", "sliceEnd", "yield_task_fair @ Linux 2.6.34, 4.9",
        "running and waiting": "threads";
    WAKEUP_PREEMPT = "wakeup_preempt", "preempt", "check_preempt_wakeup @ Linux 2.6.34, 4.9",
        "behind what runs": "ns", "granularity": "ns", "running and waiting": "threads";
    IDLE_POLICY_RUNS = "idle_policy_runs", "preempt", "check_preempt_wakeup @ Linux 2.6.34, 4.9",
        "behind what runs": "ns", "granularity": "ns", "running and waiting": "threads";
    REAL_TIME = "real_time", "preempt", "check_preempt_curr @ Linux 2.6.34, 4.9",
        "rank": "", "rank of what runs": "";
    CHILD_RUNS_FIRST = "child_runs_first", "preempt", "task_fork_fair @ Linux 2.6.34, 4.9";
    IDLE_WOKEN = "idle_cpu_woken", "preempt", "check_preempt_curr_idle @ Linux 2.6.34, 4.9";
    REWEIGHED = "reweighed", "priority", "set_user_nice, set_load_weight @ Linux 2.6.34, 4.9",
        "nice": "", "nice before": "", "weight": "", "weight before": "";
    HEAVIER = "nice_improved", "preempt", "set_user_nice @ Linux 2.6.34, 4.9",
        "nice": "", "nice before": "";
    WITHIN_GRANULARITY = "within_granularity", "noPreempt", "wakeup_preempt_entity @ Linux 2.6.34, 4.9",
        "behind what runs": "ns", "granularity": "ns", "running and waiting": "threads";
    NOT_NORMAL = "batch_or_idle_policy", "noPreempt", "check_preempt_wakeup @ Linux 2.6.34, 4.9";
    RESCHED_PENDING = "resched_pending", "noPreempt", "check_preempt_wakeup @ Linux 2.6.34, 4.9";
    WAKEUP_PREEMPTION_OFF = "wakeup_preemption_off", "noPreempt", "check_preempt_wakeup @ Linux 2.6.34, 4.9";
    REAL_TIME_RUNS = "real_time_runs", "noPreempt", "check_preempt_curr @ Linux 2.6.34, 4.9",
        "rank": "", "rank of what runs": "";
    BUSIEST_GROUP = "busiest_group", "balance", "find_busiest_group @ Linux 2.6.34, 4.9",
        "load of the busiest": "", "own load": "", "average": "", "imbalance": "";
    WITHIN_IMBALANCE_PCT = "within_imbalance_pct", "refuse", "find_busiest_group @ Linux 2.6.34, 4.9",
        "load of the busiest": "", "own load": "", "average": "", "imbalance_pct": "%";
    NOT_IN_CHARGE = "not_in_charge", "balance", "update_sg_lb_stats @ Linux 2.6.34; should_we_balance @ 4.9",
        "level": "", "CPU in charge": "";
    NO_BUSIEST_GROUP = "lb_nobusyg", "balance", "find_busiest_group @ Linux 2.6.34, 4.9",
        "level": "", "load of the domain": "", "own load": "";
    ABOVE_AVERAGE = "not_below_average", "balance", "find_busiest_group @ Linux 2.6.34, 4.9",
        "load of the busiest": "", "own load": "", "average": "";
    IDLE_CPUS_EVEN = "idle_cpus_even", "balance", "find_busiest_group @ Linux 4.9",
        "own idle CPUs": "CPUs", "idle CPUs of the busiest": "CPUs";
    NO_BUSIEST_QUEUE = "lb_nobusyq", "refuse", "find_busiest_queue @ Linux 2.6.34, 4.9",
        "level": "", "imbalance": "";
    NOBODY_LOOKED_AT = "nobody_looked_at", "refuse", "balance_tasks @ Linux 2.6.34, detach_tasks @ 4.9",
        "busiest CPU": "", "threads there": "threads", "level": "";
    NOTHING_MOVED = "lb_failed", "refuse", "load_balance @ Linux 2.6.34, 4.9",
        "busiest CPU": "", "nr_balance_failed": "", "pushes beyond": "", "imbalance": "";
    CORE_BUSY = "core_busy", "balance", "load_balance @ Linux 2.6.34",
        "level": "";
    SMALL_IMBALANCE = "fix_small_imbalance", "balance", "fix_small_imbalance @ Linux 2.6.34, 4.9",
        "load of the busiest": "", "own load": "", "average": "", "imbalance_pct": "%";
    FAILED_HOT = "nr_failed_migrations_hot", "refuse", "can_migrate_task, task_hot @ Linux 2.6.34, 4.9",
        "since it ran": "ns", "sched_migration_cost": "ns", "nr_balance_failed": "", "cache_nice_tries": "";
    FAILED_AFFINE = "nr_failed_migrations_affine", "refuse", "can_migrate_task @ Linux 2.6.34, 4.9",
        "from CPU": "";
    FAILED_RUNNING = "nr_failed_migrations_running", "refuse", "can_migrate_task @ Linux 2.6.34, 4.9",
        "from CPU": "";
    TOO_HEAVY = "load_too_big", "refuse", "balance_tasks @ Linux 2.6.34, detach_tasks @ 4.9",
        "its load": "", "left to move": "";
    FORCED = "nr_forced_migrations", "balance", "can_migrate_task @ Linux 2.6.34, 4.9",
        "since it ran": "ns", "sched_migration_cost": "ns", "nr_balance_failed": "", "cache_nice_tries": "";
    NEED_ACTIVE_BALANCE = "need_active_balance", "balance", "need_active_balance @ Linux 2.6.34, 4.9",
        "busiest CPU": "", "nr_balance_failed": "";
    PULLED = "tasks_pulled", "balance", "move_tasks @ Linux 2.6.34, detach_tasks, attach_tasks @ 4.9",
        "from CPU": "", "moved": "threads", "imbalance": "", "nr_balance_failed": "";
    ALL_PINNED = "all_pinned", "refuse", "load_balance @ Linux 2.6.34, 4.9",
        "busiest CPU": "", "threads there": "threads", "balance interval": "ms";
    ACTIVE_BALANCE_PINNED = "active_balance_pinned", "refuse", "load_balance @ Linux 2.6.34, 4.9",
        "busiest CPU": "", "nr_balance_failed": "";
    ACTIVE_BALANCE_PENDING = "active_balance_pending", "refuse", "load_balance @ Linux 2.6.34, 4.9",
        "busiest CPU": "", "nr_balance_failed": "";
    AVG_IDLE_SHORT = "avg_idle_too_short", "refuse", "idle_balance @ Linux 2.6.34, 4.9",
        "avg_idle": "ns", "sched_migration_cost": "ns";
    NOT_OVERLOADED = "not_overloaded", "refuse", "idle_balance @ Linux 4.9",
        "avg_idle": "ns";
    NEW_IDLE_PULLED = "newidle_balance", "balance", "idle_balance @ Linux 2.6.34, 4.9",
        "avg_idle": "ns";
    PERIODIC_BALANCE = "periodic_balance", "migrate", "load_balance @ Linux 2.6.34, 4.9";
    IDLE_BALANCE = "idle_balance", "migrate", "load_balance, nohz_idle_balance @ Linux 2.6.34, 4.9";
    NEW_IDLE_BALANCE = "new_idle_balance", "migrate", "idle_balance @ Linux 2.6.34, 4.9";
    ACTIVE_BALANCE = "active_balance", "migrate", "active_load_balance @ Linux 2.6.34, active_load_balance_cpu_stop @ 4.9";
    WAKE_PLACEMENT = "wake_placement", "migrate", "try_to_wake_up @ Linux 2.6.34, 4.9";
    FORK_PLACEMENT = "fork_placement", "migrate", "wake_up_new_task @ Linux 2.6.34, 4.9";
    EXEC_PLACEMENT = "exec_placement", "migrate", "sched_exec @ Linux 2.6.34, 4.9";
    AFFINITY_CHANGED = "affinity_changed", "migrate", "set_cpus_allowed_ptr @ Linux 2.6.34, 4.9";
    TAKEN = "task_taken", "balance", "pull_task @ Linux 2.6.34; detach_task, attach_task @ 4.9",
        "from CPU": "", "its load": "", "left to move": "", "level": "";
    PUSHED = "task_pushed", "balance", "active_load_balance @ Linux 2.6.34, active_load_balance_cpu_stop @ 4.9",
        "from CPU": "", "nr_balance_failed": "", "level": "";
    NUMA_SCAN = "task_numa_work", "balance", "task_tick_numa, task_numa_work @ Linux 4.9",
        "pages marked": "pages", "numa_scan_period": "ms", "numa_scan_seq": "", "pages of the process": "pages";
    NUMA_PAGES_MOVED = "numa_pages_migrated", "balance", "should_numa_migrate_memory, migrate_misplaced_page @ Linux 4.9",
        "moved": "pages", "faulted on": "pages", "to node": "", "pages of the thread": "pages";
    NUMA_PAGES_REFUSED = "numa_pages_refused", "refuse", "should_numa_migrate_memory @ Linux 4.9",
        "refused": "pages", "they lie on node": "", "node of the last fault": "", "node of the CPU": "";
    NUMA_PAGES_FAILED = "numa_pages_failed", "refuse", "numamigrate_update_ratelimit, migrate_balanced_pgdat @ Linux 4.9",
        "not moved": "pages", "node of the CPU": "", "room there": "pages";
    NUMA_PREFERRED = "numa_preferred_nid", "balance", "task_numa_placement, sched_setnuma @ Linux 4.9",
        "preferred node": "", "faults there": "pages", "all faults": "pages", "numa_scan_period": "ms";
    NUMA_MIGRATE = "task_numa_migrate", "balance", "task_numa_migrate, task_numa_compare @ Linux 4.9",
        "from CPU": "", "preferred node": "", "score": "1/1000";
    NUMA_SWAP = "task_numa_swap", "balance", "task_numa_migrate, task_numa_compare, migrate_swap @ Linux 4.9",
        "from CPU": "", "preferred node": "", "score": "1/1000", "in exchange for thread": "";
    NUMA_STAYS = "task_numa_stays", "refuse", "task_numa_migrate, numa_has_capacity, task_numa_compare @ Linux 4.9",
        "preferred node": "", "load of the own node": "", "load of the preferred node": "", "best score": "1/1000";
    FAILED_NUMA = "migrate_degrades_locality", "refuse", "migrate_degrades_locality @ Linux 4.9",
        "preferred node": "", "its node": "", "node of the CPU": "", "nr_balance_failed": "";
    NUMA_PLACEMENT = "numa_placement", "migrate", "migrate_task_to, migrate_swap @ Linux 4.9";
    IMBALANCE_RAISED = "imbalance_raised", "balance", "fix_small_imbalance @ Linux 2.6.34, 4.9",
        "load of the busiest": "", "own load": "", "average": "", "imbalance": "";
    EVICTED = "set_cpus_allowed", "selectCpu", "set_cpus_allowed_ptr @ Linux 2.6.34, 4.9",
        "CPU before": "";
}

/// The word for a choice between groups of applications, for a choice between tasks.
pub(super) fn of_group(reason: Reason) -> Reason {
    match reason {
        LEFTMOST => GROUP_LEFTMOST,
        NEXT_BUDDY => GROUP_NEXT_BUDDY,
        LAST_BUDDY => GROUP_LAST_BUDDY,
        SKIP_BUDDY => GROUP_SKIP_BUDDY,
        same => same,
    }
}
