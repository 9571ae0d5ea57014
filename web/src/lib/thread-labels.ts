/**
 * The label on a token: the thread's number in its group. Where two groups of the workload have the same number, the
 * beginning of the group's name stands before it (`f1`, `s1`), so a label is unique in its lane.
 */

/** The names of a lane: its threads, its groups, and the group of each thread. */
interface Names {
  readonly tasks: readonly string[];
  readonly groups: readonly { readonly name: string; readonly background: boolean }[];
  readonly taskGroup: readonly number[];
}

/** Most letters of a group's name. */
const MOST_LETTERS = 3;

const known = new WeakMap<Names, readonly string[]>();

/** The labels of all threads. */
export function labelsOf(names: Names): readonly string[] {
  let labels = known.get(names);
  if (!labels) known.set(names, (labels = freshLabels(names)));
  return labels;
}

function freshLabels({ tasks, groups, taskGroup }: Names): string[] {
  const numbers = tasks.map((name) => {
    const cut = name.lastIndexOf('-');
    return cut < 0 ? name.slice(0, MOST_LETTERS) : name.slice(cut + 1);
  });
  const own = numbers.filter((_, task) => groups[taskGroup[task] ?? -1]?.background === false);
  if (new Set(own).size === own.length) return numbers;
  const workload = groups.filter((group) => !group.background).map(({ name }) => name);
  const areUnique = (letters: number) =>
    new Set(workload.map((name) => name.slice(0, letters))).size === workload.length;
  const lengths = Array.from({ length: MOST_LETTERS }, (_, i) => i + 1);
  const letters = lengths.find(areUnique) ?? MOST_LETTERS;
  return numbers.map((number, task) => {
    const name = groups[taskGroup[task] ?? -1]?.name ?? '';
    return `${name.slice(0, letters)}${number}`;
  });
}
