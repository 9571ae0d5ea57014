import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { replaceFragment } from '../../browser/address-bar';
import { TestWorker } from '../../sim/test-worker';
import { KeptStore } from '../../storage/kept-store';
import { Lab } from '../lab.svelte';
import { ofGroup } from '../test-lab';
import { EmbedPort } from './embed.svelte';

/** A message to the page around. */
interface Told {
  readonly kind: 'changed' | 'refused';
  readonly id: number | null;
  readonly fragment: string;
  readonly scenario: { readonly name: string; readonly groups: readonly { count: number }[] };
  readonly digests: readonly string[];
  readonly problems: readonly { path: string; message: string }[];
}

const SMALL = {
  version: 1,
  name: 'two hogs',
  machine: 'i7860',
  schedulers: [{ id: 'bfs' }],
  groups: [{ name: 'hog', count: 2, behaviour: { kind: 'compute' } }],
  end: { atNs: 1_000_000_000 },
};

function lab(): Lab {
  return new Lab(
    () => new TestWorker(),
    () => {
      throw new Error('nothing is swept');
    },
    () => {
      throw new Error('no lesson is opened');
    },
  );
}

/** An embedded laboratory with the real core, and the other page's end of the port. */
class Hosted {
  readonly lab = lab();
  readonly sent: Told[] = [];
  #port!: MessagePort;

  static async at(fragment: string): Promise<Hosted> {
    const hosted = new Hosted();
    await hosted.lab.start(fragment, Promise.resolve());
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => hosted.sent.push(data as Told);
    hosted.#port = port1;
    new EmbedPort(hosted.lab, port2);
    await hosted.tells((sent) => sent.digests.length > 0);
    return hosted;
  }

  say(message: unknown): void {
    this.#port.postMessage(message);
  }

  /** Resolves with the newest message that passes the test. */
  async tells(isWanted: (sent: Told) => boolean, kind = 'changed'): Promise<Told> {
    return vi.waitFor(
      () => {
        const last = this.sent.findLast((sent) => sent.kind === kind);
        if (!last || !isWanted(last)) throw new Error(`was sent ${JSON.stringify(last)}`);
        return last;
      },
      { timeout: 5000, interval: 5 },
    );
  }

  async refuses(id: number | null): Promise<Told['problems']> {
    return (await this.tells((sent) => sent.id === id, 'refused')).problems;
  }

  end(): void {
    this.#port.close();
  }
}

