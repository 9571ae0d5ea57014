/** How this person likes the page; kept only on this device, never in a link. */

import { fillScreen } from '../browser/full-screen';
import { follows } from '../browser/media';
import { remember, remembered } from '../storage/remembered';

/** Colours of the page. The projector set is light, with strong contrasts and thick lines. */
export const LOOKS = ['light', 'dark', 'projector'] as const;
/** A set of colours. */
export type Look = (typeof LOOKS)[number];
/** A set of colours, or that of the system. */
export type ThemeChoice = 'system' | Look;

interface Stored {
  theme: ThemeChoice;
  showTables: boolean;
  hasCharacterKeys: boolean;
  leadsEye: boolean;
  setupOpen: boolean | null;
  inspectOpen: boolean | null;
}

function flag(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

/** Theme, tables, folded panels, and the system's setting for motion. */
export class Prefs {
  theme = $state<ThemeChoice>('system');
  showTables = $state(false);
  /**
   * Whether single letters, digits and signs are keys of the page; speech input or a tremor may press them by
   * accident.
   */
  hasCharacterKeys = $state(true);
  /** Whether moments worth seeing slow time down and are announced. */
  leadsEye = $state(true);
  /** Whether threads of the background are drawn. Not kept. */
  showDaemons = $state(false);
  setupOpen = $state<boolean | null>(null);
  inspectOpen = $state<boolean | null>(null);
  systemDark = $state(false);
  reducedMotion = $state(false);
  width = $state(1280);
  height = $state(800);
  /** The page is being put on paper, which is light. */
  isPrinting = $state(false);
  /** The stage fills the screen, for a class: no panels, large type. Not kept. */
  isPresenting = $state(false);
  /** Whether the screen is black, so that the audience looks at the speaker. */
  isBlank = $state(false);
  /** Whether the speaker has asked for the notes, which then come in a second window. */
  hasNotes = $state(false);
  /** The only lane that is shown while presenting, or all. */
  soloLane = $state<number | null>(null);
  readonly #chosen = $derived<Look>(
    this.theme === 'system' ? (this.systemDark ? 'dark' : 'light') : this.theme,
  );
  readonly colours = $derived<Look>(this.isPrinting ? 'light' : this.#chosen);
  /** Phones and narrow windows: panels become sheets at the bottom. */
  readonly isNarrow = $derived(this.width < 760);
  /** The stage has room for one panel beside it. */
  readonly isTight = $derived(this.width < 1100);
  /**
   * In front of a class a lane has the whole width, so that the last row sees who runs; only a wide screen has room for
   * several lanes beside each other.
   */
  readonly showsOneLane = $derived(this.isPresenting && this.width < 1600);
  /** Wide enough for both panels beside the stage. */
  readonly isWide = $derived(this.width >= 1500);

  constructor() {
    const stored = remembered();
    const look = LOOKS.find((l) => l === stored.theme);
    if (look) this.theme = look;
    this.showTables = stored.showTables === true;
    this.hasCharacterKeys = stored.hasCharacterKeys !== false;
    this.leadsEye = stored.leadsEye !== false;
    this.setupOpen = flag(stored.setupOpen);
    this.inspectOpen = flag(stored.inspectOpen);
    this.systemDark = follows('(prefers-color-scheme: dark)', (is) => (this.systemDark = is));
    this.reducedMotion = follows(
      '(prefers-reduced-motion: reduce)',
      (is) => (this.reducedMotion = is),
    );
  }

  /** Chooses colours. */
  choose(theme: ThemeChoice): void {
    this.theme = theme;
    this.save();
  }

  /** Begins or ends presenting. The browser may refuse the full screen, which does no harm. */
  present(isOn: boolean): void {
    this.isPresenting = isOn;
    this.soloLane = null;
    this.isBlank = false;
    this.hasNotes = false;
    fillScreen(isOn);
  }

  /** Remembers the present choices. */
  save(): void {
    const { theme, showTables, hasCharacterKeys, leadsEye, setupOpen, inspectOpen } = this;
    remember({
      theme,
      showTables,
      hasCharacterKeys,
      leadsEye,
      setupOpen,
      inspectOpen,
    } satisfies Stored);
  }
}
