//! The reasons of BFS's decisions, in its own terms. Deadlines are given as times, in whatever unit the release counts
//! them.

use sim_contract::decision::reasons;

reasons! {
    IDLE_CORE = "idle_core", "selectCpu", "resched_best_idle @ BFS 0.318; resched_best_mask @ 0.447; best_mask_cpu @ 0.512",
        "rank": "", "idle CPUs allowed": "CPUs", "last CPU": "";
    IDLE_SIBLING = "idle_sibling", "selectCpu", "resched_best_idle @ BFS 0.318; resched_best_mask @ 0.447; best_mask_cpu @ 0.512",
        "rank": "", "idle CPUs allowed": "CPUs", "last CPU": "";
    LAST_CPU_IDLE = "last_cpu_idle", "selectCpu", "resched_best_mask @ BFS 0.447; best_mask_cpu @ 0.512",
        "rank": "", "idle CPUs allowed": "CPUs", "last CPU": "";
    ALREADY_SIGNALLED = "already_signalled", "selectCpu", "resched_task @ BFS 0.318",
        "rank": "", "idle CPUs allowed": "CPUs", "last CPU": "";
    DISPLACED = "displaced_task_told", "selectCpu", "schedule, resched_suitable_idle @ BFS 0.447, 0.512",
        "rank": "", "idle CPUs allowed": "CPUs", "last CPU": "";
    UNSTUCK = "unstuck_task_told", "selectCpu", "swap_sticky, resched_closest_idle @ BFS 0.447",
        "rank": "", "idle CPUs allowed": "CPUs", "stuck to CPU": "";
    SMT_NICE_REFUSED = "smt_nice_refused", "noPreempt", "resched_best_idle, smt_should_schedule @ BFS 0.512",
        "its bias": "", "bias of the sibling": "";
    LATEST_DEADLINE_VICTIM = "latest_deadline_victim", "preempt", "try_preempt @ BFS 0.318, 0.447",
        "its deadline": "atNs", "deadline of the victim": "atNs", "its prio": "", "prio of the victim": "";
    CLOSEST_VICTIM = "closest_victim", "preempt", "try_preempt, can_preempt @ BFS 0.512",
        "its deadline": "atNs", "deadline of the victim": "atNs", "its prio": "", "prio of the victim": "";
    HIGHER_PRIO = "higher_prio", "preempt", "try_preempt @ BFS 0.318",
        "its deadline": "atNs", "deadline of the victim": "atNs", "its prio": "", "prio of the victim": "";
    CHILD_RUNS_FIRST = "child_runs_first", "preempt", "wake_up_new_task @ BFS 0.318";
    PARENT_SPENT = "parent_spent", "preempt", "wake_up_new_task @ BFS 0.447, 0.512",
        "slice of the child": "ns";
    FORBIDDEN = "forbidden_here", "preempt", "set_cpus_allowed_ptr @ BFS 0.318";
    DEADLINE_NOT_EARLIER = "deadline_not_earlier", "noPreempt", "try_preempt @ BFS 0.318",
        "its deadline": "atNs", "latest deadline running": "atNs", "its prio": "", "worst prio running": "";
    NOBODY_LATER = "nobody_later", "noPreempt", "try_preempt, can_preempt @ BFS 0.512",
        "its deadline": "atNs", "deadline on the closest CPU": "atNs", "its prio": "", "prio there": "";
    LOWER_PRIO = "lower_prio", "noPreempt", "try_preempt @ BFS 0.318",
        "its deadline": "atNs", "latest deadline running": "atNs", "its prio": "", "worst prio running": "";
    IDLEPRIO_PREEMPTS_NOBODY = "idleprio_preempts_nobody", "noPreempt", "try_preempt @ BFS 0.447, 0.512";
    SYNC_WAKEUP = "sync_wakeup", "noPreempt", "try_to_wake_up @ BFS 0.318";
    EARLIEST_DEADLINE = "earliest_deadline", "pickNext", "earliest_deadline_task @ BFS 0.318",
        "deadline": "atNs", "now": "atNs", "waiting": "threads", "looked at": "threads";
    EARLIEST_NOT_STICKY = "earliest_not_sticky", "pickNext", "earliest_deadline_task @ BFS 0.447",
        "deadline": "atNs", "now": "atNs", "waiting": "threads", "looked at": "threads";
    EARLIEST_BESIDE_SIBLING = "earliest_beside_sibling", "pickNext", "earliest_deadline_task, smt_should_schedule @ BFS 0.512",
        "deadline": "atNs", "now": "atNs", "waiting": "threads", "looked at": "threads";
    DEADLINE_PASSED_FIFO = "deadline_passed_fifo", "pickNext", "earliest_deadline_task @ BFS 0.318",
        "deadline": "atNs", "now": "atNs", "waiting": "threads", "looked at": "threads";
    REALTIME_QUEUE_FIRST = "realtime_queue_first", "pickNext", "earliest_deadline_task @ BFS 0.318",
        "prio": "", "now": "atNs", "waiting": "threads", "looked at": "threads";
    ONLY_TASK = "only_task", "pickNext", "earliest_deadline_task @ BFS 0.318",
        "deadline": "atNs", "now": "atNs", "waiting": "threads", "looked at": "threads";
    NOTHING_ALLOWED = "nothing_allowed", "pickNext", "earliest_deadline_task @ BFS 0.318",
        "waiting": "threads";
    STICKY_ELSEWHERE = "sticky_elsewhere", "pickNext", "earliest_deadline_task, scaling_rq @ BFS 0.447",
        "waiting": "threads";
    SMT_NICE_IDLE = "smt_nice_idle", "pickNext", "earliest_deadline_task, smt_should_schedule @ BFS 0.512",
        "waiting": "threads", "bias of the sibling": "";
    SLICE_EXPIRED = "slice_expired", "sliceEnd", "time_slice_expired @ BFS 0.318",
        "slice left": "ns", "new slice": "ns", "new deadline": "atNs", "now": "atNs";
    ALONE_ON_CPU = "alone_on_cpu", "sliceEnd", "time_slice_expired @ BFS 0.318",
        "slice left": "ns", "new slice": "ns", "new deadline": "atNs", "now": "atNs";
    BATCH_REFILLED = "batch_refilled", "sliceEnd", "check_deadline @ BFS 0.447, 0.512",
        "slice left": "ns", "new slice": "ns", "new deadline": "atNs", "now": "atNs";
    DITHERED = "dithered", "sliceEnd", "task_running_tick @ BFS 0.447, 0.512",
        "slice left": "ns", "half a tick": "ns";
    YIELDED = "yielded", "sliceEnd", "sys_sched_yield @ BFS 0.318",
        "slice left": "ns";
    ISO_REFRACTORY = "iso_refractory", "sliceEnd", "task_running_tick @ BFS 0.318",
        "iso_ticks": "ticks";
    ISO_ALLOWED = "iso_allowed", "priority", "task_running_tick @ BFS 0.318",
        "iso_ticks": "ticks";
    ADJUSTED = "adjust_deadline", "priority", "set_user_nice, adjust_deadline @ BFS 0.318",
        "nice": "", "nice before": "", "deadline": "atNs", "deadline before": "atNs";
    ADJUSTED_IN_VAIN = "adjusted_in_vain", "priority", "set_user_nice, adjust_deadline, schedule @ BFS 0.318",
        "nice": "", "nice before": "", "deadline": "atNs", "deadline before": "atNs";
    SLICE_SHARED = "slice_shared", "inherit", "sched_fork @ BFS 0.318; wake_up_new_task @ 0.447, 0.512",
        "slice of the child": "ns", "slice of the parent": "ns", "its deadline": "atNs";
    SLICE_RETURNED = "slice_returned", "inherit", "sched_exit @ BFS 0.318",
        "returned": "ns", "slice of the parent": "ns";
    WAKE_PLACEMENT = "wake_placement", "migrate", "try_to_wake_up, resched_best_idle @ BFS 0.318";
    GLOBAL_PICK = "global_pick", "migrate", "earliest_deadline_task @ BFS 0.318";
    /// The CPU is idle; SMT nice kept the task off one that ranks better.
    CLOSEST_IDLE = "closest_idle", "selectCpu", "try_preempt, can_preempt @ BFS 0.512",
        "last CPU": "";
    /// The task that left the CPU blocks or ends.
    BLOCKED_TOLD = "blocked_task_told", "selectCpu", "schedule, resched_suitable_idle @ BFS 0.447",
        "rank": "", "idle CPUs allowed": "CPUs", "last CPU": "";
    /// The idle CPU that was found for the task that left is the one that it left.
    OWN_CPU_FOUND = "own_cpu_found", "selectCpu", "schedule, resched_suitable_idle @ BFS 0.447, 0.512",
        "rank": "", "idle CPUs allowed": "CPUs", "last CPU": "";
    LENT = "priority_lent", "priority", "rt_mutex_setprio @ BFS 0.318, 0.447, 0.512",
        "by": "task", "lock": "", "priority": "", "before": "";
    RETURNED = "priority_returned", "priority", "rt_mutex_setprio @ BFS 0.318, 0.447, 0.512",
        "priority": "", "before": "";
}
