/**
 * What differs from a shipped scenario, in short keys that people can read and change:
 *
 *     m          machine                     s          schedulers, `id` or `id:era`, by comma
 *     k, k2, …   threads of group 1, 2, …    l2.hz      tunable of lane 2
 *     nice       nice of all groups          g2.…       parameter of the behaviour of group 2
 *     nice2, …   nice of group 2, …          end        end of the run in ms
 *     ws, ws2, … working sets in bytes       e          edits during the run, see edits.ts
 *     seed       seed
 */
import { withFittingGuide } from '../sim/guide';
import { sameJson } from '../lib/json';
import type { Catalog } from '../sim/types/Catalog';
import type { ParamSpec } from '../sim/types/ParamSpec';
import type { ParamValue } from '../sim/types/ParamValue';
import type { Scenario } from '../sim/types/Scenario';
import type { SchedulerChoice } from '../sim/types/SchedulerChoice';
import type { ThreadGroup } from '../sim/types/ThreadGroup';
import { readEdits, tunablesOf, writeEdits } from './edits';
import { encoded, type Fields } from './fields';
import * as values from './values';

const MAX_LANES = 4;

/** Keys of this file; the first group is the word, the second is the number or the lane. */
const KEY = /^(?:(m|s|seed|end|e|nice)|(k|nice|ws)(\d{0,2})|([lg])(\d{1,2})\.([A-Za-z]\w{0,40}))$/;

/** Whether a key belongs to the scenario. */
export function isDifference(key: string): boolean {
  return KEY.test(key);
}

function writeScheduler({ id, era }: SchedulerChoice): string {
  return era === undefined ? encoded(id) : `${encoded(id)}:${encoded(era)}`;
}

/** `k` for the first group, `k2` for the second. */
const numbered = (key: string, i: number) => (i === 0 ? key : `${key}${String(i + 1)}`);

/** The differences, or null where these keys cannot say them. */
export function writeDifferences(
  scenario: Scenario,
  base: Scenario,
  catalog: Catalog,
): Map<string, string> | null {
  const out = new Map<string, string>();
  if (!sameJson(scenario.machine, base.machine)) {
    if (typeof scenario.machine !== 'string') return null;
    out.set('m', encoded(scenario.machine));
  }
  const choices = scenario.schedulers.map(writeScheduler);
  if (choices.join() !== base.schedulers.map(writeScheduler).join())
    out.set('s', choices.join(','));
  scenario.schedulers.forEach((choice, i) => {
    const was = basisOf(choice, base, i).tunables;
    writeParams(out, `l${String(i + 1)}`, choice.tunables, was);
  });
  writeGroups(out, scenario, base);
  if (scenario.seed !== base.seed) out.set('seed', String(scenario.seed));
  if (scenario.end.atNs !== base.end.atNs) out.set('end', values.writeTime(scenario.end.atNs));
  if (!sameJson(scenario.edits, base.edits)) {
    const edits = writeEdits(scenario.edits);
    if (edits === null) return null;
    out.set('e', edits);
  }
  // Reading them back is the proof: a difference that these keys cannot say shows up here.
  const read = applyDifferences(base, out, catalog, new values.Complaints());
  return sameJson(read, scenario) ? out : null;
}

/** The nice value of a group of the base; 0 where the base has no such group. */
const niceOf = (group: ThreadGroup | undefined) => group?.nice ?? 0;

function writeGroups(out: Map<string, string>, scenario: Scenario, base: Scenario): void {
  const first = scenario.groups[0]?.nice;
  const changed = scenario.groups.some((g, i) => g.nice !== niceOf(base.groups[i]));
  const isSame = scenario.groups.every((g) => g.nice === first);
  if (changed && isSame) out.set('nice', String(first));
  scenario.groups.forEach((g, i) => {
    const was = base.groups[i];
    if (g.count !== was?.count) out.set(numbered('k', i), String(g.count));
    if (changed && !isSame && g.nice !== niceOf(was))
      out.set(`nice${String(i + 1)}`, String(g.nice));
    if (g.workingSetBytes !== undefined && g.workingSetBytes !== was?.workingSetBytes)
      out.set(numbered('ws', i), String(g.workingSetBytes));
    writeParams(out, `g${String(i + 1)}`, g.behaviour.params, was?.behaviour.params);
  });
}

type ParamMap = Readonly<Record<string, ParamValue | undefined>> | undefined;

function writeParams(out: Map<string, string>, where: string, now: ParamMap, was: ParamMap): void {
  for (const [id, value] of Object.entries(now ?? {})) {
    if (value !== undefined && was?.[id] !== value)
      out.set(`${where}.${id}`, encoded(values.writeParam(value)));
  }
}

/** A scheduler that the base has in the same place keeps its tunables. */
function basisOf(choice: SchedulerChoice, base: Scenario, lane: number): SchedulerChoice {
  const known = base.schedulers[lane];
  return known && writeScheduler(known) === writeScheduler(choice)
    ? known
    : { ...choice, tunables: {} };
}

/**
 * A base with the differences, and with as much of its guide as fits them. A wrong value stays at the base's, with a
 * sentence.
 */
