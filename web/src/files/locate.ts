/**
 * Places in the text of a scenario: from line and column to the field there, and from fields to their lines. The core
 * names one of the two, people need both. Loaded when a file has problems.
 */
import { getLocation, visit } from 'jsonc-parser';
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
  // The core counts bytes, and its position is after the part that it refused.
  const bytes = new TextEncoder().encode(lines[line - 1] ?? '').slice(0, Math.max(0, column - 1));
  const offset = before + new TextDecoder().decode(bytes).length;
  const { path } = getLocation(text, Math.max(0, offset));
  return path.length > 0 ? path : null;
}

/** A field to find, or one that contains such fields. */
interface Wanted {
  /** Indices of the fields that it is or contains. */
  readonly fields: number[];
  readonly inner: Map<string | number, Wanted>;
}

/** A list or an object that the walk is in; without `wanted` it contains no field to find. */
interface Level {
  readonly wanted: Wanted | undefined;
  /** The present entry: position or name. */
  at: string | number;
}

/**
 * Lines (from 1) of fields, or of the nearest fields around them, in one walk through the text. The text must be
 * JSON.
 */
export function linesOf(text: string, fields: readonly Path[]): readonly number[] {
  const lines = fields.map(() => 1);
  const root: Wanted = { fields: [...fields.keys()], inner: new Map() };
  for (const [field, path] of fields.entries()) {
    let wanted = root;
    for (const part of path) {
      const next: Wanted = wanted.inner.get(part) ?? { fields: [], inner: new Map() };
      wanted.inner.set(part, next);
      next.fields.push(field);
      wanted = next;
    }
  }
  const levels: Level[] = [];
  const reach = (line: number): Wanted | undefined => {
    const level = levels.at(-1);
    const wanted = level ? level.wanted?.inner.get(level.at) : root;
    for (const field of wanted?.fields ?? []) lines[field] = line + 1;
    return wanted;
  };
  const enter = (first: string | number, line: number): boolean => {
    const wanted = reach(line);
    levels.push({ wanted, at: first });
    // A part without fields to find is skipped.
    return (wanted?.inner.size ?? 0) > 0;
  };
  const leave = () => {
    levels.pop();
  };
  visit(text, {
    onObjectBegin: (_offset, _length, line) => enter('', line),
    onArrayBegin: (_offset, _length, line) => enter(0, line),
    onObjectEnd: leave,
    onArrayEnd: leave,
    onObjectProperty: (name) => {
      const level = levels.at(-1);
      if (level) level.at = name;
    },
    onSeparator: (character) => {
      const level = levels.at(-1);
      if (character === ',' && typeof level?.at === 'number') level.at++;
    },
    onLiteralValue: (_value, _offset, _length, line) => {
      reach(line);
    },
  });
  return lines;
}

/** The field that a problem is about, in the text that the core read. */
export function placeOf({ path, message }: Problem, text: string): Path {
  const stop = stopOf(path);
  if (!stop) return partsOf(path);
  const parts = fieldAt(text, stop.line, stop.column) ?? [];
  // The core notices a missing field at the end of the object around it.
  return message.startsWith('missing field') ? parts.slice(0, -1) : parts;
}

/** Where the core stopped reading: line and column, or null if it named a field. */
function stopOf(path: string): { line: number; column: number } | null {
  const found = /^line (\d+), column (\d+)$/.exec(path);
  return found ? { line: Number(found[1]), column: Number(found[2]) } : null;
}
