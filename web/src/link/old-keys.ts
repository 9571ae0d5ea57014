/**
 * Keys of older links, as properties. They are read for ever, and by hand they are short; `corpus.json` has examples.
 *
 *     m          machine                     s          schedulers, `id` or `id:era`, by comma
 *     k, k2, …   threads of group 1, 2, …    l2.hz      tunable of lane 2
 *     nice       nice of all groups          g2.…       parameter of the behaviour of group 2
 *     nice2, …   nice of group 2, …          end        end of the run in ms
 *     ws, ws2, … working sets in bytes       seed       seed
 *     e          edits: time in ms, kind, target (`*` for all) and values: `e=120.5,setNice,dhry,5;130,spawn,dhry,2`
 */
import { pathOf } from '../sim/property/path';
import type { Catalog } from '../sim/types/Catalog';
import type { TimedEdit } from '../sim/types/TimedEdit';
import type { Scenario } from '../sim/types/Scenario';
import { decoded, type Fields, textOf } from './fields';
import { type Complaints, rangeOf, readTime, readWhole } from './values';

/** The first group is the word, the second is the number or the lane. */
const KEY = /^(?:(m|s|seed|end|e|nice)|(k|nice|ws)(\d{0,2})|([lg])(\d{1,2})\.([A-Za-z]\w{0,40}))$/;

/** What a part of a link sets. */
export interface Part {
  /** Its name in sentences. */
  readonly key: string;
  readonly path: string;
  readonly text: string;
}

/** Whether a key is one of these. */
export function isOldKey(key: string): boolean {
  return KEY.test(key);
}

const FIELDS = new Map([
  ['k', 'count'],
  ['nice', 'nice'],
  ['ws', 'workingSetBytes'],
]);

/** What older keys set, in an order in which schedulers come before their tunables and edits come last. */
export function partsOf(fields: Fields, base: Scenario, wrong: Complaints): Part[] {
  const parts: Part[] = [];
  const add = (key: string, path: string | null, text: string) => {
    if (path !== null) parts.push({ key, path, text });
  };
  const groupOf = (key: string, number: string): string | null => {
    const group = base.groups[Number(number || 1) - 1];
    return group ? pathOf(['groups', group.name]) : beyond(key, 'group', base.groups.length, wrong);
  };
  let lanes = base.schedulers.length;
  const schedulers = fields.get('s');
  if (schedulers !== undefined) {
    const choices = schedulersOf(schedulers, base);
    lanes = choices.length;
    add('s', 'lanes', JSON.stringify(choices));
  }
  for (const [key, given] of fields) {
    const [, alone, word, number = '', part, place = '', id = ''] = KEY.exec(key) ?? [];
    const isOne = KEY.test(key) && key !== 's' && key !== 'e';
    const text = isOne ? textOf(key, given, wrong) : null;
    if (text === null) continue;
    if (alone === 'm') add(key, 'machine', text);
    else if (alone === 'seed') add(key, 'seed', text);
    else if (alone === 'end')
      add(
        key,
        /^-?[\d.]+$/.test(text) ? 'end.atNs' : 'end',
        /^-?[\d.]+$/.test(text) ? `${text}ms` : text,
      );
    else if (alone === 'nice') add(key, 'groups.*.nice', text);
    else if (word !== undefined) {
      const group = groupOf(key, number);
      add(key, group && `${group}.${FIELDS.get(word) ?? ''}`, text);
    } else if (part === 'l') {
      const isThere = Number(place) >= 1 && Number(place) <= lanes;
      add(key, isThere ? `lanes.${place}.${id}` : beyond(key, 'lane', lanes, wrong), text);
    } else if (part === 'g') {
      const group = groupOf(key, place);
      add(key, group && `${group}.behaviour.${id}`, text);
    }
  }
  return parts;
}

function beyond(key: string, what: string, count: number, wrong: Complaints): null {
  wrong.say(
    `In the link, ${key} names a ${what} beyond the last, ${String(count)}. It is left out.`,
  );
  return null;
}

