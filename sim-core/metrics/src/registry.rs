//! The measures: one line each. The order is that of the page and of `metrics()`.

use super::{
    Metric, causes, efficiency, fairness, finished, jobs, latency, migrations, utilisation,
};

/// All measures.
pub const METRICS: &[Metric] = &[
    efficiency::THROUGHPUT,
    efficiency::EFFICIENCY,
    efficiency::WORK_LOST,
    causes::SIBLING,
    causes::MEMORY,
    causes::SATURATION,
    causes::WARM_UP,
    causes::LOCK_WAIT,
    causes::SWITCH_COST,
    fairness::JAIN,
    fairness::LEAST_SHARE,
    finished::LAST_EXIT,
    finished::ELAPSED,
    finished::CPU,
    efficiency::ELAPSED_TO_CPU,
    utilisation::CORES,
    utilisation::UTILISATION,
    utilisation::IDLE_WHILE_WAITING,
    utilisation::SWITCH_SHARE,
    migrations::MIGRATIONS,
    migrations::MIGRATION_RATE,
    migrations::DAEMON_MIGRATIONS,
    migrations::SWITCHES,
    migrations::INVOLUNTARY,
    latency::RUN_DELAY_MEAN,
    latency::RUN_DELAY_P99,
    latency::RUN_DELAY_MAX,
    latency::WAKEUP_P50,
    latency::WAKEUP_P99,
    latency::LONGEST_WAIT,
    latency::LONGEST_FIRST_WAIT,
    migrations::PLACEMENTS,
    jobs::WAIT,
    jobs::RESPONSE,
    jobs::IN_SYSTEM,
];
