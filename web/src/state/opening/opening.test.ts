/** Scenarios and links that open without a page, and what the address then says. */
import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { realCore } from '../../sim/test-core';
import type { Catalog } from '../../sim/types/Catalog';
import { idle, momentOf, openLab, ofGroup } from '../test-lab';

/** For hangs: scenarios with hundreds of threads take a while on a slow machine. */
vi.setConfig({ testTimeout: 60_000 });

const { scenarios } = JSON.parse(realCore.catalog()) as Catalog;

describe('the address', () => {
  it('of an unchanged scenario is short at its opening', async () => {
    const link = 's.bfs-smt';
    const lab = await openLab(link);
    const opened = momentOf(lab);
    const now = async () => {
      await idle(lab);
      await lab.address.update();
      return lab.address.fragment;
    };
    expect(await now()).toBe(link);
    lab.steps.kind = 'event';
    lab.steps.step();
    expect(await now()).toMatch(/^v=2&x=bfs-smt&t=/);
    await lab.playback.seek(opened.now);
    expect(await now()).toBe(link);
    lab.editing.change(ofGroup(lab, 0, 'count', 5));
    expect(await now()).toMatch(/^v=2&x=bfs-smt&/);
    expect(momentOf(await openLab('bfs-smt'))).toEqual(opened);
  });

  it('follows a change after an edit that names no target', async () => {
    const lab = await openLab('s.bfs-smt');
    await lab.openScenario(
      {
        version: 1,
        name: 'Short',
        machine: 'i7860',
        schedulers: [{ id: 'cfs' }],
        groups: [{ name: 'a', count: 3, behaviour: { kind: 'compute' } }],
        edits: [{ atNs: 5_000_000, edit: { kind: 'unpin' } }],
        end: { atNs: 1_000_000_000 },
      },
      'given',
    );
    await lab.playback.seek(20_000_000);
    await lab.address.update();
    const first = lab.address.fragment;
    lab.editing.change(ofGroup(lab, 0, 'count', 5));
    await idle(lab);
    await lab.address.update();
    expect(lab.address.fragment).not.toBe(first);
    const again = await openLab(lab.address.fragment);
    expect(momentOf(again)).toEqual(momentOf(lab));
    expect(again.run.lanes[0]?.present.groups[0]?.count).toBe(5);
  });
});

describe('a shipped scenario', () => {
  it.each(scenarios.map(({ id }) => id))('opens by its short link, which stays: %s', async (id) => {
    const lab = await openLab(`s.${id}`);
    expect(lab.run.lanes.length).toBeGreaterThan(0);
    expect(lab.run.lanes.every((lane) => lane.digest !== null)).toBe(true);
    await lab.address.update();
    expect(lab.address.fragment).toBe(`s.${id}`);
    expect(lab.notices.list).toEqual([]);
  });

  it('opens as a file, though its edit names no target', async () => {
    const lab = await openLab('s.bfs-smt');
    const text = readFileSync(
      `${import.meta.dirname}/../../../../scenarios/experiments/s2c-512-threads.json`,
      'utf8',
    );
    await lab.work.openText(text, 'dropped.json');
    await idle(lab);
    expect(lab.work.refused).toBeNull();
    expect(lab.config?.scenario.name).toBe('512 threads set free on 32 cores');
    expect(lab.run.lanes[0]?.present.groups[0]?.count).toBe(512);
  });
});
