/** A measure of the reader's own, on the real core: its values, its mistakes, its place in links, and what is offered. */
import { readFileSync } from 'node:fs';
import { flushSync } from 'svelte';
import { describe, expect, it, vi } from 'vitest';
import { LessonHost } from '../../sim/lesson/core';
import { lessonCore } from '../../sim/lesson/serve';
import { TestLessonWorker } from '../../sim/lesson/test-worker';
import { realCore } from '../../sim/test-core';
import { TestWorker } from '../../sim/test-worker';
import type { Catalog } from '../../sim/types/Catalog';
import type { OwnMeasure } from '../../sim/types/OwnMeasure';
import { Lab } from '../lab.svelte';
import { type Known, offersAt, placeOf } from './complete';
import { amountOf } from './own-line';

const MS = 1_000_000;
const SEC = 1_000 * MS;
const MANUAL = `${import.meta.dirname}/../../../../docs/manual/measures.md`;

const catalog = JSON.parse(realCore.catalog()) as Catalog;

/** The laboratory as the page has it, with the own measure followed. */
async function opened(fragment: string): Promise<Lab> {
  const lab = new Lab(
    () => new TestWorker(),
    () => {
      throw new Error('nothing is swept');
    },
    () => new TestLessonWorker(),
  );
  await lab.start(fragment, Promise.resolve());
  lab.answer.follow();
  return lab;
}

/** Types a text, as in the panel, and waits for what it gives. */
async function typed(lab: Lab, text: string): Promise<void> {
  const { own } = lab.answer;
  own.views = 1;
  own.text = text;
  await told(lab);
}

async function told(lab: Lab): Promise<void> {
  const { own } = lab.answer;
  await vi.waitFor(
    () => {
      flushSync();
      expect(own.found?.text).toBe(own.text.trim());
      expect(own.isWaiting).toBe(false);
    },
    { timeout: 20_000 },
  );
}

const shown = (lab: Lab) => lab.run.lanes.map(({ index }) => lab.answer.own.valueOf(index)?.text);

describe('the value of an expression', { timeout: 60_000 }, () => {
  it('is that of the command line, in every example of the manual', () => {
    const rows = [
      ...readFileSync(MANUAL, 'utf8').matchAll(/^\| `([\w-]+)` \| (\d+)s \| `(.+)` \| (.+) \|$/gm),
    ];
    const host = new LessonHost(lessonCore);
    const found = rows.map(([, id, seconds, text = '']) => {
      const scenario = catalog.scenarios.find((s) => s.id === id)?.scenario;
      if (!scenario) throw new Error(`no scenario ${String(id)}`);
      const args = { scenario, text, untilNs: Number(seconds) * SEC, language: 'en' };
      const { values } = host.answer({ id: 1, kind: 'measure', args }) as OwnMeasure;
      return values.map((value) => value.text.replaceAll('\u202f', ' ')).join(', ');
    });
    expect(rows.length).toBeGreaterThanOrEqual(12);
    expect(found).toEqual(rows.map((row) => row[4]));
  });

  it('follows the run, lane by lane, and goes back with it', async () => {
    const lab = await opened('s.cfs-eevdf');
    await lab.playback.seek(10 * SEC);
    await typed(lab, 'p(latencies(lane, half), 99)');
    expect(shown(lab)).toEqual(['0 ms', '7.99 ms', '3.99 ms']);
    expect(lab.answer.own.atNs).toBe(10 * SEC);
    await lab.playback.seek(1 * MS);
    await told(lab);
    expect(lab.answer.own.atNs).toBe(1 * MS);
    await typed(lab, 'argmin(moves(lane))');
    expect(lab.answer.own.isByLane).toBe(false);
  });

  it('stands in the answer line once it is chosen, and undo leaves it there', async () => {
    const lab = await opened('s.cfs-eevdf');
    await lab.playback.seek(1 * SEC);
    await typed(lab, 'share(lane, hog)');
    lab.editing.change({ set: 'seed', to: 5 });
    lab.answer.choose({ isOwn: true });
    await vi.waitFor(() => {
      expect(lab.config?.scenario.seed).toBe(5);
    });
    lab.editing.undo();
    await vi.waitFor(() => {
      expect(lab.config?.scenario.seed).not.toBe(5);
    });
    await told(lab);
    expect(lab.answer.asking?.question).toBe('share(lane, hog)');
    const line = lab.answer.line(lab.run.lanes);
    expect(line?.lanes.map(({ amount }) => amount.unit)).toEqual(['%', '%', '%']);
    lab.answer.choose({ measure: 'moves' });
    expect(lab.answer.asking?.measure.id).toBe('moves');
    expect(lab.answer.own.text).toBe('share(lane, hog)');
  });
});

describe('an expression of the scenario', { timeout: 60_000 }, () => {
  it('answers its question, with the fair value and the worst lane, until the reader asks something else', async () => {
    const lab = await opened('s.cfs-eevdf');
    const scenario = {
      ...lab.config?.scenario,
      answer: { expression: 'max(waits(lane, hog))', better: 'lower', fair: 5e6 },
    };
    await lab.openScenario(scenario, 'given');
    await lab.playback.seek(10 * SEC);
    const line = () => lab.answer.line(lab.run.lanes);
    const numbers = () => line()?.lanes.map(({ amount: { number } }) => number);
    await vi.waitFor(
      () => {
        flushSync();
        expect(numbers()).toEqual(['5.36', '5.00', '5.00']);
      },
      { timeout: 20_000 },
    );
    expect(line()?.fair).toBe('Fair would be 5.00 ms.');
    expect(line()?.lanes.map(({ isWorst }) => isWorst)).toEqual([true, false, false]);
    expect(lab.answer.asking?.by).toBe('scenario');
    lab.answer.choose({ measure: 'moves' });
    expect(lab.answer.asking?.expression).toBeNull();
    expect(line()?.lanes.map(({ isWorst }) => isWorst)).toEqual([false, false, false]);
    lab.answer.choice = {};
    expect(numbers()).toEqual(['5.36', '5.00', '5.00']);
  });

  it('is told with its column where it is wrong', async () => {
    const lab = await opened('s.cfs-eevdf');
    const scenario = { ...lab.config?.scenario, answer: { expression: 'share(lane, hgo)' } };
    await lab.openScenario(scenario, 'given');
    await vi.waitFor(
      () => {
        flushSync();
        expect(lab.answer.line(lab.run.lanes)?.fair).toMatch(/^Column 13: nobody is called "hgo"/);
      },
      { timeout: 20_000 },
    );
  });
});

