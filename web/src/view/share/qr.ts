/** QR codes, drawn here: no address ever leaves the page. */
import { encode } from 'uqr';

/** Clear cells around a code, as the standard requires. */
export const BORDER = 4;
/** Largest version: version 1 has 21 cells; version 10 has 57, which hold 271 characters and are 4 px large in the dialog. */
const MOST_VERSION = 10;

/** A code as one path in a square of `size` cells, including the clear ones around it. */
export interface Modules {
  readonly size: number;
  readonly path: string;
}

/** The code of a text; null if it would be too fine to scan from a screen. */
export function modulesOf(text: string): Modules | null {
  let code: ReturnType<typeof encode>;
  try {
    code = encode(text, { ecc: 'L', boostEcc: true, maxVersion: MOST_VERSION, border: BORDER });
  } catch {
    return null;
  }
  let path = '';
  code.data.forEach((row, y) => {
    for (let x = 0; x < row.length; x++) {
      if (!row[x]) continue;
      const from = x;
      while (row[x + 1]) x++;
      path += `M${String(from)} ${String(y)}h${String(x + 1 - from)}v1H${String(from)}z`;
    }
  });
  return { size: code.size, path };
}
