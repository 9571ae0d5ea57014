/** The messages that the page around an embedded one may send, and how they are read. Nothing in them is trusted. */
import { MAX_LINK } from '../../link/fields';
import { plainObject, strangeField } from '../../lib/plain';
import { MAX_UNPACKED } from '../../link/packing';
import type { StepKind } from '../../sim/protocol';

const STEPS = [
  'event',
  'tick',
  'decision',
  'switch',
  'migration',
  'wakeup',
  'preemption',
  'sliceEnd',
  'exit',
  'steal',
  'balance',
] as const satisfies readonly StepKind[];

/** Most steps that may wait. */
export const MOST_STEPS = 100;

/** A request. */
export type Asked =
  | { readonly kind: 'open'; readonly fragment: string }
  | { readonly kind: 'scenario'; readonly json: string }
  | { readonly kind: 'step'; readonly by: (typeof STEPS)[number]; readonly back: boolean }
  | { readonly kind: 'seek'; readonly atNs: number }
  | { readonly kind: 'play' | 'pause' };

/** A request, and the number that the other page gave it. */
export type Message = Asked & { readonly id: number | null };

/** A problem with a request. */
export interface Wrong {
  /** Field of the message, or of the scenario in it. */
  readonly path: string;
  readonly message: string;
}

interface Field {
  readonly allowed: string;
  readonly fits: (value: unknown) => boolean;
  /** The value of a field that is missing; a field without one is required. */
  readonly or?: unknown;
}

const text = (most: number): Field => ({
  allowed: `a text of at most ${String(most / 1024)} kB`,
  fits: (value) => typeof value === 'string' && value.length <= most,
});
const whole = (or?: null): Field => ({
  allowed: `a whole number from 0 to ${String(Number.MAX_SAFE_INTEGER)}`,
  fits: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  ...(or === undefined ? {} : { or }),
});

/** The fields of each kind, besides the kind itself and the number. */
const KINDS = new Map<unknown, Readonly<Record<string, Field>>>([
  ['open', { fragment: text(MAX_LINK) }],
  ['scenario', { json: text(MAX_UNPACKED) }],
  [
    'step',
    {
      by: {
        allowed: `one of ${STEPS.join(', ')}`,
        fits: (value) => STEPS.some((step) => step === value),
        or: 'migration',
      },
      back: { allowed: 'true or false', fits: (value) => typeof value === 'boolean', or: false },
    },
  ],
  ['seek', { atNs: whole() }],
  ['play', {}],
  ['pause', {}],
]);
const ID = whole(null);

/** Reads a message: the request, or the problem with it. Its kind comes first; the content of another is not touched. */
export function readMessage(data: unknown): Message | Wrong {
  const given = plainObject(data);
  const known = given && KINDS.get(given['kind']);
  if (!known) return wrong('kind', `one of ${[...KINDS.keys()].join(', ')}`);
  const fields = { ...known, id: ID };
  const strange = strangeField(given, (key) => key === 'kind' || Object.hasOwn(fields, key));
  if (strange !== null) return { path: strange.slice(0, 40), message: 'there is no such field' };
  const read: Record<string, unknown> = { kind: given['kind'] };
  for (const [key, { allowed, fits, or }] of Object.entries(fields)) {
    const value = given[key];
    if (value === undefined ? or === undefined : !fits(value)) return wrong(key, allowed);
    read[key] = value ?? or;
  }
  return read as unknown as Message;
}

function wrong(path: string, allowed: string): Wrong {
  return { path, message: `must be ${allowed}` };
}

/**
 * The requests that wait after another one came. Something else to open drops all before it; another time drops times
 * and steps before it. So few wait, however many come. Null: too many steps wait.
 */
export function queued(waiting: readonly Message[], next: Message): readonly Message[] | null {
  const without = (...kinds: readonly Asked['kind'][]) =>
    waiting.filter(({ kind }) => !kinds.includes(kind));
  switch (next.kind) {
    case 'open':
    case 'scenario':
      return [next];
    case 'seek':
      return [...without('seek', 'step'), next];
    case 'play':
    case 'pause':
      return [...without('play', 'pause'), next];
    case 'step':
      return waiting.length - without('step').length < MOST_STEPS ? [...waiting, next] : null;
  }
}
