/**
 * A window for the speaker on the same computer. It opens empty and is filled by this page. So it needs no file, no
 * script and no server, and also works from a disk.
 */
import { mount, unmount } from 'svelte';
import { openBeside } from '../../browser/full-screen';
import type { Lab } from '../../state/lab.svelte';
import { NOTES_STYLE } from './notes-style';
import NotesView from './NotesView.svelte';

const NAME = 'timeslice-notes';
const FEATURES = 'popup,width=720,height=640';
/** Colours that the notes take from the page. */
const TOKENS = ['--ink', '--paper', '--muted'] as const;

type Windowed = Window & typeof globalThis;

class SecondWindow {
  /** Whether it is there. */
  isOpen = $state(false);
  #window: Windowed | null = null;
  #notes: Record<string, unknown> | null = null;
  #onKey: ((event: KeyboardEvent) => void) | null = null;

  /** Key presses there are handled by the page. */
  takeKeys(onKey: (event: KeyboardEvent) => void): void {
    this.#onKey = onKey;
  }

  /** Opens it for the open lesson; returns whether the browser allowed it. */
  open(lab: Lab): boolean {
    const lesson = lab.lessons.open;
    if (!lesson) return false;
    this.close();
    const opened = openBeside(NAME, FEATURES) as Windowed | null;
    if (!opened) return false;
    this.#window = opened;
    const { document: page } = opened;
    page.title = `Notes · ${lesson.entry.title}`;
    page.body.replaceChildren();
    this.#dress(opened);
    this.#notes = mount(NotesView, { target: page.body, props: { lab, lesson } });
    opened.addEventListener('keydown', (event) => this.#onKey?.(event));
    opened.addEventListener('pagehide', () => {
      this.#forget();
    });
    window.addEventListener('pagehide', this.close);
    this.isOpen = true;
    return true;
  }

  /** Brings it to the front. */
  focus(): void {
    this.#window?.focus();
  }

  /** Closes it. */
  readonly close = (): void => {
    const { closed } = this.#window ?? { closed: true };
    if (!closed) this.#window?.close();
    this.#forget();
  };

  /** As style sheet objects: the page's policy holds there, too, and forbids styles from text. */
  #dress(opened: Windowed): void {
    const { document: page } = opened;
    const sheet = new opened.CSSStyleSheet();
    sheet.replaceSync(`body { margin: 0; background: var(--paper); } ${NOTES_STYLE}`);
    page.adoptedStyleSheets = [sheet];
    const style = getComputedStyle(document.documentElement);
    for (const token of TOKENS)
      page.documentElement.style.setProperty(token, style.getPropertyValue(token));
  }

  #forget(): void {
    window.removeEventListener('pagehide', this.close);
    if (this.#notes) void unmount(this.#notes);
    this.#notes = null;
    this.#window = null;
    this.isOpen = false;
  }
}

/** The only one. */
export const secondWindow = new SecondWindow();
