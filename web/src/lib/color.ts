/**
 * The only palette. Colours are written in `styles/tokens.css`; here they get their meaning, for
 * the canvases (as values) and for the components (as names of custom properties).
 */

/** Number of hues for the series of a chart; further series start again with the first. */
const SERIES_HUES = 8;

/** Custom property of a series' hue. */
export function seriesToken(series: number): string {
  return `--series-${String(series % SERIES_HUES)}`;
}

const CAUSE_TOKENS: Readonly<Record<string, string | null>> = {
  // Work has the hue of its thread.
  compute: null,
  l2: '--cause-l2',
  l3: '--cause-shared',
  memory: '--cause-memory',
  remote: '--cause-remote',
  saturation: '--cause-saturation',
  warmUp: '--cause-warmup',
  sibling: '--cause-sibling',
  frequency: '--cause-frequency',
  lockWait: '--cause-lock',
};

/** Custom property of a cause; null for work. Causes without a colour of their own share one. */
export function causeToken(id: string): string | null {
  return Object.hasOwn(CAUSE_TOKENS, id) ? (CAUSE_TOKENS[id] ?? null) : '--cause-other';
}

/** Steps of the scale for numbers of threads; each is twice the one before. */
export const HEATS = 8;

/** Step of the scale for a number of threads in one place: 1, 2 to 3, 4 to 7, and so on. */
export function heatStep(threads: number): number {
  return Math.min(HEATS - 1, 31 - Math.clz32(Math.max(1, threads)));
}

/** Custom property of that step. */
export function heatToken(threads: number): string {
  return `--heat-${String(heatStep(threads))}`;
}

/** Colours of the present theme as values. */
export interface Theme {
  readonly paper: string;
  readonly ink: string;
  readonly muted: string;
  readonly hair: string;
  readonly edge: string;
  readonly accent: string;
  readonly core: string;
  readonly coreIdle: string;
  readonly slot: string;
  readonly sans: string;
  /** Any token by name. */
  of(token: string): string;
  /** Black or white, whichever reads better on a colour. */
  on(color: string): string;
}

/** Luminance at which black and white are equally readable: one of them always has a contrast above 4.5. */
const MIDDLE = 0.179;

/** Reads the tokens that hold at an element. */
export function readTheme(element: Element): Theme {
  const style = getComputedStyle(element);
  const cache = new Map<string, string>();
  const of = (token: string): string => {
    let value = cache.get(token);
    if (value === undefined) {
      value = style.getPropertyValue(token).trim() || '#888888';
      cache.set(token, value);
    }
    return value;
  };
  const contrast = new Map<string, string>();
  const on = (color: string): string => {
    let value = contrast.get(color);
    if (value === undefined) {
      value = luminance(color) > MIDDLE ? '#000000' : '#ffffff';
      contrast.set(color, value);
    }
    return value;
  };
  return {
    paper: of('--paper'),
    ink: of('--ink'),
    muted: of('--muted'),
    hair: of('--hair'),
    edge: of('--edge'),
    accent: of('--accent'),
    core: of('--core'),
    coreIdle: of('--core-idle'),
    slot: of('--slot'),
    sans: of('--sans'),
    of,
    on,
  };
}

/** Relative luminance of `#rrggbb`, as WCAG defines it. */
export function luminance(hex: string): number {
  const channel = (at: number): number => {
    const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}
