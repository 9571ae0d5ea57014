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
    // New in 6.1; behind the others, so that digests of the other releases stay.
    LIGHTER = "nice_lowered", "preempt", "prio_changed_fair @ Linux 6.1",
        "nice": "", "nice before": "";
    ACTIVE_BALANCE_PENDING_6_1 = "active_balance_pending_6_1", "refuse", "load_balance @ Linux 6.1",
        "busiest CPU": "", "nr_balance_failed": "", "level": "";
    ACTIVE_BALANCE_PINNED_6_1 = "active_balance_pinned_6_1", "refuse", "load_balance @ Linux 6.1",
        "busiest CPU": "", "nr_balance_failed": "", "level": "";
    AFFINE_LIGHTER = "affine_lighter", "selectCpu", "wake_affine_weight @ Linux 6.1",
        "load of the waker's CPU with it": "", "load of the previous CPU without it": "", "its load": "", "factor": "%";
    AFFINE_PREV_IDLE = "affine_prev_idle", "selectCpu", "wake_affine_idle @ Linux 6.1",
        "waker's CPU": "", "previous CPU": "";
    AFFINE_SYNC = "affine_sync", "selectCpu", "wake_affine_idle, wake_affine_weight @ Linux 6.1",
        "waker's CPU": "", "previous CPU": "", "load of the waker's CPU": "", "load of the waker": "";
    AFFINE_WAKER_IDLE = "affine_waker_idle", "selectCpu", "wake_affine_idle @ Linux 6.1",
        "waker's CPU": "", "previous CPU": "";
    ALL_PINNED_6_1 = "all_pinned_6_1", "refuse", "load_balance @ Linux 6.1",
        "busiest CPU": "", "threads there": "threads", "balance interval": "ms", "level": "";
    AVG_IDLE_SHORT_6_1 = "avg_idle_too_short_6_1", "refuse", "newidle_balance @ Linux 6.1",
        "avg_idle": "ns", "cost": "ns", "level": "";
    BUSIEST_AT_AVERAGE = "busiest_at_average", "balance", "calculate_imbalance @ Linux 6.1",
        "load of the busiest": "", "own load": "", "average": "";
    EVEN_IDLE_CPUS = "even_idle_cpus", "balance", "calculate_imbalance @ Linux 6.1",
        "level": "", "own idle CPUs": "CPUs", "idle CPUs of the busiest": "CPUs", "threads to move": "threads";
    EXEC_IDLEST_6_1 = "exec_idlest_6_1", "selectCpu", "sched_exec, find_idlest_group_cpu @ Linux 6.1",
        "CPU before": "", "idle since": "ns", "load": "";
    EXEC_LOCAL_6_1 = "exec_local_6_1", "selectCpu", "sched_exec, find_idlest_cpu @ Linux 6.1",
        "CPU before": "";
    FALLBACK_6_1 = "select_fallback_rq_6_1", "selectCpu", "select_fallback_rq @ Linux 6.1",
        "CPU that was chosen": "";
    FORK_IDLEST = "fork_idlest", "selectCpu", "find_idlest_group_cpu @ Linux 6.1",
        "CPU of the parent": "", "idle since": "ns", "load": "";
    FORK_LOCAL_6_1 = "fork_local_6_1", "selectCpu", "find_idlest_cpu @ Linux 6.1",
        "CPU of the parent": "";
    GROUP_IMBALANCED = "group_imbalanced", "balance", "calculate_imbalance (group_imbalanced) @ Linux 6.1",
        "level": "", "threads of the busiest": "threads", "own threads": "threads", "threads to move": "threads";
    IDLE_CORE_6_1 = "idle_core_6_1", "selectCpu", "select_idle_core @ Linux 6.1",
        "CPU it was meant for": "", "previous CPU": "", "cores looked at": "cores";
    IDLE_CPU_6_1 = "idle_cpu_6_1", "selectCpu", "select_idle_cpu @ Linux 6.1",
        "CPU it was meant for": "", "previous CPU": "", "looked at": "";
    IDLE_CPUS_EVEN_6_1 = "idle_cpus_even_6_1", "balance", "find_busiest_group @ Linux 6.1",
        "level": "", "own idle CPUs": "CPUs", "idle CPUs of the busiest": "CPUs";
    IDLE_SMT = "idle_smt", "selectCpu", "select_idle_smt @ Linux 6.1",
        "CPU it was meant for": "", "previous CPU": "", "waker's CPU": "";
    KERNEL_THREAD_WAKES = "per_cpu_kthread_wakes", "selectCpu", "select_idle_sibling (is_per_cpu_kthread) @ Linux 6.1",
        "CPU it was meant for": "", "waker's CPU": "";
    LEFT_TO_IDLE_CPUS = "left_to_idle_cpus", "balance", "find_busiest_group @ Linux 6.1",
        "level": "", "type of the busiest": "", "threads of the busiest": "threads", "CPUs of the busiest": "CPUs";
    LESS_LOADED = "less_loaded", "selectCpu", "find_idlest_group @ Linux 6.1",
        "level": "", "load of the own group": "", "load of the idlest": "", "imbalance_pct": "%";
    LOAD_TOO_BIG = "load_too_big_6_1", "refuse", "detach_tasks (migrate_load) @ Linux 6.1",
        "its load": "", "left to move": "", "nr_balance_failed": "";
    LOCAL_BUSIER_TYPE = "local_busier_type", "balance", "find_busiest_group @ Linux 6.1",
        "level": "", "type of the own group": "", "type of the busiest": "";
    MORE_IDLE = "more_idle", "selectCpu", "find_idlest_group @ Linux 6.1",
        "level": "", "own idle CPUs": "CPUs", "idle CPUs of the idlest": "CPUs";
    MOVE_LOAD = "migrate_load", "balance", "calculate_imbalance @ Linux 6.1",
        "load of the busiest": "", "own load": "", "average": "", "imbalance": "";
    MOVE_TASKS = "migrate_task", "balance", "calculate_imbalance @ Linux 6.1",
        "level": "", "threads of the busiest": "threads", "own threads": "threads", "threads to move": "threads";
    MOVE_UTIL = "migrate_util", "balance", "calculate_imbalance @ Linux 6.1",
        "level": "", "own utilisation": "", "own capacity": "", "to move": "";
    NEED_ACTIVE_BALANCE_6_1 = "need_active_balance_6_1", "balance", "need_active_balance @ Linux 6.1",
        "busiest CPU": "", "nr_balance_failed": "", "level": "";
    NEWIDLE_DICE = "newidle_dice", "refuse", "newidle_balance (NI_RANDOM) @ Linux 6.1.160",
        "dice of 1024": "", "newidle_ratio": "", "level": "";
    NO_BUSIEST_GROUP_6_1 = "lb_nobusyg_6_1", "balance", "find_busiest_group @ Linux 6.1",
        "level": "", "own threads": "threads", "own idle CPUs": "CPUs";
    NO_OTHER_GROUP = "no_other_group", "selectCpu", "find_idlest_group @ Linux 6.1",
        "level": "";
    NO_ROOM = "no_room", "balance", "calculate_imbalance @ Linux 6.1",
        "level": "", "own utilisation": "", "own capacity": "";
    NOHZ_KICK_6_1 = "nohz_kick_6_1", "selectCpu", "nohz_balancer_kick, kick_ilb @ Linux 6.1",
        "kicked by CPU": "", "running and waiting": "threads", "idle CPUs": "CPUs", "busy CPUs of its cache": "CPUs";
    NONE_IDLE = "none_idle", "selectCpu", "select_idle_cpu @ Linux 6.1",
        "previous CPU": "", "looked at": "", "nr_idle_scan": "CPUs", "CPUs of the cache": "CPUs";
    NOT_AFFINE_6_1 = "not_affine_6_1", "selectCpu", "wake_affine_weight @ Linux 6.1",
        "load of the waker's CPU with it": "", "load of the previous CPU without it": "", "its load": "", "factor": "%";
    NOT_LESS_LOADED = "not_less_loaded", "selectCpu", "find_idlest_group @ Linux 6.1",
        "level": "", "load of the own group": "", "load of the idlest": "", "imbalance_pct": "%";
    NOT_MORE_IDLE = "not_more_idle", "selectCpu", "find_idlest_group @ Linux 6.1",
        "level": "", "own idle CPUs": "CPUs", "idle CPUs of the idlest": "CPUs";
    NOT_OVERLOADED_6_1 = "not_overloaded_6_1", "refuse", "newidle_balance @ Linux 6.1",
        "avg_idle": "ns", "cost": "ns", "level": "";
    NOTHING_MOVED_6_1 = "lb_failed_6_1", "refuse", "load_balance @ Linux 6.1",
        "busiest CPU": "", "nr_balance_failed": "", "pushes beyond": "", "level": "";
    NOTHING_TO_MOVE = "nothing_to_move", "balance", "calculate_imbalance @ Linux 6.1",
        "level": "", "own or idle": "", "of the busiest": "";
    NUMA_IMBALANCE_ALLOWED = "numa_imbalance_allowed", "balance", "adjust_numa_imbalance @ Linux 6.1",
        "level": "", "imbalance": "", "own threads with one more": "threads", "imb_numa_nr": "threads";
    NUMA_STAYS_6_1 = "numa_stays", "selectCpu", "find_idlest_group, adjust_numa_imbalance @ Linux 6.1",
        "level": "", "difference of idle CPUs": "CPUs", "own threads with it": "threads", "imb_numa_nr": "threads";
    ONE_TASK = "one_task", "balance", "find_busiest_group @ Linux 6.1",
        "level": "", "own threads": "threads", "threads of the busiest": "threads";
    OTHER_TYPE_LOWER = "other_type_lower", "selectCpu", "find_idlest_group @ Linux 6.1",
        "level": "", "type of the own group": "", "type of the idlest": "";
    OWN_GROUP_FORBIDDEN = "own_group_forbidden", "selectCpu", "find_idlest_group @ Linux 6.1",
        "level": "";
    OWN_TYPE_LOWER = "own_type_lower", "selectCpu", "find_idlest_group @ Linux 6.1",
        "level": "", "type of the own group": "", "type of the idlest": "";
    PREV_IDLE_6_1 = "prev_idle_6_1", "selectCpu", "select_idle_sibling @ Linux 6.1",
        "CPU it was meant for": "", "waker's CPU": "";
    PULLED_6_1 = "tasks_pulled_6_1", "balance", "load_balance @ Linux 6.1",
        "from CPU": "", "moved": "threads", "nr_balance_failed": "", "level": "";
    RECENT_IDLE = "recent_idle", "selectCpu", "select_idle_sibling (recent_used_cpu) @ Linux 6.1",
        "CPU it was meant for": "", "previous CPU": "", "waker's CPU": "";
    SCAN_ENDED = "scan_ended", "selectCpu", "select_idle_cpu (SIS_UTIL) @ Linux 6.1",
        "previous CPU": "", "looked at": "CPUs", "nr_idle_scan": "CPUs", "CPUs of the cache": "CPUs";
    SCAN_SKIPPED = "scan_skipped", "selectCpu", "select_idle_cpu (SIS_UTIL) @ Linux 6.1",
        "previous CPU": "", "looked at": "CPUs", "nr_idle_scan": "CPUs", "CPUs of the cache": "CPUs";
    TAKEN_6_1 = "task_taken_6_1", "balance", "detach_tasks, attach_tasks (migrate_task) @ Linux 6.1",
        "from CPU": "", "threads": "", "left to move": "threads", "level": "";
    TAKEN_LOAD = "task_taken_load", "balance", "detach_tasks, attach_tasks (migrate_load) @ Linux 6.1",
        "from CPU": "", "its load": "", "left to move": "", "level": "";
    TAKEN_LOAD_SHIFTED = "task_taken_load_shifted", "balance", "detach_tasks, shr_bound (migrate_load) @ Linux 6.1",
        "from CPU": "", "its load": "", "left to move": "", "nr_balance_failed": "";
    TAKEN_UTIL = "task_taken_util", "balance", "detach_tasks, attach_tasks (migrate_util) @ Linux 6.1",
        "from CPU": "", "its utilisation": "", "left to move": "", "level": "";
    TAKEN_UTIL_SHIFTED = "task_taken_util_shifted", "balance", "detach_tasks, shr_bound (migrate_util) @ Linux 6.1",
        "from CPU": "", "its utilisation": "", "left to move": "", "nr_balance_failed": "";
    TARGET_BUSY = "target_busy", "selectCpu", "select_idle_sibling @ Linux 6.1",
        "previous CPU": "", "waker's CPU": "";
    TARGET_IDLE = "target_idle", "selectCpu", "select_idle_sibling @ Linux 6.1",
        "previous CPU": "", "waker's CPU": "";
    UTIL_TOO_BIG = "util_too_big", "refuse", "detach_tasks (migrate_util) @ Linux 6.1",
        "its utilisation": "", "left to move": "", "nr_balance_failed": "";
    // Control groups.
    OUT_OF_TIME = "cgroup_out_of_time", "sliceEnd", "account_cfs_rq_runtime @ Linux 4.9, 6.1",
        "control group": "cgroup", "debt": "ns", "pool": "ns";
    THROTTLED = "cgroup_throttled", "requeue", "throttle_cfs_rq @ Linux 4.9, 6.1",
        "control group": "cgroup", "debt": "ns", "pool": "ns", "throttled queues": "";
    THROTTLED_AT_WAKE = "cgroup_throttled_at_wake", "requeue", "check_enqueue_throttle @ Linux 4.9, 6.1",
        "control group": "cgroup", "debt": "ns", "pool": "ns", "throttled queues": "";
    REFILLED = "cgroup_refilled", "requeue", "do_sched_cfs_period_timer @ Linux 4.9, 6.1",
        "control group": "cgroup", "pool": "ns", "throttled queues": "";
    RELEASED = "cgroup_released", "requeue", "unthrottle_cfs_rq @ Linux 4.9, 6.1",
        "control group": "cgroup", "left to the queue": "ns", "pool": "ns";
    RELEASE_WAITS = "cgroup_released_on_a_busy_cpu", "requeue", "unthrottle_cfs_rq @ Linux 4.9, 6.1",
        "control group": "cgroup", "left to the queue": "ns", "pool": "ns";
    GAVE_BACK = "cgroup_gave_back", "requeue", "return_cfs_rq_runtime @ Linux 4.9, 6.1",
        "control group": "cgroup", "given back": "ns", "pool": "ns";
    WAKES_THROTTLED = "cgroup_is_throttled", "noPreempt", "check_preempt_wakeup (throttled_hierarchy) @ Linux 4.9, 6.1";
    IDLE_GROUP_RUNS = "idle_group_runs", "preempt", "check_preempt_wakeup (cfs_rq_is_idle) @ Linux 6.1",
        "behind what runs": "ns", "granularity": "ns", "running and waiting": "threads";
    FAILED_THROTTLED = "throttled_lb_pair", "refuse", "can_migrate_task (throttled_lb_pair) @ Linux 4.9, 6.1",
        "from CPU": "";
    // CPUs of different capacities.
    IDLE_FITS = "idle_cpu_that_fits", "selectCpu", "select_idle_capacity @ Linux 6.1",
        "CPU it was meant for": "", "its utilisation": "", "capacity": "";
    IDLE_LARGEST = "largest_idle_cpu", "selectCpu", "select_idle_capacity @ Linux 6.1",
        "CPU it was meant for": "", "its utilisation": "", "capacity": "";
    NO_IDLE_CAPACITY = "no_idle_cpu_of_any_capacity", "selectCpu", "select_idle_sibling @ Linux 6.1",
        "previous CPU": "", "waker's CPU": "", "its utilisation": "";
    LARGER = "larger_cpus", "selectCpu", "find_idlest_group (group_misfit_task) @ Linux 6.1",
        "level": "", "own largest capacity": "", "largest capacity there": "";
    NOT_LARGER = "no_larger_cpus", "selectCpu", "find_idlest_group (group_misfit_task) @ Linux 6.1",
        "level": "", "own largest capacity": "", "largest capacity there": "";
    NOHZ_MISFIT = "nohz_kick_misfit", "selectCpu", "nohz_balancer_kick, check_misfit_status @ Linux 6.1",
        "kicked by CPU": "", "load of its thread": "", "its capacity": "";
    MOVE_MISFIT = "migrate_misfit", "balance", "calculate_imbalance (group_misfit_task) @ Linux 6.1",
        "level": "", "load of the thread": "", "largest capacity there": "", "largest capacity here": "";
    FITS_THERE = "fits_where_it_is", "refuse", "detach_tasks (migrate_misfit) @ Linux 6.1",
        "from CPU": "", "its utilisation": "", "capacity there": "", "capacity here": "";
    TAKEN_MISFIT = "task_taken_misfit", "balance", "detach_tasks, attach_tasks (migrate_misfit) @ Linux 6.1",
        "from CPU": "", "its utilisation": "", "capacity there": "", "capacity here": "";
    PUSH_MISFIT = "push_misfit", "balance", "need_active_balance (migrate_misfit) @ Linux 6.1",
        "busiest CPU": "", "its utilisation": "", "capacity there": "", "capacity here": "";
    PUSHED_MISFIT = "task_pushed_misfit", "balance", "active_load_balance_cpu_stop @ Linux 6.1",
        "from CPU": "", "its utilisation": "", "capacity there": "", "capacity here": "";
    LENT = "priority_lent", "priority", "rt_mutex_setprio @ Linux",
        "by": "task", "lock": "", "priority": "", "before": "";
    RETURNED = "priority_returned", "priority", "rt_mutex_setprio @ Linux",
        "priority": "", "before": "";
    // Real time has a limit.
    RT_THROTTLED = "rt_throttled", "sliceEnd", "sched_rt_runtime_exceeded @ Linux 2.6.34, 4.9, 6.1",
        "used": "ns", "limit": "ns", "until the period ends": "ns", "period": "ns";
    RT_BORROWED = "rt_borrowed", "sliceEnd", "do_balance_runtime (RT_RUNTIME_SHARE) @ Linux 2.6.34, 4.9",
        "borrowed": "ns", "limit": "ns", "used": "ns", "period": "ns";
    RT_UNTHROTTLED = "rt_unthrottled", "preempt", "do_sched_rt_period_timer @ Linux 2.6.34, 4.9, 6.1",
        "used beyond the limit": "ns", "limit": "ns";
    RT_STANDS = "rt_stands", "noPreempt", "check_preempt_curr (rt_rq_throttled) @ Linux 2.6.34, 4.9, 6.1",
        "rank": "";
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

