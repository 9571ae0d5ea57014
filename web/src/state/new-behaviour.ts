/** What threads do that are made anew, in the page: with values that files of before do not have. */
import type { BehaviourChoice } from '../sim/types/BehaviourChoice';
import type { BehaviourEntry } from '../sim/types/BehaviourEntry';

export function newBehaviour({ id, params }: BehaviourEntry): BehaviourChoice {
  const values = params.flatMap((p) => (p.forNew === null ? [] : [[p.id, p.forNew] as const]));
  return { kind: id, params: Object.fromEntries(values) };
}
