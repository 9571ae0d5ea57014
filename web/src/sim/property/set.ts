/** Sets properties of a scenario by `PATH=VALUE` and `PATH=VALUE@TIME`, as the core does. */
import type { Catalog } from '../types/Catalog';
import type { ParamSpec } from '../types/ParamSpec';
import type { Scenario } from '../types/Scenario';
import type { SchedulerChoice } from '../types/SchedulerChoice';
import { ALL, editOf } from './edit';
import { NotSet } from './not-set';
import { rowOf, stepsOf } from './path';
import { oneOf, readTime, readValue } from './value';

const MAX_LANES = 4;
/** So many threads more or fewer. */
const RELATIVE = /^[+-]\d{1,5}$/;

type Objects = Record<string, unknown>;

/** Tunables of a scheduler in its release. */
export function tunablesOf(
  choice: { id: string; era?: string },
  catalog: Catalog,
): readonly ParamSpec[] {
  const entry = catalog.schedulers.find((s) => s.id === choice.id);
  const era = choice.era ?? entry?.eras[0]?.id;
  return entry?.eras.find((e) => e.id === era)?.tunables ?? [];
}

/** What a declared property may be, for the lane or the group that its steps name; undefined if it has none of the kind. */
export function specOf(
  steps: readonly string[],
  scenario: Scenario,
  catalog: Catalog,
): ParamSpec | undefined {
  const [what, which = ''] = steps;
  return what === 'lanes'
    ? lanesOf(scenario, which)
        .flatMap((i) => tunablesOf(scenario.schedulers[i] ?? { id: '' }, catalog))
        .find(({ id }) => id === steps[2])
    : groupsOf(scenario, which)
        .flatMap((i) => paramsOf(scenario, i, catalog))
        .find(({ id }) => id === steps[3]);
}

function paramsOf(scenario: Scenario, i: number, catalog: Catalog): readonly ParamSpec[] {
  const kind = (scenario.groups[i] as Partial<Scenario['groups'][number]> | undefined)?.behaviour
    ?.kind;
  return catalog.behaviours.find(({ id }) => id === kind)?.params ?? [];
}

/** Positions of the lanes of a number or scheduler, or of all. */
function lanesOf({ schedulers }: Scenario, which: string): number[] {
  const all = [...schedulers.keys()];
  if (which === ALL) return all;
  return all.filter((i) => String(i + 1) === which || schedulers[i]?.id === which);
}

/** Positions of the groups of a name, or of all. */
function groupsOf({ groups }: Scenario, which: string): number[] {
  return [...groups.keys()].filter((i) => which === ALL || groups[i]?.name === which);
}

/** Names of the control groups of a name, or of all. */
function cgroupsOf({ cgroups }: Scenario, which: string): string[] {
  return Object.keys(cgroups ?? {}).filter((name) => which === ALL || name === which);
}

/** Lanes as a scenario file has them; an id may stand for one. */
function lane(value: unknown, catalog: Catalog): SchedulerChoice {
  const choice = (
    typeof value === 'string' ? { id: value } : { ...(value as object) }
  ) as SchedulerChoice;
  const entry = catalog.schedulers.find(({ id }) => id === choice.id);
  if (!entry || (choice.era !== undefined && !entry.eras.some(({ id }) => id === choice.era)))
    throw new NotSet({ must: `one to four of ${catalog.schedulers.map((s) => s.id).join(', ')}` });
  return { ...choice, tunables: (choice as Partial<SchedulerChoice>).tunables ?? {} };
}

/** What is said of all items of a list that a path names, which must be there. */
function each<T>(found: readonly T[], known: readonly string[], set: (item: T) => void): void {
  if (found.length === 0) throw new NotSet({ known });
  found.forEach(set);
}

