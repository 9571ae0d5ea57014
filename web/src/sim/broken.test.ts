import { describe, expect, it } from 'vitest';
import { breakageOf } from './broken';

describe('breakageOf', () => {
  it('says why and where the core panicked', () => {
    const error = new Error(
      'panicked at sim-core/src/engine/mod.rs:240:9:\nthe run no longer advances',
    );
    expect(breakageOf(error, 0)).toEqual({
      cause: 'panic',
      message: 'the run no longer advances, at sim-core/src/engine/mod.rs:240',
    });
  });

  it.each(['unreachable', 'unreachable executed', 'Unreachable code should not be executed'])(
    'takes a stop without a message (%s) for lack of memory',
    (text) => {
      expect(breakageOf(new WebAssembly.RuntimeError(text), 300 * 2 ** 20)).toEqual({
        cause: 'memory',
        message: '300 MB are in use',
      });
    },
  );

  it.each([
    'WebAssembly.instantiate(): Out of memory: Cannot allocate Wasm memory for new instance',
    'Array buffer allocation failed',
  ])('takes “%s” for want of memory', (text) => {
    expect(breakageOf(new RangeError(text), 0)).toEqual({ cause: 'memory', message: text });
  });

  it('passes on the message of other traps', () => {
    const error = new WebAssembly.RuntimeError('memory access out of bounds');
    expect(breakageOf(error, 0)).toEqual({ cause: 'panic', message: error.message });
  });

  it('does not take a refusal for a breakage', () => {
    expect(breakageOf(new Error('{"errors":[]}'), 0)).toBeNull();
  });
});
