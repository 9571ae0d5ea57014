import { describe, expect, it } from 'vitest';
import type { Scenario } from '../sim/types/Scenario';
import { Config } from './config.svelte';
import { beginDrag } from './gesture';

const named = (name: string) => ({ name }) as Scenario;
const release = () => dispatchEvent(new Event('pointerdown'));

describe('undo', () => {
  it('takes back all that one drag of a slider did at once', () => {
    const config = new Config(named('a'), '');
    config.accept(named('b'));
    beginDrag();
    for (const name of ['c', 'd', 'e']) config.accept(named(name));
    release();
    config.accept(named('f'));
    const back: string[] = [];
    for (let to = config.takeUndo(); to; to = config.takeUndo()) {
      back.push(to.name);
      config.replace(to);
    }
    expect(back).toEqual(['e', 'b', 'a']);
  });

  it('two drags are two steps', () => {
    const config = new Config(named('a'), '');
    beginDrag();
    config.accept(named('b'));
    release();
    beginDrag();
    config.accept(named('c'));
    release();
    expect(config.takeUndo()?.name).toBe('b');
  });
});
