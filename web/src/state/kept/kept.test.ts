/**
 * Work is written before anything else is on the page, however soon that is opened. TIMESLICE_CASES openings (40
 * unless told), from the seed TIMESLICE_FUZZ_SEED: `npm run walks -- N SEED`.
 */
import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fragment, replaceFragment, stateOfAddress } from '../../browser/address-bar';
import { must } from '../../lib/assert';
import { KeptStore } from '../../storage/kept-store';
import type { Lab } from '../lab.svelte';
import { labOfWalks, settled, SMALL_FILE } from '../test-lab';

const OPENINGS = Number(process.env['TIMESLICE_CASES'] ?? 40);
const SEED = Number(process.env['TIMESLICE_FUZZ_SEED'] ?? 318);

/** All that brings something else to the page. */
const OPENINGS_OF: Readonly<Record<string, (lab: Lab, n: number) => unknown>> = {
  link: (lab, n) => lab.address.go(`bfs-smt&k=${String((n % 5) + 1)}&t=2`),
  file: (lab) => lab.work.openText(SMALL_FILE, 'a file'),
  lesson: (lab) => lab.address.go('l1.1'),
  own: (lab) => lab.kept.open(lab.kept.id),
  other: (lab, n) => lab.kept.open(lab.kept.list[n % Math.max(1, lab.kept.list.length)]?.id ?? ''),
  start: (lab) => lab.address.go('start'),
  leave: () => dispatchEvent(new Event('pagehide')),
  freeze: () => globalThis.document.dispatchEvent(new Event('freeze')),
};

/** Changes of a running scenario, and such that begin it again. */
const CHANGES: Readonly<Record<string, (lab: Lab, n: number) => void>> = {
  edit: (lab, n) => {
    lab.editing.change({ set: 'groups.*.nice', to: (n % 19) + 1 });
  },
  restart: (lab, n) => {
    lab.editing.change({ set: 'seed', to: n + 2 });
  },
};

/** Null: in the same moment. */
const delay = fc.oneof(fc.constant(null), fc.nat(20), fc.nat(350));
const opening = fc.record({
  change: fc.constantFrom(...Object.keys(CHANGES)),
  open: fc.constantFrom(...Object.keys(OPENINGS_OF)),
  delay,
  n: fc.nat(1000),
});

describe('work', () => {
  beforeEach(() => {
    vi.stubGlobal('indexedDB', new IDBFactory());
    // Each test is a tab of its own.
    replaceFragment('');
    return () => {
      vi.unstubAllGlobals();
    };
  });

  it('is written when storage comes back, whatever is open by then, and the sentence goes', async () => {
    const lab = await labOfWalks('bfs-smt&k=3&t=5');
    const { indexedDB: storage } = globalThis;
    const refuse = () => {
      throw new DOMException('no', 'SecurityError');
    };
    vi.stubGlobal('indexedDB', { open: refuse });
    const ids: string[] = [];
    for (const seed of [7, 8]) {
      await lab.address.go(`bfs-smt&k=${String(seed)}`);
      ids.push(lab.kept.id);
      lab.editing.change({ set: 'seed', to: seed });
      await settled(lab);
      await lab.kept.keep();
    }
    const sentences = () => lab.notices.list.filter(({ text }) => text.includes('keep your work'));
    expect(sentences()).toHaveLength(1);
    expect(lab.kept.isRefused).toBe(true);
    await lab.kept.retry();
    expect(sentences()).toHaveLength(1);
    vi.stubGlobal('indexedDB', storage);
    await lab.kept.retry();
    expect(sentences()).toEqual([]);
    expect(lab.kept.isRefused).toBe(false);
    const keptStore = await KeptStore.open(null);
    const kept = await Promise.all(ids.map((id) => keptStore.take(id)));
    expect(kept.map((work) => work?.scenario)).toMatchObject([{ seed: 7 }, { seed: 8 }]);
  });

  it('is the same piece in a tab that is loaded again, even twice at once', async () => {
    const lab = await labOfWalks('bfs-smt&k=3&t=5');
    lab.editing.change({ set: 'seed', to: 7 });
    await settled(lab);
    await lab.kept.keep();
    await lab.address.update();
    const [id, written] = [lab.kept.id, fragment()];
    lab.run.close();
    // The first of the two has written its address, and is gone before it has read what is kept.
    const hasty = await labOfWalks(written);
    await hasty.address.update();
    hasty.run.close();
    const again = await labOfWalks(written);
    await again.kept.wake();
    expect(again.kept.id).toBe(id);
    await again.address.update();
    expect(stateOfAddress()).toEqual({ work: id });
    // What is opened later is another piece.
    await again.address.go('bfs-smt&s=bfs');
    await again.address.update();
    expect(again.kept.id).not.toBe(id);
    expect(stateOfAddress()).toEqual({ work: again.kept.id });
    again.run.close();
  });

  it.each(Object.keys(CHANGES))(
    'has the change that a tab asked for right before it was frozen, and was discarded (%s)',
    async (change) => {
      const lab = await labOfWalks('bfs-smt&k=3&t=5');
      lab.address.follow();
      lab.kept.follow();
      await lab.address.update();
      CHANGES[change]?.(lab, 6);
      globalThis.document.dispatchEvent(new Event('freeze'));
      // Nothing of it runs any more; another page takes its place.
      const again = labOfWalks(fragment());
      lab.run.close();
      const loaded = await again;
      await loaded.kept.wake();
      await settled(loaded);
      const { seed, edits } = must(loaded.config, 'the document').scenario;
      if (change === 'restart') expect(seed).toBe(8);
      else expect(edits.map(({ set }) => set)).toEqual([{ 'groups.*.nice': 7 }]);
      // It is asked for once.
      await loaded.address.update();
      expect(stateOfAddress()).toEqual({ work: loaded.kept.id });
      loaded.run.close();
    },
  );

  it(
    'is written however soon something else is opened',
    async () => {
      const lab = await labOfWalks('bfs-smt&k=3&t=5');
      lab.kept.follow();
      await lab.kept.wake();
      const keptStore = await KeptStore.open(null);
      await fc.assert(
        fc.asyncProperty(opening, async ({ change, open, delay: ms, n }) => {
          await lab.address.go(`bfs-smt&k=${String((n % 7) + 3)}&t=5`);
          await settled(lab);
          const { id } = lab.kept;
          CHANGES[change]?.(lab, n);
          // What a page that goes away has not heard of from the core is not there to be written.
          if (open === 'leave' || open === 'freeze') await settled(lab);
          if (ms !== null) await new Promise((resolve) => setTimeout(resolve, ms));
          const opened = OPENINGS_OF[open]?.(lab, n);
          await opened;
          await settled(lab);
          const kept = must(await keptStore.take(id), 'the work').scenario as {
            seed: number;
            edits: { set: unknown }[];
          };
          if (change === 'edit')
            expect(kept.edits.map(({ set }) => set)).toEqual([{ 'groups.*.nice': (n % 19) + 1 }]);
          else expect(kept.seed).toBe(n + 2);
        }),
        { numRuns: OPENINGS, seed: SEED, endOnFailure: true },
      );
    },
    OPENINGS * 2_000,
  );
});