/// The reasons of 6.1 for decisions about CPUs, by the names that the shared machine has for them. Balancing of threads of
/// a core never happens here.
pub(super) mod since_6_1 {
    pub(in super::super) use super::{
        ABOVE_AVERAGE as NOT_BELOW_AVERAGE, ACTIVE_BALANCE,
        ACTIVE_BALANCE_PENDING_6_1 as ACTIVE_BALANCE_PENDING,
        ACTIVE_BALANCE_PINNED_6_1 as ACTIVE_BALANCE_PINNED, AFFINE_LIGHTER, AFFINE_PREV_IDLE,
        AFFINE_SYNC, AFFINE_WAKER_IDLE, ALL_PINNED_6_1 as ALL_PINNED,
        AVG_IDLE_SHORT_6_1 as AVG_IDLE_SHORT, BUSIEST_AT_AVERAGE, EVEN_IDLE_CPUS,
        EXEC_IDLEST_6_1 as EXEC_IDLEST, EXEC_LOCAL_6_1 as EXEC_LOCAL, FAILED_AFFINE, FAILED_HOT,
        FAILED_NUMA, FAILED_RUNNING, FALLBACK_6_1 as FALLBACK, FORCED, FORK_IDLEST,
        FORK_LOCAL_6_1 as FORK_LOCAL, GROUP_IMBALANCED, GROUP_IMBALANCED as SMT_BALANCE,
        IDLE_BALANCE, IDLE_CORE_6_1 as IDLE_CORE, IDLE_CPU_6_1 as IDLE_CPU,
        IDLE_CPUS_EVEN_6_1 as IDLE_CPUS_EVEN, IDLE_SMT, KERNEL_THREAD_WAKES, LEFT_TO_IDLE_CPUS,
        LESS_LOADED, LOAD_TOO_BIG, LOCAL_BUSIER_TYPE, MORE_IDLE, MOVE_LOAD, MOVE_TASKS, MOVE_UTIL,
        NEED_ACTIVE_BALANCE_6_1 as NEED_ACTIVE_BALANCE, NEW_IDLE_BALANCE as NEWIDLE_BALANCE,
        NEW_IDLE_PULLED as NEWIDLE_PULLED, NEWIDLE_DICE, NO_BUSIEST_GROUP_6_1 as NO_BUSIEST_GROUP,
        NO_BUSIEST_QUEUE, NO_OTHER_GROUP, NO_ROOM, NOHZ_KICK_6_1 as NOHZ_KICK, NONE_IDLE,
        NOT_AFFINE_6_1 as NOT_AFFINE, NOT_IN_CHARGE, NOT_LESS_LOADED, NOT_MORE_IDLE,
        NOT_OVERLOADED_6_1 as NOT_OVERLOADED, NOTHING_MOVED_6_1 as NOTHING_MOVED, NOTHING_TO_MOVE,
        NUMA_IMBALANCE_ALLOWED, NUMA_STAYS_6_1 as NUMA_STAYS, ONE_TASK, OTHER_TYPE_LOWER,
        OWN_GROUP_FORBIDDEN, OWN_TYPE_LOWER, PERIODIC_BALANCE, PREV_IDLE_6_1 as PREV_IDLE,
        PULLED_6_1 as PULLED, PUSHED, RECENT_IDLE, SCAN_ENDED, SCAN_SKIPPED, TAKEN_6_1 as TAKEN,
        TAKEN_LOAD, TAKEN_LOAD_SHIFTED, TAKEN_UTIL, TAKEN_UTIL_SHIFTED, TARGET_BUSY, TARGET_IDLE,
        UTIL_TOO_BIG, WAKE_WIDE, WITHIN_IMBALANCE_PCT,
    };
    pub(in super::super) use super::{
        FITS_THERE, IDLE_FITS, IDLE_LARGEST, LARGER, MOVE_MISFIT, NO_IDLE_CAPACITY, NOHZ_MISFIT,
        NOT_LARGER, PUSH_MISFIT, PUSHED_MISFIT, TAKEN_MISFIT,
    };
}
