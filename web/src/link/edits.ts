/**
 * Edits of a run in words: `e=120.5,setNice,dhry,5;130,spawn,dhry,2`. An edit is a time in ms, its kind, its target
 * (`*` for all), and its values; a copy has the name of a thread as target. Other edits of single threads and edits
 * of affinities have no words: a scenario with such an edit is packed.
 */
import type { Catalog } from '../sim/types/Catalog';
import type { Edit } from '../sim/types/Edit';
import type { Scenario } from '../sim/types/Scenario';
import type { TimedEdit } from '../sim/types/TimedEdit';
import { decoded, encoded } from './fields';
import {
  type Complaints,
  rangeOf,
  readParam,
  readTime,
  readWhole,
  writeParam,
  writeTime,
} from './values';

const EVERYTHING = '*';
/** Longer lists of edits are packed, as nobody would read them. */
const MAX_READABLE = 24;

/** The edits in words, or null if one of them has none. */
export function writeEdits(edits: readonly TimedEdit[]): string | null {
  if (edits.length > MAX_READABLE) return null;
  const parts: string[] = [];
  for (const { atNs, edit, lane } of edits) {
    const words = wordsOf(edit);
    // Edits of a single lane of a fork have no words.
    if (words === null || lane !== undefined) return null;
    parts.push([writeTime(atNs), edit.kind, ...words.map(encoded)].join(','));
  }
  return parts.join(';');
}

function wordsOf(edit: Edit): string[] | null {
  switch (edit.kind) {
    case 'setNice':
      return targetWords(edit.target, edit.nice);
    case 'setSlice':
      return targetWords(edit.target, edit.sliceNs);
    case 'setWorkingSet':
      return targetWords(edit.target, edit.bytes);
    case 'kill':
      return targetWords(edit.target, edit.count);
    case 'pause':
    case 'resume':
      return targetWords(edit.target, undefined);
    case 'spawn':
      return [edit.group, String(edit.count)];
    case 'copy':
      return [edit.thread];
    case 'setTunable': {
      const lane = edit.lane === undefined ? EVERYTHING : String(edit.lane + 1);
      return [lane, edit.id, writeParam(edit.value)];
    }
    case 'pin':
    case 'unpin':
      return null;
  }
}

function targetWords(
  target: { group?: string; thread?: string },
  value: number | undefined,
): string[] | null {
  // A group may be called `*`; its edits are packed, then.
  if (target.thread !== undefined || target.group === EVERYTHING) return null;
  return [target.group ?? EVERYTHING, ...(value === undefined ? [] : [String(value)])];
}

/** Reads edits; wrong ones are left out, with a sentence for each. */
export function readEdits(
  text: string,
  scenario: Scenario,
  catalog: Catalog,
  wrong: Complaints,
): TimedEdit[] {
  const out: TimedEdit[] = [];
  for (const part of text.split(';')) {
    if (part === '') continue;
    const [time = '', kind = '', ...rest] = part.split(',');
    const words = rest.map(decoded);
    const end = rangeOf(catalog, 'end.atNs', 'ns').max;
    const atNs = readTime('e', time, 0, end, wrong);
    if (atNs === undefined) continue;
    const edit = words.includes(null)
      ? undefined
      : readEdit(kind, words as string[], scenario, catalog, wrong);
    if (edit === null || edit === undefined) {
      if (edit === undefined)
        wrong.say(`In the link, the edit “${part.slice(0, 40)}” is left out.`);
      continue;
    }
    out.push({ atNs, edit });
  }
  return out;
}

/** An edit; null if a problem was reported, undefined if it makes no sense. */
function readEdit(
  kind: string,
  [first, second, third, ...more]: readonly string[],
  scenario: Scenario,
  catalog: Catalog,
  wrong: Complaints,
): Edit | null | undefined {
  if (first === undefined || more.length > 0) return undefined;
  const target = first === EVERYTHING ? {} : { group: first };
  const whole = (field: string, unit: string) =>
    second === undefined || third !== undefined
      ? undefined
      : (readWhole(`e ${kind}`, second, rangeOf(catalog, field, unit), wrong) ?? null);
  switch (kind) {
    case 'setNice': {
      const nice = whole('groups.nice', '');
      return nice == null ? nice : { kind, target, nice };
    }
    case 'setSlice': {
      const sliceNs = whole('groups.sliceNs', 'ns');
      return sliceNs == null ? sliceNs : { kind, target, sliceNs };
    }
    case 'setWorkingSet': {
      const bytes = whole('groups.workingSetBytes', 'bytes');
      return bytes == null ? bytes : { kind, target, bytes };
    }
    case 'spawn': {
      const count = whole('groups.count', 'threads');
      return count == null ? count : { kind, group: first, count };
    }
    case 'kill': {
      if (second === undefined) return { kind, target };
      const count = whole('groups.count', 'threads');
      return count == null ? count : { kind, target, count };
    }
    case 'pause':
    case 'resume':
      return second === undefined ? { kind, target } : undefined;
    case 'copy':
      return second === undefined ? { kind, thread: first } : undefined;
    case 'setTunable': {
      if (second === undefined || third === undefined) return undefined;
      const isAll = first === EVERYTHING;
      const lane = isAll ? undefined : Number(first) - 1;
      if (lane !== undefined && !scenario.schedulers[lane]) return undefined;
      const spec = scenario.schedulers
        .filter((_, i) => lane === undefined || i === lane)
        .flatMap((choice) => tunablesOf(choice, catalog))
        .find((p) => p.id === second);
      if (!spec) return undefined;
      const value = readParam(`e ${second}`, encoded(third), spec, wrong);
      if (value === undefined) return null;
      return { kind, ...(lane === undefined ? {} : { lane }), id: second, value };
    }
    default:
      return undefined;
  }
}

/** Tunables of a scheduler in its era. */
export function tunablesOf(choice: { id: string; era?: string }, catalog: Catalog) {
  const entry = catalog.schedulers.find((s) => s.id === choice.id);
  const era = choice.era ?? entry?.eras[0]?.id;
  return entry?.eras.find((e) => e.id === era)?.tunables ?? [];
}
