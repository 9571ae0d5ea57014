/** What a scenario says about its run: the question and what leads to it. It holds for that run alone. */
import { sameJson } from '../lib/json';
import type { Scenario } from '../sim/types/Scenario';

/** Who changes one of these has another run than the words are about. */
const SPOKEN_OF = [
  'machine',
  'schedulers',
  'groups',
  'background',
  'timing',
  'edits',
] as const satisfies readonly (keyof Scenario)[];

/** Words of a scenario that has none. */
const SILENT = { try: '' } satisfies Partial<Scenario>;

/** The parts of a scenario that are words about its run. */
export const WORDS = Object.keys(SILENT) as readonly (keyof typeof SILENT)[];

type Words = Pick<Scenario, keyof typeof SILENT>;

function wordsOf(scenario: Scenario): Words {
  return Object.fromEntries(WORDS.map((word) => [word, scenario[word]])) as Words;
}

/** Whether two scenarios have the same lanes, machine and threads. */
export function isSameRun(a: Scenario, b: Scenario): boolean {
  return SPOKEN_OF.every((part) => a[part] === b[part] || sameJson(a[part], b[part]));
}

/**
 * The scenario with the words of its origin as long as lanes, machine and threads are the origin's, else without them.
 * Words of its own stay.
 */
export function withWordsOf(scenario: Scenario, origin: Scenario): Scenario {
  const [own, told] = [wordsOf(scenario), wordsOf(origin)];
  if (!sameJson(own, SILENT) && !sameJson(own, told)) return scenario;
  const words = isSameRun(scenario, origin) ? told : SILENT;
  return sameJson(own, words) ? scenario : { ...scenario, ...words };
}
