import { describe, expect, it } from 'vitest';
import { type Message, MOST_STEPS, queued, readMessage } from './messages';

const message = (data: object): Message => {
  const read = readMessage(data);
  if (!('kind' in read)) throw new Error(`${read.path} ${read.message}`);
  return read;
};
const kinds = (list: readonly Message[] | null) => list?.map(({ kind }) => kind);

describe('a message of the page around an embedded one', () => {
  it('is read, and defaults stand for fields that it leaves out', () => {
    expect(message({ kind: 'open', fragment: 's.bfs-smt' })).toEqual({
      kind: 'open',
      fragment: 's.bfs-smt',
      id: null,
    });
    expect(message({ kind: 'scenario', json: '{}', id: 7 })).toMatchObject({ json: '{}', id: 7 });
    expect(message({ kind: 'step' })).toMatchObject({ by: 'migration', back: false });
    expect(message({ kind: 'seek', atNs: 25_000_000 })).toMatchObject({ atNs: 25_000_000 });
    expect(message({ kind: 'play' })).toMatchObject({ kind: 'play' });
  });

  it.each<[string, unknown, string]>([
    ['a text', 'play', 'kind'],
    ['nothing', null, 'kind'],
    ['a list', [{ kind: 'play' }], 'kind'],
    ['an unknown kind', { kind: 'eval', code: '1' }, 'kind'],
    ['a kind of every object', { kind: 'constructor' }, 'kind'],
    ['an unknown key', { kind: 'play', now: true }, 'now'],
    ['a key of every object', { kind: 'play', constructor: 1 }, 'constructor'],
    ['__proto__', JSON.parse('{"kind":"play","__proto__":{"id":3}}'), '__proto__'],
    ['no fragment', { kind: 'open' }, 'fragment'],
    ['a fragment that is no text', { kind: 'open', fragment: { length: 3 } }, 'fragment'],
    ['a long fragment', { kind: 'open', fragment: 'x'.repeat(9 * 1024 + 1) }, 'fragment'],
    ['a scenario as an object', { kind: 'scenario', json: {} }, 'json'],
    ['a large scenario', { kind: 'scenario', json: ' '.repeat(256 * 1024 + 1) }, 'json'],
    ['a time before the start', { kind: 'seek', atNs: -1 }, 'atNs'],
    ['no time', { kind: 'seek', atNs: NaN }, 'atNs'],
    ['half a ns', { kind: 'seek', atNs: 0.5 }, 'atNs'],
    ['an unknown step', { kind: 'step', by: 'reason:x' }, 'by'],
    ['a direction that is no switch', { kind: 'step', back: 1 }, 'back'],
    ['a number that is a text', { kind: 'play', id: '1' }, 'id'],
  ])('is refused by field: %s', (_, data, path) => {
    expect(readMessage(data)).toEqual({ path, message: expect.any(String) as string });
  });

  it.each<[string, () => object]>([
    ['bytes', () => new Uint8Array(1e7)],
    ['more bytes', () => new Uint8Array(6e7)],
    ['a list', () => new Array<number>(1e6).fill(1)],
    ['a map', () => new Map(Array.from({ length: 1e5 }, (_, i) => [i, i]))],
    [
      'an object of no known kind',
      () => Object.fromEntries(Array.from({ length: 1e4 }, (_, i) => [`k${String(i)}`, i])),
    ],
  ])('is refused in less than 5 ms by its kind: %s', (_, make) => {
    const data = make();
    const times = [1, 2, 3].map(() => {
      const began = performance.now();
      expect(readMessage(data)).toMatchObject({ path: 'kind' });
      return performance.now() - began;
    });
    expect(Math.min(...times)).toBeLessThan(5);
  });

  it('is refused by its kind, and its content is not touched', () => {
    const untouched = (): never => {
      throw new Error('touched');
    };
    const traps = { get: untouched, ownKeys: untouched, getOwnPropertyDescriptor: untouched };
    for (const target of [new Uint8Array(3), [1, 2], new Map(), new Date()])
      expect(readMessage(new Proxy(target, traps))).toMatchObject({ path: 'kind' });
  });

  it('is refused with the allowed values', () => {
    expect(readMessage({ kind: 'open', fragment: 5 })).toEqual({
      path: 'fragment',
      message: 'must be a text of at most 9 kB',
    });
    expect(readMessage({})).toEqual({
      path: 'kind',
      message: 'must be one of open, scenario, step, seek, play, pause',
    });
  });
});

describe('messages that wait', () => {
  it('leave few waiting, however many come', () => {
    let waiting: readonly Message[] = [];
    let refused = 0;
    for (let i = 0; i < 10_000; i++) {
      const kind = (['step', 'play', 'pause', 'step', 'step'] as const)[i % 5] ?? 'step';
      const next = queued(waiting, message({ kind }));
      if (next) waiting = next;
      else refused += 1;
    }
    expect(waiting.length).toBe(MOST_STEPS + 1);
    expect(refused).toBe(6000 - MOST_STEPS);
  });

  it('are dropped when something else is to be opened', () => {
    const waiting = [
      message({ kind: 'open', fragment: 'a' }),
      message({ kind: 'seek', atNs: 1 }),
      message({ kind: 'play' }),
    ];
    expect(kinds(queued(waiting, message({ kind: 'scenario', json: '' })))).toEqual(['scenario']);
  });

  it('keep their order, and only the newest time', () => {
    let waiting: readonly Message[] = [message({ kind: 'open', fragment: 'a' })];
    for (const next of [
      { kind: 'seek', atNs: 1 },
      { kind: 'step' },
      { kind: 'play' },
      { kind: 'seek', atNs: 2 },
      { kind: 'step' },
    ])
      waiting = queued(waiting, message(next)) ?? [];
    expect(kinds(waiting)).toEqual(['open', 'play', 'seek', 'step']);
    expect(waiting[2]).toMatchObject({ atNs: 2 });
  });
});
