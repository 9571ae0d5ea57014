// Limits of the length of source files.

const limits = { code: { warn: 400, fail: 600 }, '.svelte': { warn: 300, fail: 350 } };

/** Tests are lists of cases, and data is data: their length does not make them hard to read. Nobody reads generated files. */
const exempt = [
  ...[/\.(test|spec)\.ts$/, /\/tests\//, /\/fixtures\//, /\.d\.ts$/],
  /\/locales\/\.wuchale\//,
];

/** A long file with a single subject says so near its top, with the reason. */
const excuse = /one subject:[ \t]*\S/;

/**
 * The problem with a file's length, as { message, fatal }, or undefined. `read` returns its text, and is called only
 * for source files.
 */
export function lengthProblem(file, read) {
  const ending = /\.[a-z]+$/.exec(file)?.[0];
  if (!['.rs', '.ts', '.svelte', '.mjs', '.js', '.css'].includes(ending)) return undefined;
  if (exempt.some((pattern) => pattern.test(file))) return undefined;
  const lines = read().trimEnd().split('\n');
  const { warn, fail } = limits[ending] ?? limits.code;
  if (lines.length <= warn) return undefined;
  const message = `${file} has ${lines.length} lines (limit ${fail})`;
  if (lines.length <= fail) return { message, fatal: false };
  const excused = ending !== '.svelte' && excuse.test(lines.slice(0, 15).join('\n'));
  return { message, fatal: !excused };
}
