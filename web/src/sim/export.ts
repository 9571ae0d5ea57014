/** A trace for other programs: a lane runs again from the start and writes its records. */
import type { Scenario } from './types/Scenario';

/** Formats; see `sim-core/src/export`. */
export const EXPORT_FORMATS = ['csv', 'jsonl', 'ftrace', 'ktr', 'perfetto'] as const;

/** The trace to write. */
export interface ExportArgs {
  readonly scenario: Scenario;
  readonly lane: number;
  readonly format: (typeof EXPORT_FORMATS)[number];
  readonly untilNs: number;
}

/** The part of the generated `Export` class that is used. */
export interface ExportApi {
  /** The next piece of a text; empty at the end. */
  more(): string;
  /** The same of a format that is no text. */
  packets(): Uint8Array;
  /** What stands first; right after the last piece. */
  header(): string;
  free(): void;
}

/** Programs on a laptop can hardly open a larger text. */
const MAX_TEXT = 256 * 1024 * 1024;

/** Writes the whole trace; `breathe` tells the page that work goes on. */
export async function exportTrace(
  source: ExportApi,
  format: ExportArgs['format'],
  breathe: () => Promise<void>,
): Promise<Blob> {
  const parts: (string | Uint8Array<ArrayBuffer>)[] = [];
  let size = 0;
  try {
    const next = () => (format === 'perfetto' ? new Uint8Array(source.packets()) : source.more());
    for (let piece = next(); piece.length > 0; piece = next()) {
      size += piece.length;
      if (size > MAX_TEXT)
        throw new Error('The trace is longer than 256 MB. Choose a shorter time.');
      // The newest line of KTR comes first.
      if (format === 'ktr' && typeof piece === 'string')
        piece = piece.trimEnd().split('\n').reverse().join('\n') + '\n';
      parts.push(piece);
      await breathe();
    }
    if (format === 'ktr') parts.reverse();
    parts.unshift(source.header());
  } finally {
    source.free();
  }
  const type = format === 'perfetto' ? 'application/octet-stream' : 'text/plain';
  return new Blob(parts, { type });
}
