// Records the inputs of each build: a hash of the inputs, stored with the sizes of the outputs.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { cache, inRoot, root } from './paths.mjs';

/** The files under the given repository paths, sorted; `skip` is called with each relative path. */
export function filesUnder(paths, skip = () => false) {
  const found = [];
  const walk = (relative) => {
    const full = inRoot(relative);
    if (skip(relative) || !existsSync(full)) return;
    if (!statSync(full).isDirectory()) {
      found.push(relative);
      return;
    }
    for (const name of readdirSync(full)) walk(`${relative}/${name}`);
  };
  for (const start of paths) walk(start);
  return found.sort();
}

/**
 * One hash over names and contents. `extra` is anything else that the result depends on, and `contentOf` says what of a file
 * it depends on.
 */
export function hashFiles(files, extra = '', contentOf = (file) => readFileSync(inRoot(file))) {
  const hash = createHash('sha256').update(extra);
  for (const file of files) {
    const content = contentOf(file);
    hash.update(`\n${file} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

const stampFile = (name) => path.join(cache, 'stamps', `${name}.json`);

/** The outputs as they are now: an interrupted or deleted build must not count as complete. */
function describe(output) {
  const relative = path.relative(root, output);
  return filesUnder([relative.split(path.sep).join('/')]).map((file) => [
    file,
    statSync(inRoot(file)).size,
  ]);
}

/**
 * Whether `output` (a file or folder) is still the build from inputs with this hash. Without an output: whether a check
 * of these inputs has passed.
 */
export function isFresh(name, hash, output) {
  try {
    const stamp = JSON.parse(readFileSync(stampFile(name), 'utf8'));
    if (stamp.hash !== hash) return false;
    const now = output && describe(output);
    return now?.length !== 0 && JSON.stringify(stamp.output) === JSON.stringify(now);
  } catch {
    return false;
  }
}

/** Records that `output` has just been built from inputs with this hash, or that a check of them has passed. */
export function writeStamp(name, hash, output) {
  mkdirSync(path.dirname(stampFile(name)), { recursive: true });
  writeFileSync(stampFile(name), JSON.stringify({ hash, output: output && describe(output) }));
}

/** Forgets a stamp, so that nothing counts as done when work on it begins and is interrupted. */
export const removeStamp = (name) => rmSync(stampFile(name), { force: true });

/**
 * Which of these files are new or different since `record` was last called for this name, or gone. So a
 * suite can choose its tests by what changed.
 */
export function changesSince(name, files) {
  const now = Object.fromEntries(files.map((file) => [file, hashFiles([file])]));
  let before = {};
  try {
    before = JSON.parse(readFileSync(stampFile(name), 'utf8'));
  } catch {
    // Nothing has been recorded: all files are new.
  }
  const names = new Set([...Object.keys(before), ...files]);
  return {
    changed: [...names].filter((file) => before[file] !== now[file]),
    record() {
      mkdirSync(path.dirname(stampFile(name)), { recursive: true });
      writeFileSync(stampFile(name), JSON.stringify(now));
    },
  };
}
