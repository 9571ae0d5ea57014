/** What every kind of film file is made of. */

/** One compressed picture. */
export interface Sample {
  readonly data: Uint8Array<ArrayBuffer>;
  /** When it is seen, in µs from the begin. */
  readonly atUs: number;
  /** Whether it stands for itself. */
  readonly isKey: boolean;
}

/** How the numbers of pixels mean colours, as ITU-T H.273 numbers it. */
export interface Colour {
  readonly primaries: number;
  readonly transfer: number;
  readonly matrix: number;
  readonly isFullRange: boolean;
}

/** A film that is ready to be written. */
export interface Track {
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  /** Pictures in the order in which they are seen. */
  readonly samples: readonly Sample[];
  /** What a decoder has to know first; empty where it needs nothing. */
  readonly setup: Uint8Array<ArrayBuffer>;
  readonly colour: Colour;
}

/** Takes pictures and gives back a file. */
export interface Encoder {
  /** Takes what a canvas shows as the next picture. */
  add(canvas: HTMLCanvasElement): Promise<void>;
  /** The file, once all pictures were taken. */
  finish(): Promise<Blob>;
  /** Gives back what it holds; nothing more is taken. */
  close(): void;
}

/** Several pieces of bytes as one. */
export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** A whole number in so many bytes, the highest first. */
export function bigEndian(value: number, bytes: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(bytes);
  let rest = value;
  for (let i = bytes - 1; i >= 0; i--) {
    out[i] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return out;
}
