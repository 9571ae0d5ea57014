/**
 * Paths of properties, as the core reads them: names and numbers, separated by dots. A name in which a dot stands is
 * written in quotation marks.
 */
import type { Catalog } from '../types/Catalog';
import type { Property } from '../types/Property';

const STEP = /^(?:"(?:[^"\\]|\\.)*"|[^".][^.]*)(?=\.|$)/;

/** The steps of a path; null if it is none. */
export function stepsOf(path: string): string[] | null {
  const steps: string[] = [];
  for (let rest = path; ; rest = rest.slice(1)) {
    const [step] = STEP.exec(rest) ?? [];
    if (step === undefined) return null;
    steps.push(step.startsWith('"') ? nameIn(step) : step);
    rest = rest.slice(step.length);
    if (rest === '') return steps.includes('') ? null : withoutLists(steps);
  }
}

function nameIn(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return '';
  }
}

/** Tunables and parameters stand without the list that holds them. */
function withoutLists(steps: string[]): string[] {
  if (steps[0] === 'lanes' && steps.length === 4 && steps[2] === 'tunables') steps.splice(2, 1);
  if (steps[0] === 'groups' && steps.length === 5 && steps[3] === 'params') steps.splice(3, 1);
  return steps;
}

/** The path of some steps. */
export function pathOf(steps: readonly string[]): string {
  return steps.map((step) => (/[."=@]/.test(step) ? JSON.stringify(step) : step)).join('.');
}

function matches(pattern: string, steps: readonly string[]): boolean {
  const words = pattern.split('.');
  const isOpen = words.at(-1) === '**';
  if (isOpen ? steps.length < words.length : steps.length !== words.length) return false;
  return words.every((word, i) => word.startsWith('*') || word === steps[i]);
}

/** The row of the table for a path, if there is one. */
export function rowOf(steps: readonly string[], { properties }: Catalog): Property | undefined {
  return properties.find(({ path }) => matches(path, steps));
}

/** Whether the table has rows for what is inside of this place. */
export function hasRowsBelow(steps: readonly string[], { properties }: Catalog): boolean {
  return properties.some(({ path }) => {
    const words = path.split('.');
    if (words.at(-1) === '**' && steps.length >= words.length) return matches(path, steps);
    return words.length > steps.length && matches(words.slice(0, steps.length).join('.'), steps);
  });
}

/** Whether a path could begin with this word. */
export function isRoot(word: string, { properties }: Catalog): boolean {
  return properties.some(({ path }) => path.split('.', 1)[0] === word);
}
