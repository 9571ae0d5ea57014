/**
 * Work is written before anything else is on the page, however soon that is opened. TIMESLICE_CASES openings (40
 * unless told), from the seed TIMESLICE_FUZZ_SEED: `npm run walks -- N SEED`.
 */
import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { must } from '../lib/assert';
import { Shelf } from '../storage/shelf';
import type { Lab } from './lab.svelte';
import { labOfWalks, settled, SMALL_FILE } from './test-lab';

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
    lab.change({ kind: 'nice', group: null, nice: (n % 19) + 1 });
  },
  restart: (lab, n) => {
    lab.change({ kind: 'seed', seed: n + 2 });
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
      lab.change({ kind: 'seed', seed });
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
    const shelf = await Shelf.open(null);
    const kept = await Promise.all(ids.map((id) => shelf.take(id)));
    expect(kept.map((work) => work?.scenario)).toMatchObject([{ seed: 7 }, { seed: 8 }]);
  });

  it(
    'is written however soon something else is opened',
    async () => {
      const lab = await labOfWalks('bfs-smt&k=3&t=5');
      lab.kept.follow();
      await lab.kept.wake();
      const shelf = await Shelf.open(null);
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
          const kept = must(await shelf.take(id), 'the work').scenario as {
            seed: number;
            edits: { edit: unknown }[];
          };
          if (change === 'edit')
            expect(kept.edits.map(({ edit }) => edit)).toEqual([
              { kind: 'setNice', target: {}, nice: (n % 19) + 1 },
            ]);
          else expect(kept.seed).toBe(n + 2);
        }),
        { numRuns: OPENINGS, seed: SEED, endOnFailure: true },
      );
    },
    OPENINGS * 2_000,
  );
});
