/** Words for decisions, from the folder of the scheduler; where it has none, made from the code itself. */
import { duration, NOTHING, withUnit } from '../../lib/format';
import type { CandidateView } from '../../sim/types/CandidateView';
import type { DecisionView } from '../../sim/types/DecisionView';
import type { LaneState } from '../../state/lane.svelte';
import { textOf } from '../schedulers/folder';
import { fill, operandText } from '../schedulers/template';

/** Whether a reason has words of its own. */
export function hasWording(scheduler: string, reason: string): boolean {
  return textOf(scheduler, 'sentence', reason) !== null;
}

/** The decision in a sentence. */
export function sentence(scheduler: string, decision: DecisionView): string {
  const template = textOf(scheduler, 'sentence', decision.reason);
  return template === null ? generic(decision) : fill(template, decision);
}

/** The rule of a decision as a formula with its numbers; null if there is only a sentence. */
export function ruleOf(scheduler: string, decision: DecisionView): string | null {
  const template = textOf(scheduler, 'formula', decision.reason);
  return template === null ? null : fill(template, decision);
}

/** A candidate: a thread, or a CPU with the thread on it if that was compared. */
export function nameOfCandidate({ cpu, name }: CandidateView): string {
  if (cpu === null) return name ?? '';
  return name === null ? `cpu ${String(cpu)}` : `cpu ${String(cpu)}, ${name}`;
}

/** Units of a point or a stretch of time. */
const TIMES: ReadonlySet<string> = new Set(['ns', 'us', 'ms', 'atNs']);

/** The unit of the scores: a time, if the sentence gives one of the numbers as a time. */
function unitOfScores({ candidates, operands }: DecisionView): string {
  const like = operands.find(
    (o) => TIMES.has(o.unit) && candidates.some((c) => c.score === o.value),
  );
  return like?.unit ?? '';
}

/** A candidate's score, in the unit that the sentence gives to the same number. */
export function scoreOf(decision: DecisionView, { score }: CandidateView): string {
  return score < 4e18 ? withUnit(score, unitOfScores(decision)) : NOTHING;
}

/** The scores of two candidates as times, with no more digits than tell them apart; null if they are none. */
export function timesOf(
  decision: DecisionView,
  candidates: readonly CandidateView[],
): readonly string[] | null {
  const unit = unitOfScores(decision);
  if (unit === '' || candidates.some(({ score }) => score >= 4e18)) return null;
  const short =
    unit === 'atNs' || unit === 'ns' ? candidates.map(({ score }) => duration(score)) : [];
  return new Set(short).size === candidates.length
    ? short
    : candidates.map(({ score }) => withUnit(score, unit));
}

/** How the model departs from the kernel function in this decision; null if it does not. */
export function deviationOf(scheduler: string, reason: string): string | null {
  return textOf(scheduler, 'deviation', reason);
}

/** A sentence made from code and operands, for a reason without words: nothing is hidden. */
function generic(decision: DecisionView): string {
  const operands = decision.operands
    .filter((o) => o.name !== '')
    .map((o) => `${o.name} ${operandText(o)}`);
  const about = [
    decision.taskName ?? '',
    decision.cpu === null ? '' : `on cpu ${String(decision.cpu)}`,
  ]
    .filter(Boolean)
    .join(' ');
  const numbers = operands.length > 0 ? ` (${operands.join(', ')})` : '';
  return `${about === '' ? '' : `${about}: `}${reasonName(decision.reason)}${numbers}.`;
}

/** A reason as words: the kernel's own. */
export function reasonName(reason: string): string {
  return reason.replaceAll('_', ' ');
}

/** Kinds of decisions, as headings. */
const KINDS: Readonly<Record<string, string>> = {
  selectCpu: 'where to wake',
  pickNext: 'who runs next',
  preempt: 'preemption',
  noPreempt: 'no preemption',
  sliceEnd: 'end of a slice',
  balance: 'balancing',
  migrate: 'move',
  priority: 'change of priority',
  refuse: 'refusal',
  requeue: 'where it waits again',
  steal: 'taking a thread',
  inherit: 'parent and child',
};

/** The kinds of decisions in a lane, in the order of its reasons. */
export function kindsOf(lane: Pick<LaneState, 'reasons'>): readonly string[] {
  return [...new Set(lane.reasons.all.map((r) => r.kind))];
}

/** A kind of decision as a heading. */
export function kindName(kind: string): string {
  return KINDS[kind] ?? kind;
}
