/**
 * Places in the text of a scenario: from line and column to the field there, and from a field to its
 * line. The core names one of the two, people need both. Loaded when something is wrong.
 */
import { findNodeAtLocation, getLocation, parseTree, type Node } from 'jsonc-parser';
import type { Path } from '../lib/paths';
import type { Problem } from '../sim/protocol';

/** `groups[0].count` as its parts. */
export function partsOf(path: string): Path {
  return [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, name]) =>
    index === undefined ? (name ?? '') : Number(index),
  );
}

/** Parts as `groups[0].count`. */
export function pathOf(parts: Path): string {
  return parts.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${String(part)}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}

/** The field at a line and column (both from 1), or null outside of every field. */
export function fieldAt(text: string, line: number, column: number): Path | null {
  const lines = text.split('\n');
  const before = lines.slice(0, line - 1).reduce((sum, l) => sum + l.length + 1, 0);
  // The core counts bytes and stands behind what it did not like.
  const bytes = new TextEncoder().encode(lines[line - 1] ?? '').slice(0, Math.max(0, column - 1));
  const offset = before + new TextDecoder().decode(bytes).length;
  const { path } = getLocation(text, Math.max(0, offset));
  return path.length > 0 ? path : null;
}

/** Line (from 1) of a field, or of the nearest one around it. */
export function lineOf(text: string, parts: Path): number {
  const root = parseTree(text);
  let found: Node | undefined = root;
  for (let n = parts.length; root && n > 0; n--) {
    found = findNodeAtLocation(root, [...parts.slice(0, n)]);
    if (found) break;
  }
  return text.slice(0, found?.offset ?? 0).split('\n').length;
}

/** The field that a problem is about, in the text that the core read. */
export function placeOf({ path, message }: Problem, text: string): Path {
  const stop = stopOf(path);
  if (!stop) return partsOf(path);
  const parts = fieldAt(text, stop.line, stop.column) ?? [];
  // What is missing is noticed behind the last of its neighbours.
  return message.startsWith('missing field') ? parts.slice(0, -1) : parts;
}

/** Where the core stopped reading: line and column, or null if it named a field. */
function stopOf(path: string): { line: number; column: number } | null {
  const found = /^line (\d+), column (\d+)$/.exec(path);
  return found ? { line: Number(found[1]), column: Number(found[2]) } : null;
}