/** Sets a property at a place of a scenario before the run. Values are those of readValue. */
function write(
  draft: Scenario,
  steps: readonly string[],
  value: unknown,
  spec: ParamSpec | undefined,
  catalog: Catalog,
): void {
  const [what = '', which = '', ...rest] = steps;
  const named = (list: readonly { name: string }[]) => list.map(({ name }) => name);
  const numbered = (list: readonly unknown[]) => list.map((_, i) => String(i + 1));
  if (what === 'lanes') {
    const { schedulers } = draft;
    if (which === '') draft.schedulers = listOf(value ?? []).map((one) => lane(one, catalog));
    else if (rest[0] === undefined) {
      const isNext = which === String(schedulers.length + 1);
      put(schedulers, isNext, lanesOf(draft, which), value && lane(value, catalog), numbered);
    } else
      each(lanesOf(draft, which), numbered(schedulers), (i) => {
        const choice = schedulers[i] as unknown as Objects;
        if (spec) choice['tunables'] = { ...(choice['tunables'] as Objects) };
        setIn(spec ? (choice['tunables'] as Objects) : choice, rest, value);
        if (rest[0] === 'id' || rest[0] === 'era') lane(choice, catalog);
      });
    if (schedulers.length > MAX_LANES || draft.schedulers.length > MAX_LANES) lane('', catalog);
  } else if (what === 'groups' && which !== '') {
    const { groups } = draft;
    if (rest.length === 0) {
      const group = value && { name: which, ...(value as object) };
      put(groups, which !== ALL, groupsOf(draft, which), group, named);
      return;
    }
    each(groupsOf(draft, which), named(groups), (i) => {
      const group = groups[i] as unknown as Objects;
      const isKind = rest.length === 1 && rest[0] === 'behaviour' && typeof value === 'string';
      if (isKind) {
        group['behaviour'] = {
          kind: oneOf(
            value,
            catalog.behaviours.map(({ id }) => id),
          ),
        };
      } else setIn(group, spec ? ['behaviour', 'params', ...rest.slice(1)] : rest, value);
    });
  } else if (what === 'cgroups' && which !== '') {
    const isNew = rest.length === 0 && value !== undefined && which !== ALL;
    const names = Object.keys(draft.cgroups ?? {});
    const found = cgroupsOf(draft, which);
    each(found.length === 0 && isNew ? [which] : found, names, (name) => {
      setIn(draft as unknown as Objects, [what, name, ...rest], value);
    });
  } else if (what === 'edits' && rest.length === 0 && which !== '') {
    const i = Number(which) - 1;
    put(draft.edits, i === draft.edits.length, draft.edits[i] ? [i] : [], value, numbered);
  } else {
    if (what === 'machine' && which !== '' && typeof draft.machine === 'string') {
      const preset = catalog.machines.find(({ spec: { id } }) => id === draft.machine);
      draft.machine = structuredClone(preset?.spec ?? draft.machine);
    }
    if (what === 'machine' && which === '' && typeof value === 'string')
      oneOf(
        value,
        catalog.machines.map(({ spec: { id } }) => id),
      );
    setIn(draft as unknown as Objects, steps, value);
  }
}

/** Replaces or removes items of a list; where there is none, one is added if it would be a new one. */
function put<T>(
  list: T[],
  isNew: boolean,
  found: readonly number[],
  value: unknown,
  known: (list: readonly T[]) => readonly string[],
): void {
  if (found.length > 0)
    for (const i of [...found].reverse())
      list.splice(i, 1, ...(value === undefined ? [] : [value as T]));
  else if (isNew && value !== undefined) list.push(value as T);
  else throw new NotSet({ known: known(list) });
}

/** Sets a place of nested objects and lists, which count from 1. */
function setIn(
  at: Objects | unknown[],
  [step = '', ...rest]: readonly string[],
  value: unknown,
): void {
  const isList = Array.isArray(at);
  const key = isList ? String(Number(step) - 1) : step;
  const isThere = Object.hasOwn(at, key);
  const here = at as Objects;
  if (step === '__proto__' || (isList && !isThere)) throw new NotSet({ known: Object.keys(here) });
  if (rest.length === 0) {
    if (value === undefined) Reflect.deleteProperty(here, key);
    else here[key] = value;
    return;
  }
  // Nothing is made where nothing is removed.
  if (value === undefined && !isThere) return;
  const inner = isThere ? here[key] : {};
  if (typeof inner !== 'object' || inner === null) throw new NotSet({ known: [] });
  here[key] = inner;
  setIn(inner as Objects, rest, value);
}

