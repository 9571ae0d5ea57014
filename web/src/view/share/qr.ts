/** QR codes, drawn here: no address ever leaves the page. */
import { encode } from 'uqr';

/** Clear cells around a code, as the standard wants them. */
export const BORDER = 4;
/** The smallest code has version 1 and 21 cells; this one has 33, and is still read across a room. */
const MOST_VERSION = 4;

/** A code as one path in a square of `size` cells, the clear ones around it included. */
export interface Modules {
  readonly size: number;
  readonly path: string;
}

/** The code of a text; null if it would be too fine to be read across a room. */
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
