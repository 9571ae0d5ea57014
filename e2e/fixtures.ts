/**
 * The base of every end-to-end test: a page whose complaints and requests to other hosts are recorded, and names for
 * its parts. No test waits for time; each waits until the page is idle.
 */
import { test as base, expect, type Frame, type Page } from '@playwright/test';
import type { MachineRects } from '../web/src/view/machine/rects';

/** What the page offers to tests; see `web/src/main.ts`. */
interface Sim {
  whenIdle(): Promise<void>;
  digests(): (string | null)[];
  shippedDigests(): Promise<string>;
  nowNs(): number;
  open(scenario: string): Promise<void>;
  seek(ns: number): Promise<void>;
  fail(how: 'panic' | 'memory'): void;
  stageRects(): readonly MachineRects[];
  unpainted(part: Element): readonly string[];
  seen(): readonly [number, number];
  costs(): readonly number[];
}

declare global {
  interface Window {
    __sim: Sim;
  }
}

/** Waits until the page has started, nothing plays, no request is open, and everything is drawn. */
export async function idle(page: Page | Frame): Promise<void> {
  await page.waitForFunction(() => '__sim' in window);
  await page.evaluate(() => window.__sim.whenIdle());
}

/** The page as a user meets it. */
export class Lab {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens the laboratory with a fragment, or with the first scenario, and waits until it is idle. */
  async open(fragment = 's.bfs-smt'): Promise<void> {
    await this.visit(`#${fragment}`);
  }

  /** Opens the page without a link. */
  async start(): Promise<void> {
    await this.visit('');
  }

  private async visit(address: string): Promise<void> {
    // A new document each time: a change of the fragment alone would not reload the page.
    await this.page.goto('about:blank');
    await this.page.goto(`./${address}`);
    await this.idle();
  }

  /** Waits until nothing plays, no request is open, and everything is drawn. */
  idle(): Promise<void> {
    return idle(this.page);
  }

  now(): Promise<number> {
    return this.page.evaluate(() => window.__sim.nowNs());
  }

  digests(): Promise<(string | null)[]> {
    return this.page.evaluate(() => window.__sim.digests());
  }

  /** Steps once by the given kind. */
  async step(kind: string, back = false): Promise<void> {
    await this.page.getByLabel('Step by').selectOption(kind);
    await this.page.getByRole('button', { name: back ? 'Step back' : 'Step', exact: true }).click();
    await this.idle();
  }

  /** Sets a number by its box. */
  async type(label: string, value: string): Promise<void> {
    const box = this.page.getByRole('spinbutton', { name: label, exact: true });
    await box.fill(value);
    await box.press('Tab');
    await this.idle();
  }

  /** Name of the scenario that is open. */
  scenario() {
    return this.page.getByRole('button', { name: /^Scenario:/ }).locator('.name');
  }

  /** A piece of work on the shelf at Start. */
  work(name: string) {
    const shelf = this.page.getByRole('region', { name: 'Your work' });
    return shelf.getByRole('link', { name });
  }

  /** Opens a card over the stage, if it is not open. */
  async panel(name: 'Setup' | 'Inspect'): Promise<void> {
    const button = this.page.getByRole('button', { name, exact: true });
    if ((await button.getAttribute('aria-expanded')) !== 'true') await button.click();
    await expect(button).toHaveAttribute('aria-expanded', 'true');
  }

  /** Chooses what the timelines show. */
  async tab(name: string): Promise<void> {
    await this.page.getByRole('tab', { name, exact: true }).click();
    await this.idle();
  }

  /** The lanes, by their headings. */
  lanes() {
    return this.page.locator('section.lane');
  }
}

export const test = base.extend<{ lab: Lab; complaints: string[] }>({
  complaints: [
    // eslint-disable-next-line no-empty-pattern -- Playwright wants a pattern here
    async ({}, use) => {
      await use([]);
    },
    { auto: true },
  ],
  lab: async ({ page, complaints, baseURL }, use) => {
    const home = new URL(baseURL ?? '').host;
    page.on('console', (message) => {
      // Playwright's own message where service workers are blocked.
      if (message.text().startsWith('Service Worker registration blocked')) return;
      if (['error', 'warning'].includes(message.type()))
        complaints.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => complaints.push(`page error: ${error.message}`));
    page.on('request', (request) => {
      const { protocol, host } = new URL(request.url());
      if (!['about:', 'blob:', 'data:', 'file:'].includes(protocol) && host !== home) {
        complaints.push(`request to another host: ${request.url()}`);
      }
    });
    await use(new Lab(page));
    expect(complaints).toEqual([]);
  },
});

export { expect };
