import { describe, expect, it } from 'vitest';
import { TaskState } from '../../sim/frame';
import { realCore } from '../../sim/test-core';
import type { Catalog } from '../../sim/types/Catalog';
import { type Change, toSet } from '../../state/editing/change';
import { MAX_LANES } from '../../state/fork/lanes';
import type { Lab } from '../../state/lab.svelte';
import { idle, momentOf, ofGroup, openLab } from '../../state/test-lab';
import { titleOfPage } from './title';

const catalog = JSON.parse(realCore.catalog()) as Catalog;
const MS = 1e6;

async function make(lab: Lab, change: Change): Promise<void> {
  lab.editing.change(change);
  await idle(lab);
}

/** The link of the present moment. */
async function linkOf(lab: Lab): Promise<string> {
  await lab.address.update();
  return lab.address.fragment;
}

/** Changes that make another run, and the words for them. */
const CHANGES: readonly (readonly [string, RegExp, (lab: Lab) => Change])[] = [
  [
    'processes',
    /threads? of|threads \(was/,
    (lab) => ofGroup(lab, 0, 'count', (lab.present[0]?.count ?? 0) + 1),
  ],
  [
    'lane',
    /\w/,
    ({ run }) =>
      run.lanes.length < MAX_LANES
        ? toSet(['lanes', String(run.lanes.length + 1)], { id: 'random' })
        : toSet(['lanes', '1']),
  ],
  [
    'machine',
    /machine /,
    ({ config }) => {
      const here = config?.scenario.machine;
      const other = catalog.machines.find(({ spec }) => spec.id !== here)?.spec.id ?? '';
      return toSet(['machine'], other);
    },
  ],
];

describe('a run that was changed', () => {
  it.each(catalog.scenarios.map(({ id, scenario }) => [id, scenario.ask ?? ''] as const))(
    'says so, until all changes are undone: %s',
    async (id, ask) => {
      expect(ask).not.toBe('');
      const lab = await openLab(id);
      const lanes = lab.run.lanes.length;
      const isAsOpened = () => {
        expect(lab.editing.changes).toEqual([]);
        expect(lab.answer.asking?.question).toBe(ask);
        expect(titleOfPage(lab)).not.toContain('changed');
      };
      const isChanged = (there: Lab, what: string, words: RegExp) => {
        expect(there.editing.changes.join(), what).toMatch(words);
        // The question is as true of one more scheduler. With one less it may have lost what it is about.
        const { length } = there.run.lanes;
        if (what !== 'lane') expect(there.answer.asking?.question, what).not.toBe(ask);
        else if (length > lanes) expect(there.answer.asking?.question, what).toBe(ask);
        expect(titleOfPage(there), what).toMatch(/^changed from “/);
      };
      isAsOpened();
      const before = momentOf(lab);
      for (const [what, words, changeOf] of CHANGES) {
        await make(lab, changeOf(lab));
        isChanged(lab, what, words);
        const link = what === 'processes' ? await linkOf(lab) : null;
        await lab.editing.undoAll();
        await idle(lab);
        isAsOpened();
        expect(momentOf(lab), what).toEqual(before);
        if (link !== null) isChanged(await openLab(link), link, words);
      }
    },
    60_000,
  );

  it('gets all its changes back by one undo', async () => {
    const lab = await openLab('bfs-smt&t=25');
    await make(lab, ofGroup(lab, 0, 'count', 6));
    await make(lab, toSet(['lanes', '3']));
    const { changes } = lab.editing;
    expect(changes).toHaveLength(2);
    await lab.editing.undoAll();
    expect(lab.run.lanes).toHaveLength(3);
    expect(lab.editing.changes).toEqual([]);
    lab.editing.undo();
    await idle(lab);
    expect(lab.run.lanes).toHaveLength(2);
    expect(lab.editing.changes).toEqual(changes);
  });

  it('stays at its time where a change is live, and begins again where it is not', async () => {
    const lab = await openLab('v=1&t=60');
    const { digests } = momentOf(lab);
    await make(lab, ofGroup(lab, 0, 'count', 9));
    expect(lab.run.nowNs).toBe(60 * MS);
    expect(lab.run.lanes[0]?.names.tasks.filter((name) => /^dhry-/.test(name))).toHaveLength(9);
    await make(lab, ofGroup(lab, 0, 'count', 2));
    expect(lab.present[0]?.count).toBe(2);
    expect(momentOf(lab).digests).not.toEqual(digests);
    await make(lab, toSet(['seed'], 12));
    expect(lab.run.nowNs).toBe(0);
    expect(lab.playback.message).toBe('Started again: this setting shapes the whole run.');
  });

  it('comes back from its link with its live edits', async () => {
    const lab = await openLab('v=1&t=60');
    await make(lab, ofGroup(lab, null, 'nice', 4));
    await make(lab, ofGroup(lab, 0, 'count', 6));
    await lab.playback.seek(75 * MS);
    const link = await linkOf(lab);
    expect(link).toContain('&groups.*.nice=4@60ms');
    expect(momentOf(await openLab(link))).toEqual(momentOf(lab));
  });

  it('has a group pinned while it runs, and a tunable set, until they are taken back', async () => {
    const lab = await openLab('v=1&x=bfs-smt&s=cfs&t=25');
    const runsOn = async (cpus: readonly number[]) => {
      await lab.playback.seek(lab.run.nowNs + 200 * MS);
      const { frame } = lab.run.lanes[0] ?? {};
      const [state, cpu] = [frame?.task('state') ?? [], frame?.task('cpu') ?? []];
      const running = [...state.keys()].filter((t) => state[t] === TaskState.running);
      return running.length > 0 && running.every((t) => cpus.includes(cpu[t] ?? -1));
    };
    const before = momentOf(lab);
    await make(lab, ofGroup(lab, 0, 'allowed', [2, 3]));
    expect(lab.present[0]?.allowed).toEqual([2, 3]);
    expect(await runsOn([2, 3])).toBe(true);
    lab.editing.undo();
    await idle(lab);
    expect(lab.present[0]?.allowed).toEqual([]);
    expect(momentOf(lab)).toEqual(before);
    expect(await runsOn([2, 3])).toBe(false);
    const was = lab.config?.scenario.schedulers[0]?.tunables;
    const tune = (to: number) => toSet(['lanes', '1', 'latencyNs'], to);
    const initial = Number(lab.run.lanes[0]?.present.tunables['latencyNs']);
    await lab.playback.seek(0);
    await make(lab, tune(initial + 1));
    expect(lab.config?.problems).toEqual([]);
    expect(lab.config?.scenario.schedulers[0]?.tunables).not.toEqual(was);
    await make(lab, tune(initial));
    expect(lab.config?.scenario.schedulers[0]?.tunables).toEqual(was);
  });

  it('has one thread stopped, resumed, copied, pinned and made nicer, also from its link', async () => {
    const lab = await openLab('bfs-smt&s=cfs&t=100');
    const thread = 'dhry-2';
    const stateOf = ({ run }: Lab) => {
      const lane = run.lanes[0];
      return lane?.frame.task('state')[lane.idOf.get(thread) ?? -1];
    };
    await make(lab, toSet(['threads', thread, 'paused'], true));
    for (const at of [150, 200]) {
      await lab.playback.seek(at * MS);
      expect(stateOf(lab)).toBe(TaskState.stopped);
    }
    const again = await openLab(await linkOf(lab));
    expect(momentOf(again)).toEqual(momentOf(lab));
    expect(stateOf(again)).toBe(TaskState.stopped);
    await make(lab, toSet(['threads', thread, 'paused'], false));
    await make(lab, { copy: thread });
    await lab.playback.seek(250 * MS);
    expect(stateOf(lab)).not.toBe(TaskState.stopped);
    expect(lab.present[0]?.count).toBe(5);
    await make(lab, toSet(['threads', thread, 'nice'], 7));
    await make(lab, toSet(['threads', thread, 'allowed'], [1]));
    expect(momentOf(await openLab(await linkOf(lab)))).toEqual(momentOf(lab));
  });
});
