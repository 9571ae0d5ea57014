/**
 * Chooses the question of the answer line: the reader's choice, else the scenario's own, else the first rule that
 * fits.
 */
import { coreWords } from '../../lib/language';
import type { Scenario } from '../../sim/types/Scenario';
import { measureOf, type Measure, type MeasureId } from './measures';

/** The question, with its measures. */
export interface Asking {
  readonly measure: Measure;
  /** The group or thread that the question is about; empty if it is about all. */
  readonly of: string;
  readonly question: string;
  /** The opposing measure. */
  readonly price: Measure;
  readonly better: Measure['better'];
  /** The fair value in the measure's own unit, where the scenario gives one. */
  readonly fair: number | null;
  /** Where the question comes from. */
  readonly by: 'reader' | 'scenario' | 'rule';
  /** The expression with which the scenario answers it, in place of the measure; null without one. */
  readonly expression: string | null;
}

/** The reader's choice, which takes the place of the question. */
export interface Choice {
  readonly measure?: MeasureId;
  readonly price?: MeasureId;
  /** The reader's own expression is the large number. */
  readonly isOwn?: boolean;
}

/** What rules read besides the scenario. */
export interface Facts {
  /** Whether a thread of the workload has slept. */
  readonly sleeps: boolean;
  /** Whether a thread of the workload has had a deadline. */
  readonly hasDeadlines: boolean;
  readonly cores: number;
  readonly threads: number;
  /** Whether threads slow each other down: cores have siblings, or threads sweep memory. */
  readonly shares: boolean;
}

function priceOf(measure: MeasureId): MeasureId {
  return measure === 'moves' ? 'leastShare' : 'moves';
}

/** Whether groups differ in what they do or in their nice value. */
function areUnlike({ groups }: Scenario): boolean {
  const kind = (g: Scenario['groups'][number]) => JSON.stringify([g.nice, g.behaviour]);
  return new Set(groups.map(kind)).size > 1;
}

/** The measure of the first rule that fits, and what it is about. */
export function ruleOf(scenario: Scenario, facts: Facts): { measure: MeasureId; of: string } {
  if (scenario.end.whenAllExited) return { measure: 'lastExit', of: '' };
  if (facts.hasDeadlines) return { measure: 'missedDeadlines', of: '' };
  if (areUnlike(scenario)) return { measure: 'share', of: scenario.groups[0]?.name ?? '' };
  if (facts.sleeps) return { measure: 'longestWait', of: '' };
  if (facts.shares && facts.threads <= facts.cores) return { measure: 'throughput', of: '' };
  return { measure: 'leastShare', of: '' };
}

/**
 * Whether the scenario's answer tells anything. What it measured of few jobs says nothing of more jobs than cores: these
 * fill every core, whoever places them.
 */
function tells({ answer, ask }: Scenario, { cores, threads }: Facts): boolean {
  return ask !== '' || answer?.measure !== 'throughput' || threads <= cores;
}

/** The question of the answer line. */
export function askingOf(scenario: Scenario, facts: Facts, choice: Choice): Asking {
  const own = tells(scenario, facts) ? scenario.answer : undefined;
  const rule = ruleOf(scenario, facts);
  const id = choice.measure ?? own?.measure ?? rule.measure;
  const expression = choice.measure === undefined ? (own?.expression ?? null) : null;
  const isOwn = own !== undefined && (expression !== null || own.measure === id);
  const group = rule.of === '' ? (scenario.groups[0]?.name ?? '') : rule.of;
  const ownOf = isOwn ? (own.of ?? '') : '';
  const of = id === 'share' ? ownOf || group : id === 'longestWait' ? ownOf : '';
  const measure = measureOf(id);
  // The scenario's own question stands with its own answer, or with the answer of the rule.
  const isAsked = scenario.ask !== '' && (isOwn || (!own && choice.measure === undefined));
  const question = isAsked ? coreWords(scenario.ask) : (expression ?? measure.question(of));
  return {
    measure,
    of,
    question,
    expression,
    price: measureOf(choice.price ?? (isOwn && own.price ? own.price : priceOf(id))),
    better: (isOwn ? own.better : undefined) ?? (expression === null ? measure.better : 'none'),
    fair: (isOwn ? own.fair : undefined) ?? null,
    by: choice.measure ? 'reader' : isOwn ? 'scenario' : 'rule',
  };
}
