//! The reasons of the decisions that all these releases make about CPUs. Each scheduler has its own constants, with the
//! same names.

use sim_contract::decision::Reason;

/// Defines the reasons, and a macro that collects the constants of a scheduler. They must be in scope where it is used.
macro_rules! table {
    ($($field:ident $name:ident;)*) => {
        /// A scheduler's reasons.
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct Reasons {
            $(pub(crate) $field: Reason,)*
        }

        macro_rules! machine_reasons {
            () => {
                crate::linux::machine::Reasons { $($field: $name,)* }
            };
        }
        pub(crate) use machine_reasons;
    };
}

table! {
    active_balance ACTIVE_BALANCE;
    active_balance_pending ACTIVE_BALANCE_PENDING;
    active_balance_pinned ACTIVE_BALANCE_PINNED;
    affine_lighter AFFINE_LIGHTER;
    affine_prev_idle AFFINE_PREV_IDLE;
    affine_sync AFFINE_SYNC;
    affine_waker_idle AFFINE_WAKER_IDLE;
    all_pinned ALL_PINNED;
    avg_idle_short AVG_IDLE_SHORT;
    busiest_at_average BUSIEST_AT_AVERAGE;
    even_idle_cpus EVEN_IDLE_CPUS;
    exec_idlest EXEC_IDLEST;
    exec_local EXEC_LOCAL;
    failed_affine FAILED_AFFINE;
    failed_hot FAILED_HOT;
    failed_numa FAILED_NUMA;
    failed_running FAILED_RUNNING;
    fallback FALLBACK;
    fits_there FITS_THERE;
    forced FORCED;
    fork_idlest FORK_IDLEST;
    fork_local FORK_LOCAL;
    group_imbalanced GROUP_IMBALANCED;
    idle_balance IDLE_BALANCE;
    idle_core IDLE_CORE;
    idle_cpu IDLE_CPU;
    idle_cpus_even IDLE_CPUS_EVEN;
    idle_fits IDLE_FITS;
    idle_largest IDLE_LARGEST;
    idle_smt IDLE_SMT;
    kernel_thread_wakes KERNEL_THREAD_WAKES;
    larger LARGER;
    left_to_idle_cpus LEFT_TO_IDLE_CPUS;
    less_loaded LESS_LOADED;
    load_too_big LOAD_TOO_BIG;
    local_busier_type LOCAL_BUSIER_TYPE;
    more_idle MORE_IDLE;
    move_load MOVE_LOAD;
    move_misfit MOVE_MISFIT;
    move_tasks MOVE_TASKS;
    move_util MOVE_UTIL;
    need_active_balance NEED_ACTIVE_BALANCE;
    newidle_balance NEWIDLE_BALANCE;
    newidle_dice NEWIDLE_DICE;
    newidle_pulled NEWIDLE_PULLED;
    no_busiest_group NO_BUSIEST_GROUP;
    no_busiest_queue NO_BUSIEST_QUEUE;
    no_idle_capacity NO_IDLE_CAPACITY;
    no_other_group NO_OTHER_GROUP;
    no_room NO_ROOM;
    nohz_kick NOHZ_KICK;
    nohz_misfit NOHZ_MISFIT;
    none_idle NONE_IDLE;
    not_affine NOT_AFFINE;
    not_below_average NOT_BELOW_AVERAGE;
    not_in_charge NOT_IN_CHARGE;
    not_larger NOT_LARGER;
    not_less_loaded NOT_LESS_LOADED;
    not_more_idle NOT_MORE_IDLE;
    not_overloaded NOT_OVERLOADED;
    nothing_moved NOTHING_MOVED;
    nothing_to_move NOTHING_TO_MOVE;
    numa_imbalance_allowed NUMA_IMBALANCE_ALLOWED;
    numa_stays NUMA_STAYS;
    one_task ONE_TASK;
    other_type_lower OTHER_TYPE_LOWER;
    own_group_forbidden OWN_GROUP_FORBIDDEN;
    own_type_lower OWN_TYPE_LOWER;
    periodic_balance PERIODIC_BALANCE;
    prev_idle PREV_IDLE;
    pulled PULLED;
    push_misfit PUSH_MISFIT;
    pushed PUSHED;
    pushed_misfit PUSHED_MISFIT;
    recent_idle RECENT_IDLE;
    scan_ended SCAN_ENDED;
    scan_skipped SCAN_SKIPPED;
    smt_balance SMT_BALANCE;
    taken TAKEN;
    taken_load TAKEN_LOAD;
    taken_load_shifted TAKEN_LOAD_SHIFTED;
    taken_misfit TAKEN_MISFIT;
    taken_util TAKEN_UTIL;
    taken_util_shifted TAKEN_UTIL_SHIFTED;
    target_busy TARGET_BUSY;
    target_idle TARGET_IDLE;
    util_too_big UTIL_TOO_BIG;
    wake_wide WAKE_WIDE;
    within_imbalance_pct WITHIN_IMBALANCE_PCT;
}
