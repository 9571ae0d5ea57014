/**
 * The colour of a thread: the same in every lane and every view. Up to a dozen threads of one group have a hue each.
 * With several groups or more threads, each group has a family of hues; up to four members differ in lightness. In a
 * group of more than a dozen all threads are pale, except for a selected one and the few most active ones. Daemons
 * are grey.
 */
/** Custom properties of a colour: see `styles/tokens.css`. */
export interface ThreadHue {
  readonly fill: string;
  /** Edge that is visible on the ground, whatever the fill. */
  readonly rim: string;
}

/** The names of a lane: its groups, and the group of each thread. */
interface Names {
  readonly groups: readonly { readonly background: boolean; readonly name?: string }[];
  readonly taskGroup: readonly number[];
}

/**
 * Whether a thread of the background is none, but the time of its CPU in which others had it, or of which a trace tells
 * nothing. The core names such groups (`OTHERS` in `sim-core/import/src/others.rs`).
 */
export function standsForOthers(names: Names, task: number): boolean {
  const group = names.groups[names.taskGroup[task] ?? -1];
  return group?.background === true && group.name?.startsWith('others on CPU ') === true;
}

/** Most threads of one group that hues can distinguish. */
export const HUES = 12;
/** Families of hues; further groups start again with the first. */
const FAMILIES = 6;
/** Lightness of the members of a family, from dark to light, by the number of members. */
const STEPS: readonly (readonly string[])[] = [
  [],
  [''],
  ['-1', '-4'],
  ['-1', '', '-4'],
  ['-1', '-2', '-3', '-4'],
];
/** Hue of a selected thread in a large group: no family has it. */
const SELECTED = 12;
/** Hues of the families, in order, and the hues that no family has. */
const OF_FAMILIES = [1, 2, 3, 5, 6, 7] as const;
const OF_NONE = [4, 8, 9, 10, 11] as const;

const DAEMON: ThreadHue = { fill: '--background-thread', rim: '--background-thread' };

function own(number: number): ThreadHue {
  return { fill: `--thread-${String(number)}`, rim: `--thread-${String(number)}-rim` };
}

/** The hues of a lane. */
class Hues {
  readonly tasks: readonly ThreadHue[];
  readonly groups: readonly ThreadHue[];
  /** Whether each thread has a hue of its own. */
  readonly areOwn: boolean;
  /** Groups in which a selected thread needs a hue of its own. */
  readonly #crowded: ReadonlySet<number>;
  /** Hues for threads that stand out of a large group; none where no group is large. */
  readonly free: readonly number[];

  constructor(names: Names) {
    const members = names.groups.map((): number[] => []);
    names.taskGroup.forEach((group, task) => members[group]?.push(task));
    const workload = names.groups.flatMap((g, i) => (g.background ? [] : [i]));
    const [only] = workload;
    this.areOwn = workload.length === 1 && (members[only ?? 0]?.length ?? 0) <= HUES;
    const tasks = names.taskGroup.map(() => DAEMON);
    const groups = names.groups.map(() => DAEMON);
    const crowded = new Set<number>();
    workload.forEach((group, place) => {
      const mine = members[group] ?? [];
      const family = `--family-${String((place % FAMILIES) + 1)}`;
      const rim = `${family}-rim`;
      if (mine.length > HUES) crowded.add(group);
      groups[group] = { fill: family, rim };
      const steps = STEPS[mine.length];
      mine.forEach((task, i) => {
        if (this.areOwn) tasks[task] = own(i + 1);
        else if (mine.length > HUES) tasks[task] = { fill: `${family}-pale`, rim };
        else tasks[task] = { fill: `${family}${steps?.[i] ?? ''}`, rim };
      });
    });
    this.tasks = tasks;
    this.groups = groups;
    this.#crowded = crowded;
    this.free =
      crowded.size === 0 ? [] : [...OF_NONE, ...OF_FAMILIES.slice(workload.length).reverse()];
  }

  of(task: number, group: number, selected: number | null, standing: Standing | undefined) {
    if (this.#crowded.has(group)) {
      const hue = standing?.get(task) ?? (task === selected ? SELECTED : undefined);
      if (hue !== undefined) return own(hue);
    }
    return this.tasks[task] ?? DAEMON;
  }
}

/** Threads that stand out of large groups now, and the numbers of their hues. */
type Standing = ReadonlyMap<number, number>;

const standingOf = new WeakMap<Names, Standing>();

const known = new WeakMap<Names, Hues>();
/** The hues that were read last: most reads are for the same names. */
let last: { names: Names; hues: Hues } | null = null;

function huesOf(names: Names): Hues {
  if (last?.names === names) return last.hues;
  let hues = known.get(names);
  if (!hues) known.set(names, (hues = new Hues(names)));
  last = { names, hues };
  return hues;
}

/** The hue of a thread; a selected thread of a large group has one of its own. */
export function taskHue(names: Names, task: number, selected: number | null = null): ThreadHue {
  const group = names.taskGroup[task] ?? -1;
  return huesOf(names).of(task, group, selected, standingOf.get(names));
}

/** The hue of a group where its threads have none of their own. */
export function groupHue(names: Names, group: number): ThreadHue {
  return huesOf(names).groups[group] ?? DAEMON;
}

/** Whether each thread of the workload has a hue of its own. */
export function hasOwnHues(names: Names): boolean {
  return huesOf(names).areOwn;
}

/** Hues for threads that stand out of large groups; none where no group is large. */
export function freeHues(names: Names): readonly number[] {
  return huesOf(names).free;
}

/** Sets the threads that stand out of a lane's large groups. */
export function standOut(names: Names, hues: Standing): void {
  standingOf.set(names, hues);
}

/** A thread that stands out of a large group. By name, so that it does so in every lane. */
export interface StandingOut {
  readonly name: string;
  readonly hue: number;
  readonly sinceMs: number;
}

/** Most threads that stand out. */
const MOST_STANDING = 6;
/** A colour that changes sooner could not be followed. */
const HELD_MS = 5_000;

/**
 * Chooses the threads that stand out: those with the highest scores. A thread that stands out keeps its hue for some
 * seconds, and longer if no other has a higher score.
 */
export function chooseStanding(
  held: readonly StandingOut[],
  scores: ReadonlyMap<string, number>,
  free: readonly number[],
  nowMs: number,
): readonly StandingOut[] {
  const most = Math.min(MOST_STANDING, free.length);
  const best = [...scores]
    .filter(([, score]) => score > 0)
    .sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]))
    .slice(0, most)
    .map(([name]) => name);
  const kept = held
    .filter(({ name, hue }) => scores.has(name) && free.includes(hue))
    .filter(({ name, sinceMs }) => nowMs - sinceMs < HELD_MS || best.includes(name))
    .slice(0, most);
  const unused = free.filter((hue) => !kept.some((k) => k.hue === hue));
  const fresh = best.filter((name) => !kept.some((k) => k.name === name));
  return [
    ...kept,
    ...fresh
      .slice(0, most - kept.length)
      .map((name, i) => ({ name, hue: unused[i] ?? SELECTED, sinceMs: nowMs })),
  ];
}
