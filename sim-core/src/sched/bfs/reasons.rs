//! Why BFS did what it did, in its own words.

use crate::sched::decision::reasons;

reasons! {
    IDLE_CORE = "idle_core", "selectCpu", "resched_best_idle @ BFS 0.318",
        "rank": "", "idle CPUs allowed": "CPUs", "last CPU": "";
    IDLE_SIBLING = "idle_sibling", "selectCpu", "resched_best_idle @ BFS 0.318",
        "rank": "", "idle CPUs allowed": "CPUs", "last CPU": "";
    ALREADY_SIGNALLED = "already_signalled", "selectCpu", "resched_task @ BFS 0.318",
        "rank": "", "idle CPUs allowed": "CPUs", "last CPU": "";
    LATEST_DEADLINE_VICTIM = "latest_deadline_victim", "preempt", "try_preempt @ BFS 0.318",
        "its deadline": "jiffies", "deadline of the victim": "jiffies", "its prio": "", "prio of the victim": "";
    HIGHER_PRIO = "higher_prio", "preempt", "try_preempt @ BFS 0.318",
        "its deadline": "jiffies", "deadline of the victim": "jiffies", "its prio": "", "prio of the victim": "";
    CHILD_RUNS_FIRST = "child_runs_first", "preempt", "wake_up_new_task @ BFS 0.318";
    DEADLINE_NOT_EARLIER = "deadline_not_earlier", "noPreempt", "try_preempt @ BFS 0.318",
        "its deadline": "jiffies", "latest deadline running": "jiffies", "its prio": "", "worst prio running": "";
    LOWER_PRIO = "lower_prio", "noPreempt", "try_preempt @ BFS 0.318",
        "its deadline": "jiffies", "latest deadline running": "jiffies", "its prio": "", "worst prio running": "";
    SYNC_WAKEUP = "sync_wakeup", "noPreempt", "try_to_wake_up @ BFS 0.318";
    EARLIEST_DEADLINE = "earliest_deadline", "pickNext", "earliest_deadline_task @ BFS 0.318",
        "deadline": "jiffies", "now": "jiffies", "waiting": "threads", "looked at": "threads";
    DEADLINE_PASSED_FIFO = "deadline_passed_fifo", "pickNext", "earliest_deadline_task @ BFS 0.318",
        "deadline": "jiffies", "now": "jiffies", "waiting": "threads", "looked at": "threads";
    REALTIME_QUEUE_FIRST = "realtime_queue_first", "pickNext", "earliest_deadline_task @ BFS 0.318",
        "prio": "", "now": "jiffies", "waiting": "threads", "looked at": "threads";
    ONLY_TASK = "only_task", "pickNext", "earliest_deadline_task @ BFS 0.318",
        "deadline": "jiffies", "now": "jiffies", "waiting": "threads", "looked at": "threads";
    NOTHING_ALLOWED = "nothing_allowed", "pickNext", "earliest_deadline_task @ BFS 0.318",
        "waiting": "threads";
    SLICE_EXPIRED = "slice_expired", "sliceEnd", "time_slice_expired @ BFS 0.318",
        "slice left": "us", "new slice": "us", "new deadline": "jiffies", "now": "jiffies";
    ALONE_ON_CPU = "alone_on_cpu", "sliceEnd", "time_slice_expired @ BFS 0.318",
        "slice left": "us", "new slice": "us", "new deadline": "jiffies", "now": "jiffies";
    YIELDED = "yielded", "sliceEnd", "sys_sched_yield @ BFS 0.318",
        "slice left": "us";
    ISO_REFRACTORY = "iso_refractory", "sliceEnd", "task_running_tick @ BFS 0.318",
        "iso_ticks": "ticks";
    WAKE_PLACEMENT = "wake_placement", "migrate", "try_to_wake_up, resched_best_idle @ BFS 0.318";
    GLOBAL_PICK = "global_pick", "migrate", "earliest_deadline_task @ BFS 0.318";
}
