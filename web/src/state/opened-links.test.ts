/** Links that somebody else made: what the laboratory opens, and what it says. */
import { describe, expect, it, vi } from 'vitest';
import { pack } from '../link/packing';
import type { Lab } from './lab.svelte';
import { idle, openLab, ofGroup } from './test-lab';

const texts = (lab: Lab) => lab.notices.list.map(({ text }) => text);
const groupOf = (lab: Lab) => lab.config?.scenario.groups[0];

const SMALL = {
  version: 1,
  name: 'x',
  machine: 'i7860',
  schedulers: [{ id: 'bfs' }],
  groups: [{ name: 'a', count: 2, behaviour: { kind: 'dhrystone' } }],
  end: { atNs: 1_000_000_000 },
};

/** What is wrong with a link, the link, and what the page says. */
const HOSTILE: readonly (readonly [string, () => string | Promise<string>, RegExp])[] = [
  ['a count out of range', () => 'v=1&k=5001', /k must be a whole number from 0 to 5000 threads/],
  ['a time that is none', () => 'v=1&t=NaN', /t must be a time from 0 to/],
  ['an unknown machine', () => 'v=1&m=cray', /m must be one of i7860/],
  ['an unknown scheduler', () => 'v=1&s=bfs,nonsense', /s must be one to four of bfs/],
  ['another version', () => 'v=99', /made by a newer Timeslice/],
  ['a damaged pack', () => 'v=1&z=AAAA', /z is damaged/],
  [
    'a pack that is no scenario',
    async () => `v=1&z=${await pack('[1,2,3]')}`,
    /z must be a scenario/,
  ],
  [
    'a pack that grows without end',
    async () => `v=1&z=${await pack('\0'.repeat(5_000_000))}`,
    /z unpacks to more than 256 kB/,
  ],
  ['a pack that is too long', () => `v=1&z=${'A'.repeat(8500)}`, /z is longer than 8 kB/],
];

describe('a hostile link', { timeout: 60_000 }, () => {
  it.each(HOSTILE)(
    'with %s opens the default, says why, and runs',
    async (_, fragment, message) => {
      const lab = await openLab(await fragment());
      const [first] = lab.notices.list;
      expect(first?.tone).toBe('warning');
      expect(first?.text).toMatch(message);
      expect(lab.run.lanes).toHaveLength(3);
      const before = lab.run.nowNs;
      lab.playback.play();
      await vi.waitUntil(() => lab.run.nowNs > before);
      lab.playback.pause();
      await idle(lab);
    },
  );

  it('keeps right values of a packed scenario and names wrong ones', async () => {
    const scenario = {
      ...SMALL,
      name: '<img src=x onerror=alert(1)>',
      schedulers: [{ id: 'bfs' }, { id: 'nonsense' }],
      groups: [{ ...SMALL.groups[0], count: 1e9, colour: 'red' }],
    };
    const lab = await openLab(`v=1&z=${await pack(JSON.stringify(scenario))}`);
    expect(texts(lab)).toContainEqual(expect.stringMatching(/groups\[0\]\.colour: unknown field/));
    expect(texts(lab)).toContainEqual(expect.stringMatching(/groups\[0\]\.count.*from 0 to 5000/));
    expect(lab.config?.scenario.name).toBe('<img src=x onerror=alert(1)>');
    expect(groupOf(lab)?.count).toBe(1);
  });

  it('has characters that reverse a name or move a cursor replaced, also where edits refer to it', async () => {
    const bad = 'a\u001b[2J';
    const scenario = {
      ...SMALL,
      name: 'exe.\u202etxt.scenario',
      groups: [{ ...SMALL.groups[0], name: bad }],
      edits: [{ atNs: 5, set: { [`groups.${bad}.count`]: 1 } }],
    };
    const lab = await openLab(`v=2&z=${await pack(JSON.stringify(scenario))}&t=5`);
    expect(texts(lab)).toHaveLength(2);
    expect(texts(lab)[0]).toMatch(
      /name: must not hold control characters .* \\u\{202e\} .*These characters are replaced/,
    );
    expect(lab.config?.scenario.name).toBe('exe.\ufffdtxt.scenario');
    expect(lab.config?.scenario.edits[0]?.set).toEqual({
      [`groups.${groupOf(lab)?.name ?? ''}.count`]: 1,
    });
    const { name, groups } = lab.config?.scenario ?? {};
    for (const text of [...texts(lab), name, groups?.[0]?.name])
      for (const control of ['\u001b', '\u202e']) expect(text).not.toContain(control);
  });

  it('with an impossible machine gets the default one', async () => {
    const core = { count: 60_000, smt: 60_000, kind: '<img src=x onerror=alert(1)>' };
    const llc = { count: 60_000, cores: [core] };
    const machine = {
      id: 'x',
      name: '<script>alert(1)</script>',
      topology: {
        numbering: 'coresFirst',
        packages: [{ count: 60_000, nodes: [{ count: 60_000, llcs: [llc] }] }],
      },
    };
    const packed = await pack(JSON.stringify({ ...SMALL, machine }));
    const lab = await openLab(`v=1&x=bfs-smt&z=${packed}`);
    expect(texts(lab)[0]).toMatch(/machine.*The default is used/);
    expect(lab.config?.scenario.machine).toBe('i7860');
  });
});

describe('a link', () => {
  it('can be written by hand', async () => {
    const lab = await openLab('bfs-smt&s=bfs,random&k=6&nice=3&t=25');
    expect(lab.run.lanes.map(({ scheduler }) => scheduler)).toEqual(['bfs', 'random']);
    expect(groupOf(lab)).toMatchObject({ count: 6, nice: 3 });
    expect(lab.run.nowNs).toBe(25_000_000);
    expect(texts(lab)).toEqual([]);
  });

  it('restores the same moment, with changes', async () => {
    const lab = await openLab('bfs-smt&k=6&t=25');
    lab.editing.change(ofGroup(lab, 0, 'nice', 4));
    await idle(lab);
    lab.steps.step();
    await idle(lab);
    await lab.address.update();
    const { fragment } = lab.address;
    expect(fragment).toMatch(/&groups\.dhry\.nice=4@25ms&.*&d=[0-9a-f.]{26}$/);
    const again = await openLab(fragment);
    expect(again.run.nowNs).toBe(lab.run.nowNs);
    expect(again.run.lanes.map((lane) => lane.digest)).toEqual(
      lab.run.lanes.map((lane) => lane.digest),
    );
    expect(texts(again)).toEqual([]);
  });

  it('to a changed scenario that still stands at its opening brings back how it was shown', async () => {
    const lab = await openLab('s.s3-nice');
    const shown = (of: Lab) => [of.playback.speed, of.window.tab, of.run.nowNs];
    const was = shown(lab);
    expect(was).toEqual([expect.any(Number), expect.any(String), 0]);
    lab.editing.change(ofGroup(lab, 0, 'nice', 4));
    await idle(lab);
    expect(shown(lab)).toEqual(was);
    await lab.address.update();
    const again = await openLab(lab.address.fragment);
    expect(shown(again)).toEqual(was);
    // Neither is what a new page shows.
    const plain = await openLab('v=2&x=s3-nice&groups.first.nice=4&t=0');
    for (const i of [0, 1]) expect(shown(plain)[i]).not.toEqual(was[i]);
  });

  it('whose run differs from the time when it was made says so, in one sentence', async () => {
    const lab = await openLab('v=2&x=bfs-smt&t=25&d=00000000.00000000.00000000');
    expect(texts(lab)).toEqual([
      expect.stringContaining('The model has changed since this link was made: lane 1 (BFS)'),
    ]);
  });
});
