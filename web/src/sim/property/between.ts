/** What sets one scenario to another: the counterpart of set.ts. */
import { sameJson } from '../../lib/json';
import { GUIDE, withFittingGuide } from '../guide';
import type { Catalog } from '../types/Catalog';
import type { ParamSpec } from '../types/ParamSpec';
import type { Property } from '../types/Property';
import type { Scenario } from '../types/Scenario';
import type { SchedulerChoice } from '../types/SchedulerChoice';
import { settingOf } from './edit';
import { hasRowsBelow, pathOf, rowOf } from './path';
import { shortenedAt } from './short';
import { specOf } from './set';
import { writeTime, writeValue } from './value';

/** A property that differs. */
export interface Set {
  readonly path: string;
  readonly steps: readonly string[];
  readonly property: Property;
  /** What a declared property may be. */
  readonly spec: ParamSpec | undefined;
  /** Undefined: left out. */
  readonly value: unknown;
  readonly was: unknown;
  /** The value as a text, with the time of the run at which it is set, if there is one. */
  readonly text: string;
  readonly atNs: number | null;
}

/** More edits are said as one list, as nobody would read them one by one. */
const MOST_EDITS = 24;

type Parts = ReadonlyMap<string, unknown>;

/** Finds the differences of two scenarios. */
class Between {
  readonly found: Set[] = [];
  readonly base: Scenario;
  readonly now: Scenario;
  readonly catalog: Catalog;

  constructor(base: Scenario, now: Scenario, catalog: Catalog) {
    this.base = base;
    this.now = now;
    this.catalog = catalog;
  }

  /** Notes a difference; false if no property says it. */
  say(steps: readonly string[], value: unknown, was: unknown, atNs: number | null = null): boolean {
    const property = rowOf(steps, this.catalog);
    if (!property) return false;
    const isDeclared = property.kind.type === 'declared';
    const spec = isDeclared ? specOf(steps, this.now, this.catalog) : undefined;
    const time =
      atNs === null || (atNs === 0 && property.when === 'run') ? '' : `@${writeTime(atNs)}`;
    const text = `${writeValue(value, property, spec)}${time === '@0' ? '@0s' : time}`;
    this.found.push({ path: pathOf(steps), steps, property, spec, value, was, text, atNs });
    return true;
  }

  /** Notes all differences in a place; false if no properties say them. `fields` lead there in the types of the core. */
  walk(steps: readonly string[], fields: readonly string[], was: unknown, now: unknown): boolean {
    if (was === now || sameJson(was, now)) return true;
    const isSplit = typeof now === 'object' && now !== null && !isPlainList(steps, was, now);
    if (!isSplit || !hasRowsBelow(steps, this.catalog)) return this.say(steps, now, was);
    const isNew = typeof was !== 'object' || was === null;
    const present = partsOf(steps, isNew ? shortenedAt(fields, now) : now);
    // A control group that is new has no fields to set yet.
    const isWhole = present.size === 0 || (steps[0] === 'cgroups' && steps.length === 2);
    if (isNew && isWhole) return this.say(steps, shortenedAt(fields, now), was);
    let before = isNew ? new Map<string, unknown>() : partsOf(steps, was);
    const kind = present.get('kind');
    const isBehaviour = steps[0] === 'groups' && steps[2] === 'behaviour';
    if (isBehaviour && kind !== before.get('kind')) {
      const params = [...before].filter(([key]) => key !== 'kind');
      const isKept =
        params.length > 0 &&
        sameJson(
          params,
          [...present].filter(([key]) => key !== 'kind'),
        );
      if (isKept) return this.say([...steps, 'kind'], kind, before.get('kind'));
      // Parameters of another behaviour mean nothing.
      this.say(steps, kind, before.get('kind'));
      before = new Map([['kind', kind]]);
    }
    return [...new Set([...present.keys(), ...before.keys()])].every((key) =>
      this.walk([...steps, key], [...fields, key], before.get(key), present.get(key)),
    );
  }

  lanes(): boolean {
    const { base, now } = this;
    const isSaid = now.schedulers.every((choice, i) => {
      const steps = ['lanes', String(i + 1)];
      const was = base.schedulers[i];
      const isOther = was?.id !== choice.id;
      if (isOther && isWritten(was) && sameJson({ ...was, id: choice.id }, choice))
        return this.say([...steps, 'id'], choice.id, was.id);
      if (isOther && !this.say(steps, choice.id, was)) return false;
      const before = isOther ? { id: choice.id } : was;
      return this.walk(steps, ['schedulers'], before, choice);
    });
    const gone = [...base.schedulers.entries()].slice(now.schedulers.length).reverse();
    return isSaid && gone.every(([i, was]) => this.say(['lanes', String(i + 1)], undefined, was));
  }

