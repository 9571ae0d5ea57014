/**
 * Templates of sentences: names in braces stand for the thread, the CPU and the operands of a decision. Words behind the
 * name of an operand stand for the one that agrees with it: `{waiting|waits|wait}`.
 */
import { NOTHING, oneOrMany, withUnit } from '../../lib/format';
import type { DecisionView } from '../../sim/types/DecisionView';
import type { OperandView } from '../../sim/types/OperandView';

/** A number of a decision: with its unit, or the name of what has this number. */
export const operandText = ({ named, value, unit }: OperandView): string =>
  named ?? withUnit(value, unit);

/** The data that fill a template. */
export type DecisionFacts = Pick<DecisionView, 'cpu' | 'taskName' | 'operands'>;

const NAME = /\{([^{}|]+)(?:\|([^{}|]*)\|([^{}|]*))?\}/g;

/** The names in a template. */
export function namesIn(template: string): readonly string[] {
  return [...template.matchAll(NAME)].flatMap(([, name]) => (name === undefined ? [] : [name]));
}

function valueOf(name: string, one: string | undefined, many = '', facts: DecisionFacts): string {
  if (name === 'who') return facts.taskName ?? 'no thread';
  if (name === 'where') return facts.cpu === null ? 'no cpu' : `cpu ${String(facts.cpu)}`;
  const operand = facts.operands.find((o) => o.name === name);
  if (one !== undefined) return oneOrMany(operand?.value ?? NaN, one, many);
  return operand ? operandText(operand) : NOTHING;
}

/** The template without a decision: with general words for thread, CPU and numbers. */
export function inGeneral(template: string): string {
  const text = template.replace(NAME, (_, name: string, one?: string, many = '') =>
    name === 'who' ? 'a thread' : name === 'where' ? 'a CPU' : one === undefined ? '…' : many,
  );
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The template filled in; an en dash stands for a missing operand. */
export function fill(template: string, facts: DecisionFacts): string {
  return template.replace(NAME, (_, name: string, one?: string, many?: string) =>
    valueOf(name, one, many, facts),
  );
}
