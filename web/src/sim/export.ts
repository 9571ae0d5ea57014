/** A trace for other programs: a lane runs again from the start and writes its records. */
import type { Scenario } from './types/Scenario';

/** Formats; see `sim-core/src/export`. */
export const EXPORT_FORMATS = ['csv', 'jsonl', 'ftrace', 'ktr'] as const;

/** The trace to write. */
export interface ExportArgs {
  readonly scenario: Scenario;
  readonly lane: number;
  readonly format: (typeof EXPORT_FORMATS)[number];
  readonly untilNs: number;
}

/** The part of the generated `Export` class that is used. */
export interface ExportApi {
  more(): string;
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
  const parts: string[] = [];
  let size = 0;
  try {
    for (let piece = source.more(); piece !== ''; piece = source.more()) {
      size += piece.length;
      if (size > MAX_TEXT)
        throw new Error('The trace is longer than 256 MB. Choose a shorter time.');
      // The newest line of KTR comes first.
      parts.push(
        format === 'ktr' ? piece.trimEnd().split('\n').reverse().join('\n') + '\n' : piece,
      );
      await breathe();
    }
    if (format === 'ktr') parts.reverse();
    parts.unshift(source.header());
  } finally {
    source.free();
  }
  return new Blob(parts, { type: 'text/plain' });
}
