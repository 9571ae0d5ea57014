// Generated from the core; do not edit.

/**
 * What can answer a question.
 */
export type Measure = "lastExit" | "share" | "leastShare" | "longestWait" | "throughput" | "switchCost" | "fullestCore" | "clock" | "moves" | "workLost" | "switches";
