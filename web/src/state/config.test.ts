import { describe, expect, it } from 'vitest';
import type { Scenario } from '../sim/types/Scenario';
import { Config } from './config.svelte';
import { beginDrag } from './gesture';

const named = (name: string) => ({ name }) as Scenario;
const release = () => dispatchEvent(new Event('pointerdown'));

describe('undo', () => {
  it('takes back all changes of one slider drag in one step', () => {
    const config = new Config(named('a'), '');
    config.accept(named('b'), 1);
    beginDrag();
    for (const [i, name] of ['c', 'd', 'e'].entries()) config.accept(named(name), 10 + i);
    release();
    config.accept(named('f'), 20);
    const back: [string, number][] = [];
    for (let to = config.takeUndo(30); to; to = config.takeUndo(30)) {
      back.push([to.scenario.name, to.atNs]);
      config.replace(to.scenario);
    }
    expect(back).toEqual([
      ['e', 20],
      ['b', 10],
      ['a', 1],
    ]);
  });

  it('two drags are two steps', () => {
    const config = new Config(named('a'), '');
    beginDrag();
    config.accept(named('b'), 0);
    release();
    beginDrag();
    config.accept(named('c'), 0);
    release();
    expect(config.takeUndo(0)?.scenario.name).toBe('b');
  });

  it('redo returns to the time at which undo was pressed', () => {
    const config = new Config(named('a'), '');
    config.accept(named('b'), 100);
    config.replace(config.takeUndo(500)?.scenario ?? named(''));
    expect(config.takeRedo(100)).toEqual({ scenario: named('b'), atNs: 500 });
  });
});
