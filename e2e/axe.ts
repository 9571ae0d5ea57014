/** What axe finds on a page: one way for all tests, and the quickest that asks the same. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** The rules of WCAG up to 2.2 AA, and what axe holds for good practice. */
export const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface What {
  /** A part of the page; all of it if left out. */
  readonly part?: string;
  /** Only rules with one of these tags; those that axe applies by itself if left out. */
  readonly tags?: readonly string[];
  /** Only these rules. */
  readonly rules?: readonly string[];
}

/**
 * What is wrong, one line for each rule: its id, where, and why. Axe describes every element that it looked at unless told
 * that only violations matter, and gathers frames in a page of its own unless told that there are none of other hosts:
 * both take most of its time and change no verdict.
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
