import { afterEach, describe, expect, it, vi } from 'vitest';
import { replaceFragment, stateOfAddress } from './address-bar';

afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.clear();
  history.replaceState(null, '', '#');
});

/** A browser that loads a tab again, whose process was killed, has forgotten the state of its history. */
const crash = (fragment: string): void => {
  history.replaceState(null, '', `#${fragment}`);
};

describe('the state of the address', () => {
  it('is found again after the process of the tab was killed, at the same address only', () => {
    replaceFragment('bfs-smt&k=7', { work: 'a1' });
    crash('bfs-smt&k=7');
    expect(stateOfAddress()).toEqual({ work: 'a1' });
    crash('bfs-smt&k=8');
    expect(stateOfAddress()).toBeNull();
    replaceFragment('start');
    crash('bfs-smt&k=7');
    expect(stateOfAddress()).toBeNull();
  });

  it('is that of the history where the browser knows it', () => {
    replaceFragment('bfs-smt&k=7', { work: 'a1' });
    history.replaceState({ work: 'b2' }, '', '#bfs-smt&k=7');
    expect(stateOfAddress()).toEqual({ work: 'b2' });
  });

  it('is nothing where the browser refuses storage, or holds something else', () => {
    sessionStorage.setItem('timeslice.tab', '{');
    expect(stateOfAddress()).toBeNull();
    sessionStorage.setItem('timeslice.tab', 'null');
    expect(stateOfAddress()).toBeNull();
    vi.stubGlobal('sessionStorage', undefined);
    replaceFragment('bfs-smt&k=7', { work: 'a1' });
    expect(stateOfAddress()).toEqual({ work: 'a1' });
    crash('bfs-smt&k=7');
    expect(stateOfAddress()).toBeNull();
  });
});
