/** An edit in words. */
import { bytes, exactDuration, nice, withUnit } from '../lib/format';
import { US } from '../lib/units';
import type { TimedEdit } from '../sim/types/TimedEdit';
import { ALL, type Edit, settingOf } from '../sim/property/edit';
import { writeCpus } from '../sim/property/value';

/** Where an edit sets a value, whatever it was before; null for a relative number or one more thread. */
function placeOf(timed: TimedEdit): string | null {
  const setting = settingOf(timed);
  const isRelative = typeof setting?.value === 'string' && /^[+-]/.test(setting.value);
  return setting && !isRelative
    ? `${String(timed.atNs)} ${String(timed.lane)} ${setting.path}`
    : null;
}

/** The edits that somebody has to be told: of several values of one thing at one instant, the last. */
export function worthTelling(edits: readonly TimedEdit[]): readonly TimedEdit[] {
  const last = new Map(edits.map((edit, i) => [placeOf(edit), i]));
  return edits.filter((edit, i) => {
    const place = placeOf(edit);
    return place === null || last.get(place) === i;
  });
}

/** What is set of a control group, in words. */
function sayLimit(group: string, field: string, value: unknown): string {
  const time = exactDuration(Number(value) * US);
  switch (field) {
    case 'quotaUs':
      return value === null ? `no limit for ${group}` : `limit of ${group} to ${time} a period`;
    case 'periodUs':
      return `period of ${group} to ${time}`;
    case 'burstUs':
      return `burst of ${group} to ${time}`;
    default:
      return `weight of ${group} to ${String(value)}`;
  }
}

/** An edit in words, for marks and lists. */
export function sayEdit(edit: Edit): string {
  const setting = settingOf(edit);
  if (!setting) return `one more like ${edit.copy ?? ''}`;
  const { what, which, field, value } = setting;
  if (what === 'lanes' && field === 'program')
    return which === ALL ? 'another program in all lanes' : `another program in lane ${which}`;
  if (what === 'cgroups') return sayLimit(which, field, value);
  // @wc-context: a change
  if (what === 'lanes') return `${field} to ${String(value)}`;
  const who = which === ALL ? 'all threads' : which;
  const number = Number(value);
  switch (field) {
    case 'nice':
      return `nice of ${who} to ${nice(number)}`;
    case 'sliceNs':
      return number === 0
        ? `no slice of their own for ${who}`
        : `slice of ${who} to ${exactDuration(number)}`;
    case 'workingSetBytes':
      return `working set of ${who} to ${bytes(number)}`;
    case 'allowed':
      return value === null
        ? `${who} unpinned`
        : `${who} pinned to cpu ${writeCpus(value as number[])}`;
    case 'paused':
      return value === true ? `${who} stopped` : `${who} let go on`;
    case 'count':
      if (value === 0) return `all of ${who} ended`;
      if (typeof value !== 'string') return `${withUnit(number, 'threads')} of ${who}`;
      return value.startsWith('+')
        ? `${value.slice(1)} more of ${who}`
        : `${value.slice(1)} of ${who} ended`;
    default:
      return which === ALL ? `all of ${who} ended` : `${who} ended`;
  }
}