  groups(): boolean {
    const { base, now } = this;
    const before = new Map(base.groups.map((group) => [group.name, group]));
    const names = new Set(now.groups.map(({ name }) => name));
    for (const [i, group] of now.groups.entries()) {
      const was = base.groups[i];
      const isOther = was && !names.has(was.name) && !before.has(group.name);
      if (!isOther || !sameJson({ ...was, name: group.name }, group)) continue;
      if (!this.say(['groups', was.name, 'name'], group.name, was.name)) return false;
      before.set(group.name, group);
      names.add(was.name);
    }
    const gone = base.groups.filter(({ name }) => !names.has(name));
    return (
      gone.every((group) => this.say(['groups', group.name], undefined, group)) &&
      now.groups.every((group) => {
        const steps = ['groups', group.name];
        const was = before.get(group.name);
        if (was) return this.walk(steps, ['groups'], was, group);
        const rest = { ...(shortenedAt(['groups'], group) as object), name: undefined };
        return this.say(steps, rest, undefined);
      })
    );
  }

  machine(): boolean {
    const { machine } = this.now;
    let was = this.base.machine;
    if (typeof machine !== 'string') {
      const id = typeof was === 'string' ? was : was.id;
      if (id !== machine.id || typeof was === 'string') {
        const preset = this.catalog.machines.find(({ spec }) => spec.id === machine.id);
        if (preset && id !== machine.id) this.say(['machine'], machine.id, was);
        was = preset?.spec ?? was;
      }
    }
    return this.walk(['machine'], ['machine'], was, machine);
  }

  edits(): boolean {
    const { base, now } = this;
    if (now.edits.length > MOST_EDITS)
      return this.say(['edits'], shortenedAt(['edits'], now.edits), base.edits);
    const isSaid = now.edits.every((timed, i) => {
      const was = base.edits[i];
      const steps = ['edits', String(i + 1)];
      if (was && was.copy === timed.copy && sameJson(was.set, timed.set))
        return this.walk(steps, ['edits'], was, timed);
      const set = was || timed.lane !== undefined ? null : settingOf(timed);
      return set
        ? this.say(set.steps, set.value ?? undefined, undefined, timed.atNs)
        : this.say(steps, shortenedAt(['edits'], timed), was);
    });
    const gone = [...base.edits.entries()].slice(now.edits.length).reverse();
    return isSaid && gone.every(([i, was]) => this.say(['edits', String(i + 1)], undefined, was));
  }

  all(): boolean {
    const { base, now } = this;
    const { ask, answer, opening, controls } = base;
    const kept = { ...now, ask, controls, ...(answer && { answer }), ...(opening && { opening }) };
    if (!answer) delete kept.answer;
    if (!opening) delete kept.opening;
    const fitting = withFittingGuide(kept, base);
    const fields = [...new Set([...Object.keys(base), ...Object.keys(now)])] as (keyof Scenario)[];
    const own = {
      schedulers: () => this.lanes(),
      groups: () => this.groups(),
      machine: () => this.machine(),
    };
    const guide: readonly string[] = GUIDE;
    const run = fields.filter((field) => !guide.includes(field) && field !== 'edits');
    return (
      run.every((field) => {
        if (base[field] === now[field] || sameJson(base[field], now[field])) return true;
        if (field in own) return own[field as keyof typeof own]();
        return this.walk([field], [field], base[field], now[field]);
      }) &&
      (sameJson(base.edits, now.edits) || this.edits()) &&
      GUIDE.every((field) => this.walk([field], [field], fitting[field], now[field]))
    );
  }
}

/** Whether a lane has more than a scheduler. */
const isWritten = (lane: SchedulerChoice | undefined): lane is SchedulerChoice =>
  lane !== undefined &&
  (lane.era !== undefined || lane.program !== undefined || Object.keys(lane.tunables).length > 0);

/** Whether a list is said as a whole: it has another length, or its items are no objects. */
function isPlainList(steps: readonly string[], was: unknown, now: object): boolean {
  if (!Array.isArray(now)) return false;
  return !Array.isArray(was) || was.length !== now.length || steps.length === 1;
}

/** What the paths of a place may go on with. */
function partsOf(steps: readonly string[], value: unknown): Parts {
  if (Array.isArray(value)) return new Map(value.map((one, i) => [String(i + 1), one]));
  const [what] = steps;
  const list =
    what === 'lanes' && steps.length === 2
      ? 'tunables'
      : what === 'groups' && steps[2] === 'behaviour' && steps.length === 3
        ? 'params'
        : '';
  return new Map(
    Object.entries(value as object).flatMap(([key, one]) =>
      key === list ? Object.entries(one as object) : [[key, one] as const],
    ),
  );
}

/**
 * The properties that set the first scenario to the second, in the order in which they have to be set. Null where no
 * properties say it. Both are as the core writes them.
 */
export function between(base: Scenario, now: Scenario, catalog: Catalog): readonly Set[] | null {
  const search = new Between(base, now, catalog);
  return search.all() ? search.found : null;
}
