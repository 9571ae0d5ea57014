/** What once broke the page, as it was found: kept entries that stopped Start, and links. */
import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { openDB } from 'idb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { messageOf, must } from '../lib/assert';
import { keptLink } from '../link/link';
import { language } from '../storage/language';
import { keptLessons } from '../storage/lesson-answers';
import { oldStore } from '../storage/old-kept-store';
import { KeptStore } from '../storage/kept-store';
import type { Lab } from './lab.svelte';
import HARMED from './harmed.json';
import { Prefs } from './prefs.svelte';
import { labOfWalks, settled } from './test-lab';

const store = must(oldStore(), 'a store');
const when = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

afterEach(() => {
  vi.unstubAllGlobals();
  for (let key = store.key(0); key !== null; key = store.key(0)) store.removeItem(key);
});

/** Waits for an opening as long as a person would, and then stops the journey, as Escape does. */
async function heldUpTo(lab: Lab, opening: Promise<unknown>): Promise<void> {
  const halt = setTimeout(() => {
    lab.playback.halt();
  }, 500);
  await opening;
  await settled(lab);
  clearTimeout(halt);
}

async function opened(fragment: string): Promise<Lab> {
  const lab = await labOfWalks('start');
  await heldUpTo(lab, lab.address.followHash(fragment));
  return lab;
}

describe('an entry that once stopped Start', () => {
  it.each(HARMED.kept.map((each, n) => [n, each] as const))(
    'is listed and opens (%i)',
    async (_, { kept, text, ls }) => {
      vi.stubGlobal('indexedDB', new IDBFactory());
      await (await KeptStore.open(null)).list();
      const db = await openDB('timeslice');
      await db.put('kept', kept);
      await db.put('texts', text, kept.id);
      db.close();
      for (const [key, value] of Object.entries(ls)) store.setItem(key, value);

      const lab = await labOfWalks('start');
      await lab.kept.wake();
      expect(lab.kept.list.map(({ id }) => id)).toEqual([kept.id]);
      const [work] = lab.kept.list;
      // What a card at Start and a row of the list show of it.
      expect(work && work.differs.join('; ') + when.format(work.savedAt)).toMatch(/2026/);
      expect(work && keptLink(work)).toContain(`&kept=${kept.id}`);
      expect(new Prefs().theme).toBe('system');
      expect([...keptLessons().keys()]).toEqual([]);
      expect(() => language()).not.toThrow();
      await lab.kept.open(kept.id);
      await settled(lab);
      expect(lab.kept.id).toBe(kept.id);
      expect(lab.run.lanes).toHaveLength(3);
      expect(lab.run.nowNs).toBe(kept.t);
    },
  );
});

describe('a link that once did harm', { timeout: 30_000 }, () => {
  it.each(HARMED.links.map((link) => [link.slice(0, 24), link]))(
    'opens: %s',
    async (_, link = '') => {
      const faults: unknown[] = [];
      const note = (error: unknown) => faults.push(messageOf(error));
      process.on('unhandledRejection', note);
      for (const first of [link, 'l1']) {
        const lab = await opened(first);
        const followed = lab.address.followHash(link);
        await heldUpTo(lab, followed);
        expect(lab.trouble).toBeNull();
        expect(lab.run.status).toBe('ready');
        expect(lab.run.lanes.length).toBeGreaterThan(0);
        await lab.address.update();
        expect(lab.address.fragment).not.toBe('');
      }
      process.off('unhandledRejection', note);
      expect(faults).toEqual([]);
    },
  );

  it('that has fewer lanes than the lesson before asks for none of those that are gone', async () => {
    const [lesson = '', link = ''] = HARMED.lessonThenLink;
    const lab = await labOfWalks(lesson);
    const opened = lab.address.followHash(link);
    // What the page asks of each lane while it draws.
    const asked = lab.run.lanes.flatMap(({ index }) => [
      lab.run.moves(index),
      lab.run.histogram(index, 'runDelay'),
    ]);
    const answers = await Promise.allSettled(asked);
    await opened;
    await settled(lab);
    expect(lab.run.lanes.length).toBeGreaterThan(0);
    for (const answer of answers)
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ name: 'Superseded' });
  });
});