describe('a mistake', { timeout: 60_000 }, () => {
  it('is told with its column, and nothing that was typed is lost', async () => {
    const lab = await opened('s.cfs-eevdf');
    for (const [text, column, message] of [
      ['max(waits(lane, hgo))', 17, /^nobody is called "hgo"; groups are hog, half/],
      ['max(waits(lane, hog)', 21, /expected an operator, a comma or \)/],
      ['1 + wiats(lane, hog)', 5, /"wiats" is no function; there are exit, /],
      ['share(lane)', 1, /lacks who; it is share\(lane, who\[, from, to\]\)/],
    ] as const) {
      await typed(lab, text);
      expect(lab.answer.own.mistake?.column).toBe(column);
      expect(lab.answer.own.mistake?.message).toMatch(message);
      expect(lab.answer.own.text).toBe(text);
    }
    await typed(lab, 'max(waits(lane, hog))');
    expect(lab.answer.own.mistake).toBeNull();
    expect(shown(lab)).not.toContain(undefined);
  });
});

describe('a link', { timeout: 60_000 }, () => {
  it('carries it, as the answer or beside it', async () => {
    const lab = await opened('s.cfs-eevdf');
    await typed(lab, 'p(latencies(lane, "half-1"), 99) * 2');
    await lab.address.update();
    expect(lab.address.fragment).toContain(
      'own=p(latencies(lane%2C%20%22half-1%22)%2C%2099)%20*%202',
    );
    lab.answer.choose({ isOwn: true });
    await lab.address.update();
    expect(lab.address.fragment).toContain('measure=p(latencies(lane%2C%20%22half-1%22)');
    const again = await opened(lab.address.fragment);
    await told(again);
    expect(again.notices.list).toEqual([]);
    expect(again.answer.own.text).toBe('p(latencies(lane, "half-1"), 99) * 2');
    expect(again.answer.isOwn).toBe(true);
    expect(again.address.page?.view).toEqual(lab.address.page?.view);
  });

  it('with a wrong one says so, and keeps it for mending', async () => {
    const lab = await opened('v=2&x=cfs-eevdf&t=100&measure=max(waits(lane%2C%20hgo))');
    await told(lab);
    const [first] = lab.notices.list;
    expect(first?.text).toMatch(
      /“max\(waits\(lane, hgo\)\)” is wrong in column 17: nobody is called/,
    );
    expect(lab.notices.list).toHaveLength(1);
    expect(lab.answer.own.text).toBe('max(waits(lane, hgo))');
  });
});

describe('what can be typed', () => {
  const known: Known = {
    catalog,
    lanes: [
      { name: 'CFS', scheduler: 'cfs' },
      { name: 'EEVDF', scheduler: 'eevdf' },
    ],
    groups: ['hog', 'two words'],
    threads: ['hog-1'],
  };
  /** The offers at a bar in a text. */
  const at = (text: string, all = false) => {
    const place = placeOf(text.replace('|', ''), text.indexOf('|'), catalog.functions);
    return offersAt(place, known, all).map(({ insert }) => insert);
  };

  it('fits the parameter', () => {
    expect(at('max(waits(|')).toEqual(['lane', '1', '2']);
    expect(at('max(waits(lane, |')).toEqual(['hog', '"two words"', 'all', '"hog-1"']);
    expect(at('max(waits(lane, "tw|')).toEqual(['"two words"']);
    expect(at('exit(1, |')).toEqual(['hog', '"two words"', 'last', 'first', '"hog-1"']);
    expect(at('count(lane, thread=|')).toEqual(['hog', '"two words"', '"hog-1"']);
    expect(at('metric(lane, migr|')).toContain('migrations');
    expect(at('tunable(2, base|').every((id) => id.startsWith('base'))).toBe(true);
    expect(at('share(lane, hog) + lat|')).toEqual(['latencies(']);
  });

  it('is everything where it is asked for, but what only lessons have', () => {
    expect(at('|')).toEqual([]);
    const all = at('|', true);
    expect(all).toContain('share(');
    expect(all).not.toContain('fork(');
    expect(all).toHaveLength(catalog.functions.filter((f) => !f.ofLessons).length);
  });

  it('replaces the word at the caret', () => {
    const place = placeOf('max(wai|ts(lane, hog))'.replace('|', ''), 7, catalog.functions);
    expect(place).toMatchObject({ from: 4, to: 9, begun: 'wai', parameter: 'list' });
  });
});

it('a value is drawn large with its unit apart, and a long list is cut', () => {
  const value = (text: string) => ({ number: null, unit: '', text });
  expect(amountOf(value('7.99 ms'))).toEqual({ number: '7.99', unit: 'ms' });
  expect(amountOf(value('1, 2, 3, 4, 5, 6')).number).toBe('1, 2, 3, 4, …');
  expect(amountOf(null).number).toBe('–');
});
