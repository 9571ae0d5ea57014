/** The differences between a scenario and the one it was made from, in words: the core's table says what differs. */
import { bytes, clock, count, exactDuration, nice, withUnit } from '../lib/format';
import { sameJson, sorted } from '../lib/json';
import { coreWords } from '../lib/language';
import { MS, US } from '../lib/units';
import { between, type Set as Changed } from '../sim/property/between';
import { settingOf } from '../sim/property/edit';
import { writeCpus } from '../sim/property/value';
import type { Catalog } from '../sim/types/Catalog';
import type { Scenario } from '../sim/types/Scenario';
import type { SchedulerChoice } from '../sim/types/SchedulerChoice';
import type { TimedEdit } from '../sim/types/TimedEdit';
import { sayEdit, worthTelling } from './say-edit';
import { GUIDE, isSameRun } from '../sim/guide';

/** More edits are counted. */
const MOST_EDITS = 2;
/** More properties of one group or machine are counted. */
const MOST_FACTS = 3;
/** Longest text that is quoted. */
const MOST_LETTERS = 40;

/** One phrase for each part that differs; empty only if there is none. */
export function differsFrom(
  scenario: Scenario,
  origin: Scenario,
  catalog: Catalog,
): readonly string[] {
  if (scenario === origin || sameJson(scenario, origin)) return [];
  const words = new Words(scenario, origin, catalog);
  // The guide disappeared with another change, which is listed itself.
  const isOther = !isSameRun(scenario, origin);
  const phrases = new Map<string, string[]>();
  for (const set of between(origin, scenario, catalog) ?? []) {
    const [root = ''] = set.steps;
    if (isOther && (GUIDE as readonly string[]).includes(root)) continue;
    const [subject, facts] = words.of(set);
    if (facts.length === 0) continue;
    const key = subject === '' ? (facts[0] ?? '') : subject;
    const said = phrases.get(key) ?? [];
    // Lanes are told together, whichever of them differ.
    phrases.set(key, [...said, ...facts.filter((fact) => !said.includes(fact))]);
  }
  const phrasesOfAll = [...phrases].map(([subject, facts]) => {
    const more = facts.length - MOST_FACTS;
    const some = facts.slice(0, MOST_FACTS).join(', ');
    const all = more > 0 ? `${some}, ${count(more)} more` : some;
    return subject === facts[0] ? all : `${subject}: ${all}`;
  });
  const all = [...phrasesOfAll, ...editPhrases(scenario.edits, origin.edits)];
  return all.length > 0 ? all : ['groups in another order'];
}

type Edits = readonly TimedEdit[];

/** The edits that are not the origin's; where only some of these are gone, how many are left. */
function editPhrases(now: Edits, was: Edits): readonly string[] {
  if (now === was || sameJson(now, was)) return [];
  const others = (edits: Edits, from: Edits) => {
    const known = new Set(from.map((edit) => JSON.stringify(sorted(edit))));
    return edits.filter((edit) => !known.has(JSON.stringify(sorted(edit))));
  };
  const added = worthTelling(others(now, was));
  const gone = worthTelling(others(was, now));
  const isSame = (a: TimedEdit, b: TimedEdit) =>
    a.atNs === b.atNs && a.copy === b.copy && settingOf(a)?.path === settingOf(b)?.path;
  // Another value in the same place is one change.
  const left = gone.filter((edit) => !added.some((other) => isSame(edit, other)));
  if (added.length > 0 && added.length + left.length <= MOST_EDITS)
    return [
      ...added.map((edit) => {
        const before = gone.find((other) => isSame(other, edit));
        const isOther = before && sayEdit(before) !== sayEdit(edit);
        return isOther ? `${editWords(edit)} (was ${sayEdit(before)})` : editWords(edit);
      }),
      ...left.map((edit) => `without ${editWords(edit)}`),
    ];
  return [`${now.length === 0 ? 'no' : count(now.length)} edits (was ${count(was.length)})`];
}

function editWords(edit: TimedEdit): string {
  const { atNs, lane } = edit;
  const said = `${sayEdit(edit)} at ${clock(atNs)}`;
  return lane === undefined ? said : `${said} in lane ${String(lane + 1)}`;
}

/** Puts differences into words. */
class Words {
  readonly #now: Scenario;
  readonly #was: Scenario;
  readonly #catalog: Catalog;

  constructor(now: Scenario, was: Scenario, catalog: Catalog) {
    this.#now = now;
    this.#was = was;
    this.#catalog = catalog;
  }

