import { describe, expect, it } from 'vitest';
import type { Scenario } from '../sim/types/Scenario';
import { Config } from './config.svelte';
import { beginDrag } from './editing/gesture';

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
    for (let to = config.next('undo'); to; to = config.next('undo')) {
      back.push([to.scenario.name, to.atNs]);
      config.go('undo', 30);
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
    expect(config.next('undo')?.scenario.name).toBe('b');
  });

  it('redo returns to the time at which undo was pressed', () => {
    const config = new Config(named('a'), '');
    config.accept(named('b'), 100);
    config.go('undo', 500);
    expect(config.scenario.name).toBe('a');
    expect(config.next('redo')).toMatchObject({ scenario: named('b'), atNs: 500 });
  });
});