/** A list, or a single item in place of one. */
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

/** Refuses lists and items that the page could not look into before the core has checked them. */
function checkForm([what = '', ...more]: readonly string[], value: unknown): void {
  const isObject = (one: unknown) => typeof one === 'object' && one !== null && !Array.isArray(one);
  const isList = ['groups', 'edits', 'controls', 'moments'].includes(what) && more.length === 0;
  const isItem = ['groups', 'cgroups', 'edits'].includes(what) && more.length === 1;
  const isRight =
    value === undefined ||
    (isList ? Array.isArray(value) && (what === 'moments' || value.every(isObject)) : true);
  if (!isRight || (isItem && value !== undefined && !isObject(value)))
    throw new NotSet({ must: 'what a scenario file has there' });
}

/** A scenario in which a property has a value before the run; undefined: it is left out. Throws NotSet as below. */
export function withValue(
  scenario: Scenario,
  steps: readonly string[],
  value: unknown,
  catalog: Catalog,
): Scenario {
  const draft = structuredClone(scenario);
  const spec = specOf(steps, draft, catalog);
  if (rowOf(steps, catalog)?.kind.type === 'declared' && !spec)
    throw new NotSet({ known: declaredIn(draft, steps, catalog) });
  write(draft, steps, value, spec, catalog);
  return draft;
}

/** A scenario in which a property has the value that a text says. Throws NotSet where that cannot be. */
export function withProperty(
  scenario: Scenario,
  path: string,
  given: string,
  catalog: Catalog,
): Scenario {
  const draft = structuredClone(scenario);
  const steps = stepsOf(path) ?? [];
  const property = rowOf(steps, catalog);
  if (!property) throw new NotSet({ known: [] });
  const cut = property.when === 'start' ? -1 : given.lastIndexOf('@');
  const time = cut < 0 ? NaN : readTime(given.slice(cut + 1));
  const text = Number.isNaN(time) ? given : given.slice(0, cut);
  const isDeclared = property.kind.type === 'declared';
  const spec = isDeclared ? specOf(steps, draft, catalog) : undefined;
  if (isDeclared && !spec) throw new NotSet({ known: declaredIn(draft, steps, catalog) });
  const isCount = property.path.endsWith('.count') && RELATIVE.test(text) && !Number.isNaN(time);
  const value = isCount ? text : readValue(text, property, spec);
  if (property.kind.type === 'written') checkForm(steps, value);
  if (property.when === 'run' || !Number.isNaN(time)) {
    const [what = '', which = ''] = steps;
    const at = Number.isNaN(time) ? 0 : time;
    if (what === 'groups')
      each(
        groupsOf(draft, which),
        draft.groups.map(({ name }) => name),
        () => undefined,
      );
    const lanes = what === 'lanes' && which !== ALL ? lanesOf(draft, which) : [];
    const cgroups = what === 'cgroups' ? cgroupsOf(draft, which) : [];
    if (what === 'cgroups') each(cgroups, Object.keys(draft.cgroups ?? {}), () => undefined);
    const add = (path: readonly string[]) => draft.edits.push({ atNs: at, ...editOf(path, value) });
    for (const i of lanes) add([what, String(i + 1), ...steps.slice(2)]);
    for (const name of cgroups) add([what, name, ...steps.slice(2)]);
    if (lanes.length === 0 && cgroups.length === 0) add(steps);
  } else write(draft, steps, value, spec, catalog);
  return draft;
}

function declaredIn(draft: Scenario, [what, which = '']: readonly string[], catalog: Catalog) {
  const specs =
    what === 'lanes'
      ? lanesOf(draft, which).flatMap((i) => tunablesOf(draft.schedulers[i] ?? { id: '' }, catalog))
      : groupsOf(draft, which).flatMap((i) => paramsOf(draft, i, catalog));
  return [...new Set(specs.map(({ id }) => id))];
}
