//! The reasons of 4BSD's decisions, in its own terms.

use sim_contract::decision::reasons;

reasons! {
    /// All idle CPUs are signalled; the CPU named comes first.
    FORWARD_WAKEUP = "forward_wakeup", "selectCpu", "sched_add, forward_wakeup",
        "idle CPUs signalled": "CPUs", "waiting": "threads", "its priority": "";
    /// All idle CPUs have been signalled already.
    ALL_ON_THEIR_WAY = "all_on_their_way", "selectCpu", "sched_add, forward_wakeup",
        "idle CPUs signalled": "CPUs", "waiting": "threads", "its priority": "";
    /// A woken CPU took another thread; another of the woken CPUs finds this one.
    NEXT_OF_THE_WOKEN = "next_of_the_woken", "selectCpu", "sched_idletd",
        "idle CPUs": "CPUs", "waiting": "threads";
    /// No CPU is signalled.
    LEFT_TO_CLOCK = "left_to_clock", "refuse", "forward_wakeup",
        "idle CPUs": "CPUs", "its priority": "";
    /// An idle CPU finds a thread at a clock interrupt.
    FOUND_AT_CLOCK = "found_at_clock", "selectCpu", "sched_idletd, cpu_idle",
        "waiting": "threads";
    /// The CPU of a limited thread.
    PICKCPU = "sched_pickcpu", "selectCpu", "sched_pickcpu",
        "waiting there": "threads", "last CPU": "";
    /// The CPU of a limited thread is idle and signalled.
    KICK_IDLE = "kick_idle_cpu", "selectCpu", "kick_other_cpu",
        "its priority": "";
    /// The CPU of a limited thread is told to reschedule.
    KICK_OTHER = "kick_other_cpu", "preempt", "kick_other_cpu",
        "its priority": "", "priority of what runs": "";
    KICK_NOT_BETTER = "kick_not_better", "noPreempt", "kick_other_cpu",
        "its priority": "", "priority of what runs": "";
    MAYBE_PREEMPT = "maybe_preempt", "preempt", "maybe_preempt",
        "its priority": "", "priority of what runs": "";
    MAYBE_RESCHED = "maybe_resched", "preempt", "maybe_resched",
        "its priority": "", "priority of what runs": "";
    NOT_BETTER = "not_better", "noPreempt", "maybe_preempt, maybe_resched",
        "its priority": "", "priority of what runs": "";
    /// A thread that may use its CPU stays in the queue where it is.
    STAYS_QUEUED = "stays_queued", "refuse", "sched_affinity",
        "its priority": "";
    /// The interrupt thread of the clock waits behind another thread.
    SOFTCLOCK_WAITS = "softclock_waits", "noPreempt", "swi_sched, sched_add",
        "priority of what runs": "", "priority of the woken": "";
    /// The interrupt thread of the clock preempts the running thread.
    SOFTCLOCK = "softclock", "preempt", "swi_sched, sched_add",
        "priority of what runs": "", "priority of the woken": "";
    /// `schedcpu` runs on the boot CPU.
    SCHEDCPU_RUNS = "schedcpu_runs", "preempt", "schedcpu_thread";
    /// The CPU on which the thread runs is forbidden now.
    FORBIDDEN_CPU = "forbidden_cpu", "preempt", "sched_affinity",
        "CPU signalled": "", "until it leaves": "ns";
    GLOBAL_QUEUE = "global_queue", "pickNext", "sched_choose",
        "priority": "", "list": "", "waiting": "threads", "best of its own queue": "";
    OWN_QUEUE = "own_queue", "pickNext", "sched_choose",
        "priority": "", "list": "", "waiting": "threads", "best of the global queue": "";
    RUNQ_FUZZ = "runq_fuzz", "pickNext", "runq_choose_fuzz",
        "priority": "", "list": "", "waiting": "threads", "place in the list": "";
    SAME_AGAIN = "same_again", "pickNext", "sched_choose",
        "priority": "", "list": "", "waiting": "threads";
    QUANTUM_END = "quantum_end", "sliceEnd", "sched_clock",
        "quantum": "ticks", "used": "ticks", "estcpu": "";
    YIELD_TO_TAIL = "yield_to_tail", "sliceEnd", "sched_relinquish",
        "priority": "", "list": "", "waiting": "threads";
    YIELD_TO_HEAD = "yield_to_head", "sliceEnd", "sched_relinquish",
        "priority": "", "list": "", "waiting": "threads";
    BACK_TO_HEAD = "back_to_head", "preempt", "sched_switch",
        "priority": "", "list": "", "slice left": "ticks";
    BACK_TO_TAIL = "back_to_tail", "preempt", "sched_switch",
        "priority": "", "list": "", "slice left": "ticks";
    SLEEP_PRIORITY = "sleep_priority", "priority", "msleep @ 7.3; sched_sleep @ 8.0 and later",
        "new priority": "", "old priority": "", "user priority": "";
    USERRET = "back_to_user_priority", "priority", "userret, sched_userret",
        "new priority": "", "old priority": "", "estcpu": "";
    INTERRUPT_THREAD_RESTORED = "interrupt_thread_restored", "priority", "sched_wakeup",
        "old priority": "", "new priority": "";
    RESETPRIORITY = "resetpriority", "priority", "sched_clock, resetpriority",
        "estcpu": "", "old priority": "", "new priority": "", "nice": "";
    SCHED_NICE = "sched_nice", "priority", "sched_nice, resetpriority",
        "estcpu": "", "old priority": "", "new priority": "", "nice": "";
    DECAYED = "decayed", "priority", "schedcpu, resetpriority",
        "estcpu": "", "old priority": "", "new priority": "", "estcpu before": "";
    UPDATEPRI = "updatepri", "priority", "sched_wakeup, updatepri",
        "estcpu": "", "estcpu before": "", "asleep": "s", "new priority": "";
    RELISTED = "relisted", "priority", "sched_priority",
        "old list": "", "new list": "", "new priority": "";
    SCHEDCPU = "schedcpu", "priority", "schedcpu",
        "load average": "1/2048", "threads": "threads", "priorities changed": "threads", "moved to another list": "threads";
    SCHED_FORK = "sched_fork", "inherit", "sched_fork",
        "its estcpu": "", "estcpu of the parent": "", "priority": "";
    SCHED_EXIT = "sched_exit", "inherit", "sched_exit",
        "its estcpu": "", "estcpu of the parent": "", "before": "";
    INTERRUPT_THREAD_WORSENED = "interrupt_thread_worsened", "priority", "sched_clock",
        "old priority": "", "new priority": "";
    /// Migrations.
    TOOK_FROM_GLOBAL = "took_from_global", "migrate", "sched_choose";
    TOOK_FROM_OWN = "took_from_own", "migrate", "sched_pickcpu, sched_choose";
    /// `schedcpu` has been woken while an interrupt thread runs.
    SCHEDCPU_WAITS = "schedcpu_waits", "noPreempt", "schedcpu_thread, maybe_preempt",
        "priority of what runs": "";
    /// `schedcpu` has been woken in an interrupt; an idle CPU runs it.
    SCHEDCPU_FORWARDED = "schedcpu_forwarded", "selectCpu", "schedcpu_thread, forward_wakeup",
        "idle CPUs": "CPUs", "CPU of its timer": "";
    /// The load is sampled in the interrupt thread of the clock.
    LOADAV_RUNS = "loadav_runs", "preempt", "loadav, swi_sched",
        "priority of what runs": "", "load average": "1/2048";
    /// The CPU on which the thread became runnable is idle.
    IDLE_HERE = "idle_here", "selectCpu", "maybe_preempt, maybe_resched",
        "its priority": "";
    LENT = "priority_lent", "priority", "umtx_propagate_priority, sched_lend_user_prio",
        "by": "task", "lock": "", "priority": "", "before": "";
    RETURNED = "priority_returned", "priority", "do_unlock_pi, sched_lend_user_prio",
        "priority": "", "before": "";
}
