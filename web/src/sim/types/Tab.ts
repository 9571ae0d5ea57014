// Generated from the core; do not edit.

/**
 * Tabs of the timeline.
 */
export type Tab = "runs" | "shares" | "queues" | "priorities" | "waiting" | "values" | "speed" | "events";
