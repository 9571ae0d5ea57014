/** The guide of a scenario: the question, the measure of the answer, the opening, the controls in sight. */
import { sameJson } from '../lib/json';
import { settingOf } from './property/edit';
import type { Control } from './types/Control';
import type { Scenario } from './types/Scenario';

/** Fields that the question depends on: a change of one makes another run. */
const RUN = [
  'machine',
  'schedulers',
  'cgroups',
  'groups',
  'background',
  'timing',
  'edits',
] as const satisfies readonly (keyof Scenario)[];

/** Parts that hold only for one run. */
const ABOUT_RUN = ['ask', 'answer', 'opening'] as const satisfies readonly (keyof Scenario)[];

/** Parts that disappear, or may disappear, with a change of lanes, machine or threads. */
export const GUIDE = [...ABOUT_RUN, 'controls'] as const;

/** Whether two scenarios have the same lanes, machine and threads. */
export function isSameRun(a: Scenario, b: Scenario): boolean {
  return RUN.every((part) => a[part] === b[part] || sameJson(a[part], b[part]));
}

type Group = Scenario['groups'][number];
type Words = Pick<Scenario, 'ask' | 'answer'>;

/** What can change of a group or thread while as many do the same. */
const FREE: readonly string[] = ['nice', 'allowed', 'sliceNs', 'workingSetBytes'];

/** Whether each group is there, does what it did, and differs at most in some fields. */
function hasSameGroups(a: Scenario, b: Scenario, free: readonly string[]): boolean {
  const rest = (group: Group) =>
    Object.fromEntries(Object.entries(group).filter(([field]) => !free.includes(field)));
  return sameJson(a.groups.map(rest), b.groups.map(rest));
}

/** Whether the edits that one scenario has and the other lacks concern at most lanes, limits, and some fields of threads. */
function hasSameEdits(a: Scenario, b: Scenario, free: readonly string[]): boolean {
  const own = (x: Scenario, y: Scenario) =>
    x.edits.filter((edit) => !y.edits.some((other) => sameJson(edit, other)));
  return [...own(a, b), ...own(b, a)].every((edit) => {
    const { what, field } = settingOf(edit) ?? {};
    return what === 'lanes' || what === 'cgroups' || (field !== undefined && free.includes(field));
  });
}

/** Whether the words name a scheduler that is gone, or lanes that differed in their tunables only. */
function areAboutLanes(ask: string, now: Scenario, was: Scenario): boolean {
  const ids = was.schedulers.map(({ id }) => id);
  const isNamed = (id: string) => ask.toLowerCase().includes(id.toLowerCase());
  if (ids.some((id) => isNamed(id) && !now.schedulers.some((lane) => lane.id === id))) return true;
  const twins = was.schedulers.filter(({ id, era }) => {
    const same = was.schedulers.filter((lane) => lane.id === id && lane.era === era);
    return same.length > 1;
  });
  return twins.some((twin) => !now.schedulers.some((lane) => sameJson(lane, twin)));
}

/** Whether a group, or a thread with which the run begins, has a name; none means all. */
function isThere(name: string, groups: readonly Group[]): boolean {
  if (name === '' || groups.some((group) => group.name === name)) return true;
  const [, of = '', number = ''] = /^(.*)-(\d+)$/.exec(name) ?? [];
  return groups.some((group) => group.name === of && Number(number) <= group.count);
}

/**
 * What still holds of question and answer. The measure holds while the machine is the same and each group does what it
 * did. The question counts threads, so it holds while as many are there; a question about nice, while nobody changes
 * it. The fair value holds for the same threads only.
 */
function wordsThatHold({ ask, answer }: Words, now: Scenario, was: Scenario): Words {
  if (!sameJson(now.machine, was.machine) || !hasSameGroups(now, was, ['count', ...FREE]))
    return { ask: '' };
  const free = /nice/i.test(ask) ? FREE.filter((field) => field !== 'nice') : FREE;
  const isSame = (fields: readonly string[]) =>
    hasSameGroups(now, was, fields) && hasSameEdits(now, was, fields);
  const isAsked = isSame(free) && !areAboutLanes(ask, now, was);
  const kept = answer && !isSame([]) ? withoutFair(answer) : answer;
  // An expression is no question by itself, and a thread may be gone.
  const isAnswered =
    kept && (isAsked || kept.expression === undefined) && isThere(kept.of ?? '', now.groups);
  return { ask: isAsked ? ask : '', ...(isAnswered && { answer: kept }) };
}

function withoutFair(answer: NonNullable<Scenario['answer']>): NonNullable<Scenario['answer']> {
  const rest = { ...answer };
  delete rest.fair;
  return rest;
}

/** Whether a scenario has a guide that its origin does not have. */
export function hasOwnGuide(scenario: Scenario, origin: Scenario): boolean {
  return ABOUT_RUN.some((part) => {
    const own = scenario[part];
    if (!own || sameJson(own, origin[part])) return false;
    return part !== 'answer' || !origin.answer || !sameJson(own, withoutFair(origin.answer));
  });
}

/**
 * A scenario with the guide of its origin, as long as lanes, machine and threads are the origin's; else with what holds
 * of question and answer, and without opening. A guide of its own stays.
 */
export function withGuideOf(scenario: Scenario, origin: Scenario): Scenario {
  if (hasOwnGuide(scenario, origin)) return scenario;
  if (!isSameRun(scenario, origin)) return withWords(scenario, origin, origin);
  if (GUIDE.every((part) => sameJson(scenario[part], origin[part]))) return scenario;
  const { ask, answer, opening, controls } = origin;
  return { ...scenario, ask, controls, ...(answer && { answer }), ...(opening && { opening }) };
}

/** A scenario with the words that hold of some, and without opening. */
function withWords(scenario: Scenario, words: Words, was: Scenario): Scenario {
  const rest = { ...scenario };
  delete rest.answer;
  delete rest.opening;
  return { ...rest, ...wordsThatHold(words, scenario, was) };
}

/**
 * A scenario that was changed from another, without the parts of its guide that may be wrong now: words that no longer
 * hold, the opening of another run, and controls of a group or tunable that may be gone.
 */
export function withFittingGuide(changed: Scenario, was: Scenario): Scenario {
  if (isSameRun(changed, was)) return changed;
  const controls = changed.controls.filter((control) => fits(control, changed, was));
  return { ...withWords(changed, changed, was), controls };
}

function fits({ kind, group, lane }: Control, changed: Scenario, was: Scenario): boolean {
  if (kind !== 'tunable')
    return group === undefined || changed.groups.some(({ name }) => name === group);
  const at = (scenario: Scenario, i: number) => {
    const choice = scenario.schedulers[i];
    return choice && `${choice.id}:${choice.era ?? ''}`;
  };
  const lanes = lane === undefined ? [...was.schedulers.keys()] : [lane];
  return lanes.every((i) => at(changed, i) !== undefined && at(changed, i) === at(was, i));
}
