/** Files of real machines, by their first bytes: what the core reads besides scenarios. */

/** Bytes by which a trace is recognised. */
export const HEAD = 64 * 1024;

/** What such a file is. Binary traces count as traces: their refusal names the command that makes text of them. */
export type RealFile = 'trace' | 'workload' | 'program' | 'run';

const TRACES: readonly RegExp[] = [
  /^PERFILE2/,
  // The first bytes of `trace.dat`.
  /^.{2}Dtracing/s,
  /^# tracer: /m,
  /\bsched_(?:switch|waking|wakeup|stat_runtime|migrate_task): /,
  /\bsched:sched_(?:switch|waking|wakeup)\b/,
  /\bKTRGRAPH\b/,
  /"systemTraceEvents"/,
];

/** A program of rt-app: JSON with comments, and keys that scenarios do not have. */
const isProgram = (head: string): boolean =>
  /^\uFEFF?\s*(?:\{|\/\*|\/\/)/.test(head) &&
  !head.includes('"traceEvents"') &&
  /"(?:tasks|phases|default_policy|resources)"\s*:/.test(head);

/** What a text, or its beginning, is; null if it is something else. */
export function realFile(head: string): RealFile | null {
  if (head.startsWith('timeslice-workload ')) return 'workload';
  if (/^\s*\{\s*"realVersion"\s*:/.test(head)) return 'run';
  if (TRACES.some((known) => known.test(head))) return 'trace';
  return isProgram(head) ? 'program' : null;
}
