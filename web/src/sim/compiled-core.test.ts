import { describe, expect, it } from 'vitest';
import { CompiledCore, type CoreWorker } from './compiled-core';
import type { CoreNote } from './core-note';

class FakeWorker implements CoreWorker {
  readonly given: CoreNote[] = [];
  #listen: ((event: MessageEvent) => void) | null = null;
  postMessage(note: CoreNote): void {
    this.given.push(note);
  }
  addEventListener(_: 'message', listener: (event: MessageEvent) => void): void {
    this.#listen = listener;
  }
  /** Whether the message reaches those who talk to the worker. */
  says(data: unknown): boolean {
    let goesOn = true;
    const stopImmediatePropagation = () => {
      goesOn = false;
    };
    this.#listen?.({ data, stopImmediatePropagation } as MessageEvent);
    return goesOn;
  }
}

/** The smallest module that there is. */
const compile = () => new WebAssembly.Module(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));

describe('the core that all workers share', () => {
  it('is compiled by the first, and sent to those that come later', () => {
    const core = new CompiledCore();
    const compiled = compile();
    const [first, second, third] = [0, 1, 2].map(() => new FakeWorker());
    if (!first || !second || !third) throw new Error('no workers');
    core.lend(first);
    expect(core.module).toBeNull();
    core.lend(second);
    expect(first.says({ kind: 'alive' })).toBe(true);
    expect(first.says({ core: compiled })).toBe(false);
    // It started before the first was ready.
    expect(second.says({ core: compile() })).toBe(false);
    core.lend(third);
    expect([first, second, third].map(({ given }) => given)).toEqual([
      [{ core: null }],
      [{ core: null }],
      [{ core: compiled }],
    ]);
    expect(third.given[0]?.core).toBe(compiled);
    expect(core.module).toBe(compiled);
  });

  it('is compiled by the page where that is possible, and by a worker where it is not', async () => {
    const [core, compiled, worker] = [new CompiledCore(), compile(), new FakeWorker()];
    core.expect(Promise.resolve(compiled));
    core.lend(worker);
    expect(worker.given).toEqual([]);
    await Promise.resolve();
    await Promise.resolve();
    expect(worker.given).toEqual([{ core: compiled }]);
    const [other, another] = [new CompiledCore(), new FakeWorker()];
    other.expect(Promise.reject(new Error('no such file')));
    other.lend(another);
    await Promise.resolve();
    await Promise.resolve();
    expect(another.given).toEqual([{ core: null }]);
    expect(another.says({ core: compiled })).toBe(false);
    expect(other.module).toBe(compiled);
  });
});
