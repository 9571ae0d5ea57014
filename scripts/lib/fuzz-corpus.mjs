// The inputs of the fuzzers that are kept: a file for each target, an input on each line. A line is a JSON string in
// which each character is a byte. So texts can be read, and Rust and Node need nothing else to read them.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from './paths.mjs';

const archive = (target) => inRoot('sim-core', 'fuzz', 'corpus', `${target}.jsonl`);

/** What an editor would not show as it is. */
const UNSEEN = /[\x7f-\xa0\xad]/g;
const escaped = (unseen) => `\\u00${unseen.charCodeAt(0).toString(16)}`;

/** An input as a line, and back. */
export const lineOf = (input) =>
  JSON.stringify(input.toString('latin1')).replaceAll(UNSEEN, escaped);
export const inputOf = (line) => Buffer.from(JSON.parse(line), 'latin1');

/** The kept inputs of a target, as buffers. */
export const keptInputs = (target) =>
  readFileSync(archive(target), 'utf8').split('\n').filter(Boolean).map(inputOf);

/** Writes inputs as files into a new folder, as a fuzzer reads them. */
export function unpack(inputs, folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const input of inputs) {
    const name = createHash('sha1').update(input).digest('hex');
    writeFileSync(path.join(folder, name), input);
  }
}

/** Keeps the inputs in a folder, and no others; the shortest first. Returns their number. */
export function pack(folder, target) {
  const lines = readdirSync(folder)
    .map((name) => lineOf(readFileSync(path.join(folder, name))))
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  writeFileSync(archive(target), lines.map((line) => `${line}\n`).join(''));
  return lines.length;
}
