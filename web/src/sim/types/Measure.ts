// Generated from the core; do not edit.

/**
 * The measures that can answer a question.
 */
export type Measure = "lastExit" | "share" | "leastShare" | "longestWait" | "throughput" | "switchCost" | "fullestCore" | "clock" | "moves" | "workLost" | "switches" | "idleWhileWaiting" | "missedDeadlines";
