import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isEmbeddedThere, offerPort } from './parent-page';

const CONNECT = { timeslice: 1, kind: 'connect' };

describe('the page around this one', () => {
  const around = { postMessage: vi.fn() };

  beforeEach(() => {
    around.postMessage.mockClear();
    vi.stubGlobal('parent', around);
    location.hash = '#bfs-smt&embed=1';
  });

  afterEach(() => {
    vi.unstubAllGlobals();
    location.hash = '';
  });

  function say(data: unknown, given: { source?: unknown; ports?: readonly unknown[] } = {}): void {
    const event = new Event('message');
    const { source = around, ports = [new MessageChannel().port1] } = given;
    dispatchEvent(Object.assign(event, { data, source, ports }));
  }

  it('gets a message only where the page is in a frame and its link asks for it', () => {
    expect(isEmbeddedThere()).toBe(true);
    location.hash = '#bfs-smt&embed=10';
    expect(isEmbeddedThere()).toBe(false);
    location.hash = '#bfs-smt&embed=1';
    vi.stubGlobal('parent', window);
    expect(isEmbeddedThere()).toBe(false);
  });

  it('learns that it may connect, and nothing else', () => {
    offerPort(() => undefined);
    expect(around.postMessage.mock.calls).toEqual([[{ timeslice: 1, kind: 'ready' }, '*']]);
  });

  it('gives one port, and later messages outside that port are ignored', () => {
    const take = vi.fn();
    offerPort(take);
    const { port1 } = new MessageChannel();
    say(CONNECT, { ports: [port1] });
    say(CONNECT);
    expect(take.mock.calls).toEqual([[port1]]);
  });

  it.each<[string, unknown, { source?: unknown; ports?: readonly unknown[] }]>([
    ['another page', CONNECT, { source: {} }],
    ['this page itself', CONNECT, { source: window }],
    ['no page', CONNECT, { source: null }],
    ['no port', CONNECT, { ports: [] }],
    ['two ports', CONNECT, { ports: [{}, {}] }],
    ['another version', { timeslice: 2, kind: 'connect' }, {}],
    ['another word', { timeslice: 1, kind: 'open' }, {}],
    ['one key more', { ...CONNECT, fragment: 's.bfs-smt' }, {}],
    ['a text', 'connect', {}],
    ['bytes', new Uint8Array(1e7), {}],
    ['nothing', null, {}],
  ])('is not heard otherwise: %s', (_, data, given) => {
    const take = vi.fn();
    offerPort(take);
    say(data, given);
    expect(take).not.toHaveBeenCalled();
    // An invalid message does not affect a valid one.
    say(CONNECT);
    expect(take).toHaveBeenCalledOnce();
  });
});
