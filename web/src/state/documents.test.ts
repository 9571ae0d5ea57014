/**
 * Undo belongs to its document: random walks of edits, openings, forks, lessons, Back, undo and redo on the real core.
 * TIMESLICE_CASES walks (60 unless told), from the seed TIMESLICE_FUZZ_SEED: `npm run walks -- N SEED`.
 */
import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { must } from '../lib/assert';
import { beginDrag } from './editing/gesture';
import type { Lab } from './lab.svelte';
import { viewOf } from './shown';
import { labOfWalks, settled, SMALL_FILE, ofGroup } from './test-lab';

const WALKS = Number(process.env['TIMESLICE_CASES'] ?? 60);
const SEED = Number(process.env['TIMESLICE_FUZZ_SEED'] ?? 318);

const LINKS = ['bfs-smt&k=3&t=5', 'bfs-smt&s=bfs&t=2', 's.bfs-smt', 's0-v890&t=1'];

/** All that belongs to the document on the page, as text. */
function documentOf(lab: Lab): string {
  const { baseId, origin, scenario } = must(lab.config, 'a document');
  const { id, title } = lab.kept;
  const digests = lab.run.lanes.map((lane) => lane.digest);
  const { nowNs } = lab.run;
  return JSON.stringify({ scenario, baseId, from: origin.scenario, id, title, nowNs, digests });
}

/** One action of a walk, by its number and another number for its details. */
type Action = readonly [string, number];

/** What a person does; `visited`: the links of the browser's history. */
const ACTIONS: Readonly<
  Record<string, (lab: Lab, n: number, visited: string[]) => Promise<void> | void>
> = {
  nice: (lab, n) => {
    lab.editing.change(ofGroup(lab, n % 2 === 0 ? null : 0, 'nice', (n % 19) + 1));
  },
  count: (lab, n) => {
    lab.editing.change(ofGroup(lab, 0, 'count', 4 + (n % 7)));
  },
  seed: (lab, n) => {
    lab.editing.change({ set: 'seed', to: n + 2 });
  },
  later: (lab, n) => lab.playback.seek(lab.run.nowNs + (n % 5) * 200_000),
  link: async (lab, n, visited) => {
    const fragment = LINKS[n % LINKS.length] ?? '';
    visited.push(fragment);
    await lab.address.go(fragment);
  },
  file: (lab, n) => lab.work.openText(SMALL_FILE, `file ${String(n)}`),
  kept: async (lab, n) => {
    const others = lab.kept.list.filter(({ id }) => id !== lab.kept.id);
    const work = others[n % Math.max(1, others.length)];
    if (work) await lab.kept.open(work.id);
  },
  fork: (lab) => lab.fork.make(),
  all: (lab) => (lab.editing.changes.length > 0 ? lab.editing.undoAll() : undefined),
  lesson: async (lab, n, visited) => {
    const fragment = `l${String((n % 3) + 1)}.1`;
    visited.push(fragment);
    await lab.address.go(fragment);
  },
  back: async (lab, _, visited) => {
    visited.pop();
    await lab.address.followHash(visited.at(-1) ?? 'bfs-smt&k=3&t=5');
  },
};

const WAYS = ['undo', 'undo', 'redo'] as const;
const walk = fc.array(fc.tuple(fc.constantFrom(...Object.keys(ACTIONS), ...WAYS), fc.nat(1000)), {
  minLength: 2,
  maxLength: 10,
});

/** Takes a walk, and compares what undo and redo bring with what was there. */
async function take(lab: Lab, actions: readonly Action[]): Promise<void> {
  const visited: string[] = [];
  const past: string[] = [];
  const future: string[] = [];
  for (const [kind, n] of actions) {
    await settled(lab);
    const before = documentOf(lab);
    const isBack = kind === 'undo';
    if (isBack || kind === 'redo') {
      const [from, to] = isBack ? [past, future] : [future, past];
      const goal = from.pop();
      if (goal === undefined) continue;
      to.push(before);
      lab.editing[isBack ? 'undo' : 'redo']();
      await settled(lab);
      expect(JSON.parse(documentOf(lab))).toEqual(JSON.parse(goal));
      expect(documentOf(lab)).toBe(goal);
      continue;
    }
    await ACTIONS[kind]?.(lab, n, visited);
    await settled(lab);
    if (kind === 'later' || documentOf(lab) === before) continue;
    past.push(before);
    future.length = 0;
  }
}

