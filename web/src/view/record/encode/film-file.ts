/** The parts of every kind of film file. */

/** One compressed picture. */
export interface Sample {
  readonly data: Uint8Array<ArrayBuffer>;
  /** When it is shown, in µs from the beginning. */
  readonly atUs: number;
  /** Whether it stands for itself. */
  readonly isKey: boolean;
}

/** How numbers of pixels mean colours, with the codes of ITU-T H.273. */
export interface Colour {
  readonly primaries: number;
  readonly transfer: number;
  readonly matrix: number;
  readonly isFullRange: boolean;
}

/** A complete film, ready to be written. */
export interface Track {
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  /** Pictures in the order in which they are shown. */
  readonly samples: readonly Sample[];
  /** The decoder's configuration; empty if it needs none. */
  readonly setup: Uint8Array<ArrayBuffer>;
  readonly colour: Colour;
}

/** Takes pictures and makes a file. */
export interface Encoder {
  /** Takes the content of a canvas as the next picture. */
  add(canvas: HTMLCanvasElement): Promise<void>;
  /** The file, after all pictures were taken. */
  finish(): Promise<Blob>;
  /** Releases its resources; it takes no more pictures. */
  close(): void;
}

/** Joins pieces of bytes. */
export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** A whole number in a number of bytes, the highest first. */
export function bigEndian(value: number, bytes: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(bytes);
  let rest = value;
  for (let i = bytes - 1; i >= 0; i--) {
    out[i] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return out;
}
