// The texts of one source file that readers see.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { IndexTracker } from 'wuchale';
import config from '../wuchale.config.js';

/** The English texts of a file, by its path from `web`. */
export async function textsOfFile(filename) {
  const content = readFileSync(path.join(import.meta.dirname, '..', filename), 'utf8');
  const { msgs } = await config.adapters.page.transform({
    content,
    filename,
    index: new IndexTracker(),
    expr: { plain: 'texts', reactive: 'texts' },
    matchUrl: () => null,
  });
  return msgs.map(({ msgStr }) => msgStr.join('\n'));
}
