import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Lab } from '../../state/lab.svelte';
import { returnsFocus } from './focus';
import { GROUPS, type PageActions } from './key-table';
import { isCharacter, KEYS, nameOfKey, onGlobalKey } from './keys';

const press = (key: string, more: KeyboardEventInit = {}) =>
  new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });

const toggle = vi.fn();
const prefs = { hasCharacterKeys: true, isPresenting: false };
const lab = {
  lessons: { open: null },
  playback: { toggle },
  prefs,
  run: {},
  selection: { lane: 0 },
} as unknown as Lab;
const actions: PageActions = { hasStage: () => true, help: vi.fn(), toggle: vi.fn() };

/** Presses a key on an element of the page; returns whether the page handled it. */
function pressOn(html: string, key: string): boolean {
  document.body.innerHTML = html;
  const first = document.body.firstElementChild ?? document.body;
  const target = first.querySelector('summary') ?? first;
  const event = press(key);
  target.addEventListener('keydown', (e) => {
    onGlobalKey(e as KeyboardEvent, lab, actions);
  });
  target.dispatchEvent(event);
  return event.defaultPrevented;
}

beforeEach(() => {
  toggle.mockClear();
  Object.assign(prefs, { hasCharacterKeys: true, isPresenting: false });
});

describe('the table of keys', () => {
  it('has each key once, apart from those for presenting and for lessons', () => {
    for (const [isPresenting, isInLesson] of [[], [true], [undefined, true]]) {
      const on = KEYS.filter(
        (key) => key.isPresenting === isPresenting && key.isInLesson === isInLesson,
      ).flatMap((k) => k.on ?? []);
      expect(new Set(on).size).toBe(on.length);
    }
  });

  it('says what every key does, in a group of the sheet', () => {
    for (const { group, label, does } of KEYS) {
      expect(GROUPS).toContain(group);
      expect(label).not.toBe('');
      expect(does).not.toBe('');
    }
  });

  it('names keys, whatever Shift and Caps Lock do', () => {
    expect(nameOfKey(press('K'))).toBe('k');
    expect(nameOfKey(press('J', { shiftKey: true }))).toBe('Shift+j');
    expect(nameOfKey(press('?', { shiftKey: true }))).toBe('?');
    expect(nameOfKey(press('Z', { ctrlKey: true, shiftKey: true }))).toBe('Ctrl+Shift+z');
    expect(nameOfKey(press('z', { metaKey: true }))).toBe('Ctrl+z');
  });
});

describe('Space and K', () => {
  it.each([
    ['<div></div>', true, true],
    ['<input type="range">', true, true],
    ['<button role="tab"></button>', true, true],
    ['<button></button>', false, true],
    ['<details><summary></summary></details>', false, true],
    ['<select><option>a</option></select>', false, true],
    ['<input type="checkbox">', false, true],
    ['<input type="text">', false, false],
    ['<input type="number">', false, false],
    ['<textarea></textarea>', false, false],
  ])('on %s that the keyboard has reached', (html, space, k) => {
    pressOn(html, ' ');
    expect(toggle).toHaveBeenCalledTimes(space ? 1 : 0);
    toggle.mockClear();
    pressOn(html, 'k');
    expect(toggle).toHaveBeenCalledTimes(k ? 1 : 0);
  });

  it('play after a pointer press on a button', () => {
    document.body.innerHTML = '<button>Share</button>';
    const button = document.body.firstElementChild as HTMLButtonElement;
    const end = returnsFocus(lab, () => true);
    button.focus();
    button.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
    const event = press(' ');
    button.addEventListener('keydown', (e) => {
      onGlobalKey(e, lab, actions);
    });
    button.dispatchEvent(event);
    expect(toggle).toHaveBeenCalledTimes(1);
    expect(event.defaultPrevented).toBe(true);
    end();
  });
});

describe('closed lists', () => {
  const list = '<select><option>a</option><option>b</option></select>';

  it.each(['ArrowDown', 'ArrowUp', 'Home', 'End', 'PageDown', 'Enter', 'b'])(
    'take %s without choosing',
    (key) => {
      expect(pressOn(list, key)).toBe(true);
    },
  );

  it('leave Tab and Space to the browser', () => {
    expect(pressOn(list, 'Tab')).toBe(false);
    expect(pressOn(list, ' ')).toBe(false);
  });
});

describe('single letters, digits and signs', () => {
  it('are those that may be pressed by accident', () => {
    expect(['k', 'Shift+d', '/', '1', '?'].every(isCharacter)).toBe(true);
    expect([' ', 'Escape', 'Ctrl+z', 'ArrowUp'].some(isCharacter)).toBe(false);
  });

  it('do nothing once they are switched off, and Space plays', () => {
    prefs.hasCharacterKeys = false;
    for (const key of ['k', '?', '.', '1']) pressOn('<div></div>', key);
    expect(toggle).not.toHaveBeenCalled();
    expect(actions.help).not.toHaveBeenCalled();
    pressOn('<div></div>', ' ');
    expect(toggle).toHaveBeenCalledTimes(1);
  });
});
