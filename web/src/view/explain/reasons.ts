/** Words for decisions: those of the scheduler at hand, else of the baselines, else made from the code. */
import { withUnit } from '../../lib/format';
import type { DecisionView } from '../../sim/types/DecisionView';
import type { ReasonEntry } from '../../sim/types/ReasonEntry';
import { BASELINE } from './text/baseline';
import { BFS } from './text/bfs';
import { CFS } from './text/cfs';
import { FOURBSD } from './text/fourbsd';
import { generic } from './text/generic';
import { ULE } from './text/ule';

/** A decision with its operands at hand. */
export interface Said {
  readonly decision: DecisionView;
  /** The thread, by name. */
  readonly who: string;
  /** The CPU, by name. */
  readonly where: string;
  /** An operand as text with its unit; an en dash when the decision has none of that name. */
  readonly op: (name: string) => string;
  /** Its number, or NaN. */
  readonly num: (name: string) => number;
}

/** Makes a sentence. */
export type Wording = (s: Said) => string;

/** Sentences by reason code. */
export type Wordings = Readonly<Record<string, Wording>>;

const BY_SCHEDULER: Readonly<Record<string, Wordings>> = {
  bfs: BFS,
  cfs: CFS,
  '4bsd': FOURBSD,
  ule: ULE,
};

/** Gives a wording what it needs. */
export function saidOf(decision: DecisionView): Said {
  const find = (name: string) => decision.operands.find((o) => o.name === name);
  return {
    decision,
    who: decision.taskName ?? 'no thread',
    where: decision.cpu === null ? 'no cpu' : `cpu ${String(decision.cpu)}`,
    op: (name) => {
      const operand = find(name);
      return operand ? withUnit(operand.value, operand.unit) : '–';
    },
    num: (name) => find(name)?.value ?? Number.NaN,
  };
}

/** Whether a reason has words of its own. */
export function hasWording(scheduler: string, reason: string): boolean {
  return (BY_SCHEDULER[scheduler]?.[reason] ?? BASELINE[reason]) !== undefined;
}

/** The decision in a sentence. */
export function sentence(scheduler: string, decision: DecisionView): string {
  const wording =
    BY_SCHEDULER[scheduler]?.[decision.reason] ?? BASELINE[decision.reason] ?? generic;
  return wording(saidOf(decision));
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

/** Kinds of decisions that a scheduler makes, in the order of its reasons. */
export function kindsOf(scheduler: string, reasons: readonly ReasonEntry[]): readonly string[] {
  const own = reasons.filter((r) => hasWording(scheduler, r.id));
  return [...new Set(own.map((r) => r.kind))];
}

/** A kind of decision as a heading. */
export function kindName(kind: string): string {
  return KINDS[kind] ?? kind;
}