describe('undo', () => {
  beforeAll(() => {
    // No drag is left of tests before.
    dispatchEvent(new Event('pointerdown'));
    // Nothing is painted.
    vi.stubGlobal('requestAnimationFrame', (paint: (ms: number) => void) => {
      setTimeout(() => {
        paint(performance.now());
      });
      return 1;
    });
    vi.stubGlobal('indexedDB', new IDBFactory());
    return () => {
      vi.unstubAllGlobals();
    };
  });

  it('brings a document back as it was looked at; within one, nothing of that changes', async () => {
    const lab = await labOfWalks('s.bfs-smt');
    lab.window.tab = 'queues';
    lab.playback.setSpeed(50e6);
    lab.answer.choose({ measure: 'longestWait' });
    lab.window.set(0, 90e6);
    await settled(lab);
    const first = viewOf(lab);
    expect(first).toMatchObject({ tab: 'queues', speed: 50e6, measure: 'longestWait' });
    await lab.address.go('s0-v890&t=1&tab=shares&speed=5&lane=2');
    await settled(lab);
    const second = viewOf(lab);
    expect(second).toMatchObject({ tab: 'shares', speed: 5e6, lane: 1 });
    lab.editing.undo();
    await settled(lab);
    expect(lab.config?.baseId).toBe('bfs-smt');
    expect(viewOf(lab)).toEqual(first);
    expect(lab.address.page?.view).toEqual(first);
    lab.editing.redo();
    await settled(lab);
    expect(viewOf(lab)).toEqual(second);
    lab.editing.change({ set: 'seed', to: 3 });
    await settled(lab);
    lab.playback.setSpeed(7e6);
    lab.editing.undo();
    await settled(lab);
    expect(viewOf(lab)).toEqual({ ...second, speed: 7e6 });
  });

  it('takes its turn among changes, however fast they come', async () => {
    const lab = await labOfWalks('bfs-smt&k=3&t=5');
    const [first, mine] = [documentOf(lab), lab.kept.id];
    lab.editing.change(ofGroup(lab, 0, 'nice', 3));
    lab.editing.undo();
    lab.editing.change(ofGroup(lab, 0, 'nice', 4));
    const opened = lab.address.go('bfs-smt&s=bfs');
    lab.editing.change(ofGroup(lab, 0, 'nice', 5));
    await opened;
    await settled(lab);
    expect(lab.config?.scenario.edits).toEqual([]);
    lab.editing.undo();
    await settled(lab);
    expect(lab.kept.id).toBe(mine);
    const edits = lab.config?.scenario.edits.map(({ set }) => Object.values(set ?? {}));
    expect(edits).toEqual([[5]]);
    lab.editing.undo();
    await settled(lab);
    expect(documentOf(lab)).toBe(first);
  });

  it('of an opening in the middle of a drag keeps what was dragged', async () => {
    const lab = await labOfWalks('bfs-smt&k=3&t=5');
    beginDrag();
    lab.editing.change(ofGroup(lab, 0, 'nice', 3));
    await settled(lab);
    const before = documentOf(lab);
    // The browser's own Back button is no press on the page.
    await lab.address.followHash('bfs-smt&s=bfs');
    lab.editing.undo();
    await settled(lab);
    // The drag ends, for the tests that follow.
    dispatchEvent(new Event('pointerdown'));
    expect(documentOf(lab)).toBe(before);
  });

  it('has no step for a value that was set to itself before the run began', async () => {
    const lab = await labOfWalks('bfs-smt&k=3&t=5');
    const before = documentOf(lab);
    await lab.address.go('l1.1');
    await settled(lab);
    lab.editing.change(ofGroup(lab, 0, 'count', 9));
    await settled(lab);
    lab.editing.undo();
    await settled(lab);
    expect(documentOf(lab)).toBe(before);
  });

  it(
    'brings back the document before, byte for byte',
    async () => {
      await fc.assert(
        fc.asyncProperty(walk, async (actions) => {
          const lab = await labOfWalks('bfs-smt&k=3&t=5');
          try {
            await take(lab, actions);
          } finally {
            lab.run.close();
          }
        }),
        { numRuns: WALKS, seed: SEED },
      );
    },
    WALKS * 10_000,
  );
});
