/** Texts of kernels' tracers, by their first bytes: what the core reads as a trace. */

/** Bytes by which a trace is recognised. */
export const HEAD = 64 * 1024;

const TRACES: readonly RegExp[] = [
  /^# tracer: /m,
  /\bsched_(?:switch|waking|wakeup|stat_runtime|migrate_task): /,
  /\bsched:sched_(?:switch|waking|wakeup)\b/,
  /\bKTRGRAPH\b/,
  /"systemTraceEvents"/,
];

/** Whether a text, or its beginning, is a trace. */
export const isTrace = (head: string): boolean => TRACES.some((known) => known.test(head));
