/**
 * Which colour a thread has: the same in every lane and every view. Up to a dozen threads of one group have a hue each.
 * Several groups, or more threads, have a family of hues for each group; up to four members are told apart by lightness.
 * Daemons are grey.
 */
/** Custom properties of a colour: see `styles/tokens.css`. */
export interface ThreadHue {
  readonly fill: string;
  /** Edge that is seen on the ground, whatever the fill. */
  readonly rim: string;
}

/** Of the names of a lane: its groups, and the group of each thread. */
interface Names {
  readonly groups: readonly { readonly background: boolean }[];
  readonly taskGroup: readonly number[];
}

/** Threads of one group that can be told apart by hue. */
export const HUES = 12;
/** Families of hues; more groups begin again. */
const FAMILIES = 6;
/** Members of a family that can be told apart by lightness, from dark to light, by how many there are. */
const STEPS: readonly (readonly string[])[] = [
  [],
  [''],
  ['-1', '-4'],
  ['-1', '', '-4'],
  ['-1', '-2', '-3', '-4'],
];
/** Hue of a selected thread among many: no family has it. */
const SELECTED = 12;

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
  /** Groups of which a selected thread has to stand out. */
  readonly #crowded: ReadonlySet<number>;

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
        else tasks[task] = { fill: `${family}${steps?.[i] ?? ''}`, rim };
      });
    });
    this.tasks = tasks;
    this.groups = groups;
    this.#crowded = crowded;
  }

  of(task: number, group: number, selected: number | null): ThreadHue {
    if (task === selected && this.#crowded.has(group)) return own(SELECTED);
    return this.tasks[task] ?? DAEMON;
  }
}

const known = new WeakMap<Names, Hues>();
/** Whose hues were asked for last: they are nearly always asked for again. */
let last: { names: Names; hues: Hues } | null = null;

function huesOf(names: Names): Hues {
  if (last?.names === names) return last.hues;
  let hues = known.get(names);
  if (!hues) known.set(names, (hues = new Hues(names)));
  last = { names, hues };
  return hues;
}

/** The hue of a thread; a selected one stands out of a crowd. */
export function taskHue(names: Names, task: number, selected: number | null = null): ThreadHue {
  return huesOf(names).of(task, names.taskGroup[task] ?? -1, selected);
}

/** The hue of a group where its threads have none of their own. */
export function groupHue(names: Names, group: number): ThreadHue {
  return huesOf(names).groups[group] ?? DAEMON;
}

/** Whether each thread of the workload has a hue of its own. */
export function hasOwnHues(names: Names): boolean {
  return huesOf(names).areOwn;
}