/** Lanes in full. A scheduler that the base has in the same place keeps its tunables. */
function schedulersOf(text: string, base: Scenario): object[] {
  return text.split(/,|%2C/i).map((part, i) => {
    const [id = '', era] = part.split(/:|%3A/i);
    const known = base.schedulers[i];
    const isKnown = known?.id === id && known.era === era;
    return isKnown ? known : { id, ...(era === undefined ? {} : { era }), tunables: {} };
  });
}

/** The path of what an older link to a sweep varies: `count.0`, `param.0.workMs` or `tunable.ule.slice`. */
export function axisOf(over: string, { groups }: Scenario): string {
  const [, word = '', at, param] =
    /^(count|nice|ws|param)\.(\d{1,2})(?:\.(\w+))?$/.exec(over) ?? [];
  const name = groups[Number(at)]?.name;
  if (name !== undefined)
    return pathOf([
      'groups',
      name,
      ...(param ? ['behaviour', param] : [FIELDS.get(word === 'count' ? 'k' : word) ?? '']),
    ]);
  return over.replace(/^tunable\./, 'lanes.');
}

/** The properties that edits write, by the kind of the edit. */
const WRITES = new Map([
  ['setNice', 'nice'],
  ['setSlice', 'sliceNs'],
  ['setWorkingSet', 'workingSetBytes'],
]);

/** An edit as the key `e` has it. */
export type OldEdit = Part | TimedEdit;

/** The edits of the key `e`; what makes no sense is left out, with a sentence. */
export function editsOf(text: string, catalog: Catalog, wrong: Complaints): OldEdit[] {
  return text.split(';').flatMap((part) => {
    if (part === '') return [];
    const [time = '', kind = '', ...rest] = part.split(',');
    const end = rangeOf(catalog, 'end.atNs', 'ns').max;
    const atNs = readTime('e', time, 0, end, wrong);
    if (atNs === undefined) return [];
    const words = rest.map(decoded);
    const read = words.includes(null)
      ? null
      : readEdit(kind, words as string[], atNs, catalog, wrong);
    if (read === null) wrong.say(`In the link, the edit “${part.slice(0, 40)}” is left out.`);
    return read ?? [];
  });
}

/** An edit; null if it makes no sense, undefined if that was said. */
function readEdit(
  kind: string,
  [first, second, third, ...more]: readonly string[],
  atNs: number,
  catalog: Catalog,
  wrong: Complaints,
): OldEdit | null | undefined {
  if (first === undefined || more.length > 0) return null;
  const key = `e ${kind}`;
  const at = `@${String(atNs)}`;
  const property = WRITES.get(kind);
  if (kind === 'setTunable') {
    if (second === undefined || third === undefined) return null;
    return { key: `e ${second}`, path: pathOf(['lanes', first, second]), text: third + at };
  }
  if (third !== undefined) return null;
  if (property !== undefined && second !== undefined)
    return { key, path: pathOf(['groups', first, property]), text: second + at };
  if ((kind === 'pause' || kind === 'resume') && second === undefined) {
    const isPaused = String(kind === 'pause');
    return { key, path: pathOf(['groups', first, 'paused']), text: isPaused + at };
  }
  if (kind === 'copy' && second === undefined) return { atNs, copy: first };
  const path = pathOf(['groups', first, 'count']);
  if (kind === 'kill' && second === undefined)
    return first === '*'
      ? { key, path: 'threads.*', text: `null${at}` }
      : { key, path, text: `0${at}` };
  if ((kind !== 'spawn' && kind !== 'kill') || second === undefined) return null;
  const count = readWhole(key, second, rangeOf(catalog, 'groups.count', 'threads'), wrong);
  if (count === undefined) return undefined;
  return { key, path, text: `${kind === 'spawn' ? '+' : '-'}${String(count)}${at}` };
}
