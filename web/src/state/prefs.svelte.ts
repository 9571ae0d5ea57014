/** How this person likes the page; kept on this device only, never in a link. */

/** Colours of the page. Those for a projector are light with strong contrasts and thick lines. */
export const LOOKS = ['light', 'dark', 'projector'] as const;
/** A set of colours. */
export type Look = (typeof LOOKS)[number];
/** A set of colours, or as the system has it. */
export type ThemeChoice = 'system' | Look;

const KEY = 'timeslice.prefs';

interface Stored {
  theme: ThemeChoice;
  showTables: boolean;
  hasCharacterKeys: boolean;
  setupOpen: boolean | null;
  inspectOpen: boolean | null;
}

function read(): Partial<Stored> {
  // Storage may be refused (private windows, sandboxed frames): then nothing is remembered.
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

function flag(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

function media(query: string): MediaQueryList | null {
  return typeof matchMedia === 'function' ? matchMedia(query) : null;
}

/** Theme, tables, folded panels, and what the system says about motion. */
export class Prefs {
  theme = $state<ThemeChoice>('system');
  showTables = $state(false);
  /** Whether single letters, digits and signs are keys of the page; speech input and tremor may press them unawares. */
  hasCharacterKeys = $state(true);
  /** Whether threads of the background are drawn. Not kept. */
  showDaemons = $state(false);
  setupOpen = $state<boolean | null>(null);
  inspectOpen = $state<boolean | null>(null);
  systemDark = $state(false);
  reducedMotion = $state(false);
  width = $state(1280);
  height = $state(800);
  /** Full of the stage, for a class: no panels, large type. Not kept. */
  isPresenting = $state(false);
  /** The only lane that is shown while presenting, or all. */
  soloLane = $state<number | null>(null);
  readonly colours = $derived<Look>(
    this.theme === 'system' ? (this.systemDark ? 'dark' : 'light') : this.theme,
  );
  /** Phones and narrow windows: panels become sheets at the bottom. */
  readonly isNarrow = $derived(this.width < 760);
  /** The stage has room for one panel beside it. */
  readonly isTight = $derived(this.width < 1100);
  /** Wide enough for both panels beside the stage. */
  readonly isWide = $derived(this.width >= 1500);

  constructor() {
    const stored = read();
    const look = LOOKS.find((l) => l === stored.theme);
    if (look) this.theme = look;
    this.showTables = stored.showTables === true;
    this.hasCharacterKeys = stored.hasCharacterKeys !== false;
    this.setupOpen = flag(stored.setupOpen);
    this.inspectOpen = flag(stored.inspectOpen);
    const dark = media('(prefers-color-scheme: dark)');
    const calm = media('(prefers-reduced-motion: reduce)');
    this.systemDark = dark?.matches ?? false;
    this.reducedMotion = calm?.matches ?? false;
    dark?.addEventListener('change', (e) => (this.systemDark = e.matches));
    calm?.addEventListener('change', (e) => (this.reducedMotion = e.matches));
  }

  /** Chooses colours. */
  choose(theme: ThemeChoice): void {
    this.theme = theme;
    this.save();
  }

  /** Begins or ends the presentation; the browser may refuse the full screen, which is no harm. */
  present(isOn: boolean): void {
    this.isPresenting = isOn;
    this.soloLane = null;
    if (typeof document === 'undefined') return;
    // The arrows of a remote control step; in a picture they would walk from thread to thread.
    if (isOn && document.activeElement instanceof HTMLElement) document.activeElement.blur();
    const refused = () => undefined;
    if (isOn) void document.documentElement.requestFullscreen().catch(refused);
    else if (document.fullscreenElement) void document.exitFullscreen().catch(refused);
  }

  /** Remembers the present choices. */
  save(): void {
    const { theme, showTables, hasCharacterKeys, setupOpen, inspectOpen } = this;
    try {
      localStorage.setItem(
        KEY,
        JSON.stringify({
          theme,
          showTables,
          hasCharacterKeys,
          setupOpen,
          inspectOpen,
        } satisfies Stored),
      );
    } catch {
      // Refused: the choices hold until the page is closed.
    }
  }
}