  /** What a difference is about, if that has to be said, and the facts; edits have phrases of their own. */
  of(set: Changed): readonly [string, readonly string[]] {
    const [root = '', which = '', ...rest] = set.steps;
    if (root === 'edits' || root === 'threads' || set.atNs !== null) return ['', []];
    if (root === 'lanes') {
      const isWhole = rest.length === 0 || rest[0] === 'id' || rest[0] === 'era';
      return isWhole ? ['', [this.#lanes()]] : [this.#lane(Number(which) - 1), [this.#fact(set)]];
    }
    if (root === 'groups' && rest.length === 0) {
      if (set.value === undefined) return ['', [`without ${which}`]];
      return ['', [`${which} added`]];
    }
    if (root === 'groups') return [which, [this.#fact(set)]];
    if (which !== '' && set.property.path.endsWith('.**'))
      return [this.#labelOf(root), [this.#fact(set, set.steps.slice(1).join(' '))]];
    return ['', [this.#fact(set)]];
  }

  /** `slice 3 ms (was 2.8 ms)`; a unit that is the name of the property is said once. */
  #fact(set: Changed, name = set.spec?.label ?? set.property.label): string {
    const { kind } = set.property;
    const [now, was] = [set.value, set.was].map((value) => this.#value(set, value));
    const unit = kind.type === 'integer' ? kind.bound.unit : '';
    const said =
      unit !== '' && now?.endsWith(name)
        ? now
        : [name, now].filter((word) => word !== '').join(' ');
    const isCount = unit === 'threads' && set.was !== undefined;
    const before = isCount ? count(Number(set.was)) : (was ?? '');
    return isParts(set.was) ? said : `${said} (was ${before})`;
  }

  #labelOf(path: string): string {
    return this.#catalog.properties.find((property) => property.path === path)?.label ?? path;
  }

  #value({ property, spec, steps }: Changed, value: unknown): string {
    if (value === undefined)
      return spec && spec.kind.default !== ''
        ? this.#declared(spec.kind.default, spec.unit)
        : coreWords(property.default === '' ? 'none' : property.default);
    switch (property.kind.type) {
      case 'time':
        return exactDuration(Number(value));
      case 'size':
        return bytes(Number(value));
      case 'integer':
        return steps.at(-1) === 'nice'
          ? nice(Number(value))
          : amount(Number(value), property.kind.bound.unit);
      case 'flag':
        return yesOrNo(value === true);
      case 'text':
        return `“${clipped(String(value))}”`;
      case 'cpus':
        return writeCpus(value as number[]);
      case 'declared':
        return this.#declared(value, spec?.unit ?? '');
      case 'word':
        return coreWords(String(value));
      case 'written':
        return this.#written(steps, value);
    }
  }

  #declared(value: unknown, unit: string): string {
    if (typeof value === 'boolean') return yesOrNo(value);
    if (typeof value === 'number') return amount(value, unit);
    return coreWords(String(value));
  }

  /** What a scenario file has in a place. */
  #written(steps: readonly string[], value: unknown): string {
    const { machines, behaviours } = this.#catalog;
    if (steps[0] === 'machine' && steps.length === 1) {
      const { id, name } =
        typeof value === 'string'
          ? { id: value, name: value }
          : (value as { id: string; name: string });
      return machines.find(({ spec }) => spec.id === id)?.spec.name ?? name;
    }
    if (steps.at(-1) === 'behaviour')
      return behaviours.find(({ id }) => id === value)?.name ?? shown(value);
    const isTime = typeof value === 'number' && steps.at(-1)?.endsWith('Ns');
    return isTime ? exactDuration(value) : shown(value);
  }

  #schedulerName({ id, era }: SchedulerChoice): string {
    const name = this.#catalog.schedulers.find((s) => s.id === id)?.name ?? id;
    return [name, era].filter(Boolean).join(' ');
  }

  #lanes(): string {
    const [now, was] = [this.#now, this.#was].map(({ schedulers }) =>
      schedulers.map((choice) => this.#schedulerName(choice)).join(', '),
    );
    return `${this.#labelOf('lanes')} ${now ?? ''} (was ${was ?? ''})`;
  }

  /** A lane by its scheduler, or by its number where several have it. */
  #lane(i: number): string {
    const all = this.#now.schedulers.map((choice) => this.#schedulerName(choice));
    const name = all[i] ?? '';
    return all.filter((other) => other === name).length > 1 ? `lane ${String(i + 1)}` : name;
  }
}

/** A whole number that somebody has set, exact. */
function amount(value: number, unit: string): string {
  if (unit === '%') return `${count(value)} %`;
  if (unit === '1/s') return `${count(value)} /s`;
  const factor = { ns: 1, us: US, ms: MS }[unit];
  return factor === undefined ? withUnit(value, unit) : exactDuration(value * factor);
}

/** Whether a value has parts, which nobody would read in a phrase. */
const isParts = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function yesOrNo(value: boolean): string {
  // @wc-context: a switch
  return value ? 'yes' : 'no';
}

function clipped(text: string): string {
  return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)}…` : text;
}

/** Plain data in few words. */
function shown(value: unknown): string {
  if (Array.isArray(value))
    return value.length === 0 ? coreWords('none') : value.map(shown).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  const { kind, ...others } = value as { kind?: unknown };
  const fields = Object.entries(others).map(([key, one]) => `${key} ${shown(one)}`);
  return [...(kind === undefined ? [] : [String(kind)]), ...fields].join(' ');
}
