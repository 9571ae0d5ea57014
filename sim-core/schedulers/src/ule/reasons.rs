//! The reasons of ULE's decisions, in its own terms.

use sim_contract::decision::reasons;

reasons! {
    LAST_CPU_IDLE = "pickcpu_idle_affinity", "selectCpu", "sched_pickcpu @ FreeBSD 8.0 and later",
        "priority": "", "load": "threads", "lowpri": "", "last CPU": "";
    LAST_CPU_WARM = "pickcpu_affinity_last", "selectCpu", "sched_pickcpu @ FreeBSD 8.0",
        "priority": "", "load": "threads", "lowpri": "", "last CPU": "";
    GROUP = "pickcpu_affinity", "selectCpu", "sched_pickcpu, sched_lowest @ FreeBSD 8.0 and later",
        "priority": "", "load": "threads", "lowpri": "", "last CPU": "";
    LOWEST = "pickcpu_lowest", "selectCpu", "sched_pickcpu, sched_lowest @ FreeBSD 8.0 and later",
        "priority": "", "load": "threads", "lowpri": "", "last CPU": "";
    LOCAL = "pickcpu_local", "selectCpu", "sched_pickcpu @ FreeBSD 8.0 and later",
        "priority": "", "load": "threads", "lowpri": "", "last CPU": "";
    INTERRUPT = "pickcpu_intrbind", "selectCpu", "sched_pickcpu @ FreeBSD 8.0 and later",
        "priority": "", "load": "threads", "lowpri": "", "last CPU": "";
    /// Its own CPU only.
    PINNED = "pinned", "selectCpu", "sched_pickcpu @ FreeBSD",
        "priority": "", "load": "threads", "lowpri": "", "last CPU": "";
    IDLE_MASK = "idle_mask", "selectCpu", "sched_pickcpu @ FreeBSD CURRENT of October 2007",
        "priority": "", "load": "threads", "lowpri": "", "last CPU": "";
    TRYSELF = "tryself", "selectCpu", "sched_pickcpu @ FreeBSD CURRENT of October 2007",
        "priority": "", "load": "threads", "lowpri": "", "last CPU": "";
    /// Every CPU has something to do.
    PICK_PRI = "pick_pri", "selectCpu", "tdq_lowestpri @ FreeBSD CURRENT of October 2007",
        "priority": "", "load": "threads", "lowpri": "", "last CPU": "";
    LOCAL_RESCHED = "local_resched", "preempt", "sched_setpreempt @ FreeBSD",
        "its priority": "", "priority of what runs": "", "preempt_thresh": "";
    /// Its priority reaches the threshold.
    OWE_PREEMPT = "owe_preempt", "preempt", "sched_setpreempt, sched_shouldpreempt @ FreeBSD",
        "its priority": "", "priority of what runs": "", "preempt_thresh": "";
    REMOTE_IDLE = "remote_idle", "preempt", "tdq_notify @ FreeBSD",
        "its priority": "", "priority of what runs": "", "preempt_thresh": "";
    REMOTE_PREEMPT = "remote_preempt", "preempt", "tdq_notify, sched_shouldpreempt @ FreeBSD",
        "its priority": "", "priority of what runs": "", "preempt_thresh": "";
    NOT_BETTER = "not_better", "noPreempt", "sched_shouldpreempt @ FreeBSD",
        "its priority": "", "priority of what runs": "", "preempt_thresh": "";
    ABOVE_THRESH = "above_thresh", "noPreempt", "sched_shouldpreempt @ FreeBSD",
        "its priority": "", "priority of what runs": "", "preempt_thresh": "";
    ALREADY_PENDING = "ipi_pending", "noPreempt", "tdq_notify @ FreeBSD",
        "its priority": "", "priority of what runs": "", "preempt_thresh": "";
    REALTIME_FIRST = "realtime_queue", "pickNext", "tdq_choose @ FreeBSD",
        "priority": "", "waiting": "threads";
    CALENDAR = "calendar", "pickNext", "tdq_choose, runq_choose_from @ FreeBSD",
        "slot": "", "ridx": "", "idx": "", "waiting": "threads";
    IDLE_CLASS = "idle_class", "pickNext", "tdq_choose @ FreeBSD",
        "priority": "", "waiting": "threads";
    SLICE_END = "slice_end", "sliceEnd", "sched_clock @ FreeBSD",
        "slice": "ticks", "sysload": "threads", "priority": "", "user priority": "";
    YIELDED = "yielded", "sliceEnd", "sched_relinquish @ FreeBSD",
        "priority": "", "slot": "", "idx": "", "ridx": "";
    YIELD_DEMOTED = "yield_demoted", "sliceEnd", "sched_relinquish @ FreeBSD CURRENT of October 2007",
        "priority": "", "slot": "", "idx": "", "ridx": "";
    KEPT = "kept", "noPreempt", "sched_preempt, ast @ FreeBSD",
        "its priority": "", "lowpri": "";
    FORBIDDEN = "forbidden_here", "preempt", "sched_affinity @ FreeBSD",
        "priority of what runs": "";
    QUEUED_PREEMPTED = "requeued_first", "requeue", "sched_switch, tdq_runq_add @ FreeBSD",
        "priority": "", "slot": "", "idx": "", "ridx": "";
    QUEUED = "requeued", "requeue", "sched_switch, tdq_runq_add @ FreeBSD",
        "priority": "", "slot": "", "idx": "", "ridx": "";
    BECAME_INTERACTIVE = "interactive", "priority", "sched_priority @ FreeBSD",
        "score": "", "threshold": "", "priority": "", "before": "";
    BECAME_BATCH = "batch", "priority", "sched_priority @ FreeBSD",
        "score": "", "threshold": "", "priority": "", "before": "";
    STATIC_BOOST = "static_boost", "priority", "sched_sleep @ FreeBSD 8.0 and later",
        "priority": "", "before": "";
    USERRET = "back_to_user_priority", "priority", "sched_userret @ FreeBSD",
        "priority": "", "before": "", "score": "", "threshold": "";
    FORK_HISTORY = "fork_history", "inherit", "sched_fork, sched_interact_fork @ FreeBSD",
        "it ran": "ns", "it slept": "ns", "parent ran": "ns", "parent slept": "ns";
    THREAD_HISTORY = "thread_history", "inherit", "sched_fork_thread @ FreeBSD",
        "it ran": "ns", "it slept": "ns", "score": "";
    FORK_CHARGED = "fork_charged", "inherit", "sched_fork @ FreeBSD",
        "charged": "ns", "it ran": "ns", "it slept": "ns", "score": "";
    EXIT_CHARGED = "exit_charged", "inherit", "sched_exit @ FreeBSD",
        "charged": "ns", "it ran": "ns", "it slept": "ns", "score": "";
    RENICED = "reniced", "priority", "sched_nice, sched_thread_priority @ FreeBSD",
        "nice": "", "priority": "", "before": "";
    IDLE_STEAL = "idle_steal", "steal", "tdq_idled @ FreeBSD",
        "victim": "", "load of the victim": "threads", "threshold": "threads", "transferable": "threads";
    TRYSTEAL = "trysteal", "steal", "tdq_trysteal @ FreeBSD 12 and later",
        "victim": "", "load of the victim": "threads", "threshold": "threads", "transferable": "threads";
    STEAL_FAILED = "steal_failed", "refuse", "tdq_steal @ FreeBSD",
        "victim": "", "load of the victim": "threads", "threshold": "threads", "transferable": "threads";
    NO_VICTIM = "no_victim", "steal", "tdq_idled, sched_highest @ FreeBSD",
        "most loaded": "", "its load": "threads", "threshold": "threads", "transferable": "threads";
    STEAL_OFF = "steal_off", "steal", "tdq_idled @ FreeBSD",
        "most loaded": "", "its load": "threads", "threshold": "threads", "transferable": "threads";
    BALANCE_RUN = "balance_run", "balance", "sched_balance @ FreeBSD",
        "next in": "ticks";
    BALANCE_MOVE = "balance_move", "balance", "sched_balance_pair, tdq_move @ FreeBSD",
        "from": "", "its load": "threads", "load here": "threads";
    BALANCE_NOTHING = "balance_nothing", "refuse", "sched_balance_pair @ FreeBSD",
        "from": "", "its load": "threads", "load here": "threads";
    BALANCE_EVEN = "balance_even", "balance", "sched_balance @ FreeBSD",
        "most loaded": "", "its load": "threads", "transferable": "threads", "least load": "threads";
    BALANCE_LONE = "balance_lone", "balance", "sched_balance_group @ FreeBSD CURRENT 2024",
        "load": "threads";
    PLACED = "placed", "migrate", "sched_add, sched_pickcpu @ FreeBSD";
    STOLEN = "stolen", "migrate", "tdq_idled, tdq_move @ FreeBSD";
    BALANCED = "balanced", "migrate", "sched_balance, tdq_move @ FreeBSD";
    REPICKED = "repicked", "migrate", "sched_switch, sched_pickcpu @ FreeBSD CURRENT 2024";
    MUST_LEAVE = "must_leave", "migrate", "sched_affinity, sched_switch_migrate @ FreeBSD";
    /// Its own CPU, because the machine has no other.
    ONLY_CPU = "only_cpu", "selectCpu", "sched_pickcpu @ FreeBSD",
        "priority": "", "load": "threads", "lowpri": "", "last CPU": "";
    /// A CPU without work, whose core has work.
    PICK_IDLE = "pick_idle", "selectCpu", "tdq_lowestpri @ FreeBSD CURRENT of October 2007",
        "priority": "", "load": "threads", "lowpri": "", "last CPU": "";
    PICK_LOAD = "pick_load", "selectCpu", "tdq_lowestload @ FreeBSD CURRENT of October 2007",
        "priority": "", "load": "threads", "lowpri": "", "last CPU": "";
    /// The CPU where it became runnable is idle.
    LOCAL_IDLE = "local_idle", "preempt", "sched_setpreempt, sched_shouldpreempt @ FreeBSD",
        "its priority": "";
    /// The CPU where it became runnable runs a thread of the idle class.
    OWE_IDLE_CLASS = "owe_idle_class", "preempt", "sched_setpreempt, sched_shouldpreempt @ FreeBSD",
        "its priority": "", "priority of what runs": "";
    /// The caller gives the priority of a sleep.
    SLEEP_PRIORITY = "sleep_priority", "priority", "msleep, sched_prio @ FreeBSD CURRENT of October 2007",
        "priority": "", "before": "";
    LENT = "priority_lent", "priority", "umtx_propagate_priority, sched_lend_user_prio",
        "by": "task", "lock": "", "priority": "", "before": "";
    RETURNED = "priority_returned", "priority", "do_unlock_pi, sched_lend_user_prio",
        "priority": "", "before": "";
}