export function applyDifferences(
  base: Scenario,
  fields: Fields,
  catalog: Catalog,
  wrong: values.Complaints,
): Scenario {
  const draft = structuredClone(base);
  const range = (field: string, unit: string) => values.rangeOf(catalog, field, unit);
  const machine = fields.get('m');
  if (machine !== undefined) {
    const ids = catalog.machines.map((m) => m.spec.id);
    draft.machine = values.readWord('m', machine, ids, wrong) ?? draft.machine;
  }
  const schedulers = fields.get('s');
  if (schedulers !== undefined)
    draft.schedulers = readSchedulers(schedulers, base, catalog, wrong) ?? draft.schedulers;
  const seed = fields.get('seed');
  if (seed !== undefined) {
    const value = values.readWhole('seed', seed, range('seed', ''), wrong);
    if (value !== undefined) draft.seed = value;
  }
  const end = fields.get('end');
  if (end !== undefined) {
    const { min, max } = range('end.atNs', 'ns');
    draft.end.atNs = values.readTime('end', end, min, max, wrong) ?? draft.end.atNs;
  }
  const nice = fields.get('nice');
  if (nice !== undefined) {
    const value = values.readWhole('nice', nice, range('groups.nice', ''), wrong);
    if (value !== undefined) for (const g of draft.groups) g.nice = value;
  }
  for (const [key, text] of fields) {
    const [, , word, number, part, place, id] = KEY.exec(key) ?? [];
    if (word !== undefined && number !== undefined)
      readGroup(draft, key, word, Number(number || 1) - 1, text, catalog, wrong);
    else if (part !== undefined && id !== undefined)
      readParam(draft, key, part, Number(place) - 1, id, text, catalog, wrong);
  }
  const edits = fields.get('e');
  if (edits !== undefined) {
    draft.edits = readEdits(edits, draft, catalog, wrong);
  }
  return withFittingGuide(draft, base);
}

function readSchedulers(
  text: string,
  base: Scenario,
  catalog: Catalog,
  wrong: values.Complaints,
): SchedulerChoice[] | undefined {
  const choices = text.split(/,|%2C/i).map((part) => {
    const [id = '', era] = part.split(/:|%3A/i);
    return { id, ...(era === undefined ? {} : { era }), tunables: {} };
  });
  const isKnown = choices.every(({ id, era }) => {
    const entry = catalog.schedulers.find((s) => s.id === id);
    return entry && (era === undefined || entry.eras.some((e) => e.id === era));
  });
  if (isKnown && choices.length <= MAX_LANES)
    return choices.map((choice, i) => structuredClone(basisOf(choice, base, i)));
  const known = catalog.schedulers.map((s) => s.id).join(', ');
  return wrong.add('s', `one to four of ${known}`, text);
}

function readGroup(
  draft: Scenario,
  key: string,
  word: string,
  i: number,
  text: string,
  catalog: Catalog,
  wrong: values.Complaints,
): void {
  const group = draft.groups[i];
  if (!group) return noPlace(key, 'group', draft.groups.length, wrong);
  const whole = (field: string, unit: string) =>
    values.readWhole(key, text, values.rangeOf(catalog, field, unit), wrong);
  if (word === 'k') group.count = whole('groups.count', 'threads') ?? group.count;
  else if (word === 'nice') group.nice = whole('groups.nice', '') ?? group.nice;
  else {
    const bytes = whole('groups.workingSetBytes', 'bytes');
    if (bytes !== undefined) group.workingSetBytes = bytes;
  }
}

function readParam(
  draft: Scenario,
  key: string,
  part: string,
  i: number,
  id: string,
  text: string,
  catalog: Catalog,
  wrong: values.Complaints,
): void {
  if (part === 'l') {
    const choice = draft.schedulers[i];
    if (!choice) return noPlace(key, 'lane', draft.schedulers.length, wrong);
    const value = declared(key, id, text, tunablesOf(choice, catalog), wrong);
    if (value !== undefined) choice.tunables = { ...choice.tunables, [id]: value };
    return;
  }
  const behaviour = draft.groups[i]?.behaviour;
  if (!behaviour) return noPlace(key, 'group', draft.groups.length, wrong);
  const specs = catalog.behaviours.find((b) => b.id === behaviour.kind)?.params ?? [];
  const value = declared(key, id, text, specs, wrong);
  if (value !== undefined) behaviour.params = { ...behaviour.params, [id]: value };
}

function declared(
  key: string,
  id: string,
  text: string,
  specs: readonly ParamSpec[],
  wrong: values.Complaints,
): ParamValue | undefined {
  const spec = specs.find((p) => p.id === id);
  if (spec) return values.readParam(key, text, spec, wrong);
  const known = specs.map((p) => p.id).join(', ');
  return wrong.say(
    `In the link, ${key} is not known${known === '' ? '' : `; there are ${known}`}. It is left out.`,
  );
}

function noPlace(key: string, what: string, count: number, wrong: values.Complaints): void {
  wrong.say(
    `In the link, ${key} names a ${what} beyond the last, ${String(count)}. It is left out.`,
  );
}
