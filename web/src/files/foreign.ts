/** Files of other programs: what they are, so that none is opened as something else. */

/** The fields without which something was never meant to be a scenario. */
const OWN = ['machine', 'schedulers', 'groups'];

/** Beginnings and lines of files that are no JSON; each with what they are. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/^PERFILE2/, 'a recording of perf'],
  [/^..Dtracing/, 'a recording of trace-cmd'],
  [/^# tracer: /, 'a trace of ftrace'],
  [/^.{0,200}\bsched_(switch|wakeup|migrate_task): /m, 'a trace of a scheduler'],
  [/^\s*</, 'a page or a picture'],
];

const SAYS_OWN =
  'Timeslice opens scenarios: files that it saved, or JSON with a machine, schedulers and groups.';

const sentence = (what: string) => `This is ${what}. ${SAYS_OWN}`;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Says what a text is that is no JSON; null if it is not known. */
export function foreignText(text: string): string | null {
  const head = text.slice(0, 20_000);
  const found = TEXTS.find(([begins]) => begins.test(head));
  if (found) return sentence(found[1]);
  return head.includes('\0') ? sentence('a binary file') : null;
}

/** Says what a value is that is no scenario; null if it may be one, with mistakes. */
export function foreignValue(value: unknown): string | null {
  if (!isRecord(value) || OWN.some((key) => key in value)) return null;
  if ('traceEvents' in value) return sentence('a trace for chrome://tracing');
  if ('tasks' in value) return sentence('a workload of rt-app');
  return sentence('JSON, but no scenario');
}
