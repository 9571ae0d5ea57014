/** Runs axe on a page: one way for all tests, and the fastest with the same verdict. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** The rules of WCAG up to 2.2 AA, and axe's rules of good practice. */
export const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface What {
  /** Selector of a part of the page; without it, the whole page. */
  readonly part?: string;
  /** Only rules with one of these tags; without it, axe's default rules. */
  readonly tags?: readonly string[];
  /** Only these rules. */
  readonly rules?: readonly string[];
}

/**
 * Violations, one line for each rule: its id, the elements, and the reason. Only violations are requested, as axe
 * otherwise describes every element. Axe is told that there are no frames of other hosts, as it otherwise uses a page
 * of its own. Both save most of its time and change no verdict.
 */
export async function violations(page: Page, { part, tags, rules }: What = {}): Promise<string[]> {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode();
  if (tags) axe.withTags([...tags]);
  if (rules) axe.withRules([...rules]);
  if (part !== undefined) axe.include(part);
  const { violations: found } = await axe.analyze();
  return found.map(({ id, nodes }) => {
    const where = nodes.map((n) => `${n.target.join(' ')} ${n.failureSummary ?? ''}`);
    return `${id}: ${where.join(' | ')}`;
  });
}