describe('the door of an embedded page', () => {
  let hosted: Hosted;

  beforeEach(async () => {
    vi.stubGlobal('parent', {});
    replaceFragment('bfs-smt&t=25&embed=1');
    hosted = await Hosted.at('bfs-smt&t=25&embed=1');
  });

  afterEach(() => {
    hosted.end();
    vi.unstubAllGlobals();
    replaceFragment('');
  });

  it('reports the moment that it shows, as a link to the whole page', () => {
    expect(hosted.sent).toHaveLength(1);
    expect(hosted.sent[0]).toMatchObject({
      kind: 'changed',
      id: null,
      scenario: { name: hosted.lab.config?.scenario.name },
      digests: hosted.lab.run.lanes.map((lane) => lane.digest),
    });
    expect(hosted.sent[0]?.fragment).toMatch(/^v=2&x=bfs-smt&t=25&/);
    expect(hosted.sent[0]?.fragment).not.toContain('embed');
  });

  it('opens a scenario, and reports the changes that a user makes', async () => {
    hosted.say({ kind: 'scenario', json: JSON.stringify(SMALL), id: 1 });
    const opened = await hosted.tells((sent) => sent.id === 1);
    expect(opened.scenario).toMatchObject({ name: 'two hogs', groups: [{ count: 2 }] });
    hosted.lab.editing.change(ofGroup(hosted.lab, 0, 'count', 7));
    await hosted.tells((sent) => sent.fragment !== opened.fragment && sent.digests.length > 0);
    expect(hosted.lab.run.lanes[0]?.names.tasks.length).toBeGreaterThanOrEqual(7);
  });

  it('opens a link, steps, and goes to a time', async () => {
    hosted.say({ kind: 'open', fragment: 'bfs-smt&k=6&t=30', id: 1 });
    await hosted.tells((sent) => sent.id === 1 && sent.fragment.includes('count=6'));
    // The frame looks as before.
    expect(hosted.lab.look.isEmbedded).toBe(true);
    hosted.say({ kind: 'seek', atNs: 40_000_000 });
    await hosted.tells((sent) => sent.fragment.includes('t=40&'));
    hosted.say({ kind: 'step', by: 'event' });
    await hosted.tells((sent) => sent.fragment.includes('&ev='));
    hosted.say({ kind: 'play' });
    await vi.waitFor(() => {
      expect(hosted.lab.playback.isPlaying).toBe(true);
    });
    hosted.say({ kind: 'pause' });
    await vi.waitFor(() => {
      expect(hosted.lab.playback.isPlaying).toBe(false);
    });
  });

  it('refuses a scenario with the field, and shows why', async () => {
    const bad = { ...SMALL, groups: [{ ...SMALL.groups[0], nice: 33 }] };
    hosted.say({ kind: 'scenario', json: JSON.stringify(bad), id: 4 });
    const [problem] = await hosted.refuses(4);
    expect(problem?.path).toBe('groups[0].nice');
    expect(problem?.message).toContain('-20 to 20');
    expect(hosted.lab.work.refused?.problems).toHaveLength(1);
    expect(hosted.lab.config?.scenario.name).not.toBe('two hogs');
  });

  it.each(['start', '', 'r=claims', 'l1.2'])(
    'opens no other place than the laboratory: %s',
    async (fragment) => {
      hosted.say({ kind: 'open', fragment, id: 9 });
      expect(await hosted.refuses(9)).toEqual([
        { path: 'fragment', message: 'must be a link to the laboratory' },
      ]);
      expect(hosted.lab.places.at).toBeNull();
    },
  );

  it('does not follow a link in place of a scenario', async () => {
    hosted.say({ kind: 'scenario', json: 'https://elsewhere.example/#l1.1', id: 2 });
    expect((await hosted.refuses(2)).length).toBeGreaterThan(0);
    expect(hosted.lab.lessons.open).toBeNull();
  });

  it('of a flood of messages opens only the newest, and answers a few times', async () => {
    const configure = vi.spyOn(hosted.lab.run, 'configure');
    const before = hosted.sent.length;
    for (let i = 1; i <= 500; i++) {
      hosted.say({ kind: 'open', fragment: `bfs-smt&k=${String(1 + (i % 9))}&t=1`, id: i });
      hosted.say({ kind: 'nonsense', i });
    }
    hosted.say({ kind: 'open', fragment: 'bfs-smt&k=5&t=2', id: 501 });
    await hosted.tells((sent) => sent.id === 501);
    expect(configure.mock.calls.length).toBeLessThan(100);
    expect(hosted.sent.length - before).toBeLessThan(100);
  });
});

describe('kept work in an embedding page', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    replaceFragment('');
  });

  const ENTRY = { title: '', name: 'secret', baseId: 'bfs-smt', origin: '', differs: [], t: 0 };

  it('is neither shown nor read, and none is added', async () => {
    const keptStore = await KeptStore.open();
    await keptStore.keep(
      { ...ENTRY, id: 'mine', savedAt: 1 },
      { ...SMALL, name: 'secret' } as never,
      null,
    );
    vi.stubGlobal('parent', {});
    replaceFragment('bfs-smt&embed=1');
    const hosted = await Hosted.at('bfs-smt&kept=mine&embed=1');
    expect(hosted.lab.config?.scenario.name).not.toBe('secret');
    await hosted.lab.kept.refresh();
    expect(hosted.lab.kept.list).toEqual([]);
    expect(await hosted.lab.kept.take('mine')).toBeNull();
    hosted.say({ kind: 'open', fragment: 'bfs-smt&kept=mine', id: 1 });
    await hosted.tells((sent) => sent.id === 1);
    hosted.say({ kind: 'scenario', json: JSON.stringify(SMALL), id: 2 });
    await hosted.tells((sent) => sent.id === 2);
    await hosted.lab.kept.keep(true);
    hosted.end();
    expect(JSON.stringify(hosted.sent)).not.toMatch(/secret|mine/);
    expect((await keptStore.list()).map(({ id }) => id)).toEqual(['mine']);
    // The same browser, without a page around it.
    vi.unstubAllGlobals();
    const own = lab();
    await own.start('x=bfs-smt&t=0&kept=mine', Promise.resolve());
    expect(own.config?.scenario.name).toBe('secret');
  });
});
