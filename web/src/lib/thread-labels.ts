/**
 * The label on a token: the thread's number in its group. Where two groups of the workload have the same number, the
 * beginning of the group's name stands before it (`f1`, `s1`), so a label is unique in its lane. Where the names begin
 * alike, the groups count as a, b, c.
 */

/** The names of a lane: its threads, its groups, and the group of each thread. */
interface Names {
  readonly tasks: readonly string[];
  readonly groups: readonly { readonly name: string; readonly background: boolean }[];
  readonly taskGroup: readonly number[];
}

/** Most letters of a group's name, and of the name of a thread without a number. */
const [MOST_LETTERS, MOST_OF_NAME] = [2, 3];

/** The letter a, and how many there are. */
const [A, LETTERS] = [97, 26];

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
    return cut < 0 ? name.slice(0, MOST_OF_NAME) : name.slice(cut + 1);
  });
  const own = numbers.filter((_, task) => groups[taskGroup[task] ?? -1]?.background === false);
  if (new Set(own).size === own.length) return numbers;
  const workload = groups.filter((group) => !group.background).map(({ name }) => name);
  const areUnique = (letters: number) =>
    new Set(workload.map((name) => name.slice(0, letters))).size === workload.length;
  const lengths = Array.from({ length: MOST_LETTERS }, (_, i) => i + 1);
  const letters = lengths.find(areUnique);
  const lettersOf = ({ name, background }: Names['groups'][number]) => {
    if (background || letters !== undefined) return name.slice(0, letters ?? 1);
    return String.fromCodePoint(A + (workload.indexOf(name) % LETTERS));
  };
  return numbers.map((number, task) => {
    const group = groups[taskGroup[task] ?? -1];
    return `${group ? lettersOf(group) : ''}${number}`;
  });
}
