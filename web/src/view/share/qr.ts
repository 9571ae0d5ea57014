/** QR codes, drawn here: no address ever leaves the page. */
import { encode } from 'uqr';

/** Clear modules around a code, as the standard wants them. */
const BORDER = 4;

/** A code as one path in a square of `size` modules. */
export interface Modules {
  readonly size: number;
  readonly path: string;
}

/** The code of a text; null if it is longer than codes can be. */
export function modulesOf(text: string): Modules | null {
  let code: ReturnType<typeof encode>;
  try {
    code = encode(text, { ecc: 'L', border: BORDER });
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
