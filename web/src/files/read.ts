/**
 * A file of unknown origin → a scenario, or its first problems, each with line and field. The core knows the format;
 * this file finds the places in the text that the core's answers are about. The text is parsed once. If there are
 * problems, however many, it is walked through once more.
 */
import { messageOf } from '../lib/assert';
import { coreMessage } from '../lib/core-message';
import type { Path } from '../lib/paths';
import type { Problem } from '../sim/protocol';
import type { Checked } from '../sim/types/Checked';
import type { Scenario } from '../sim/types/Scenario';
import { foreignText, foreignValue } from './foreign';
import { linesOf, pathOf, placeOf } from './locate';
import { scenarioOf, unknownKeys } from './parse';
import { isTooDeep, syntaxProblems } from './syntax';

/** Longest text that is read; the core has the same limit. */
export const MAX_FILE = 4 * 1024 * 1024;
/** The core describes this many problems, too. */
const MAX_SHOWN = 20;
/** Longest name of a field that is shown. */
const MAX_PATH = 200;

/** Something wrong with a file. */
export interface FileProblem {
  /** Line from 1; null where the problem is about the whole file. */
  readonly line: number | null;
  /** Field, as in `groups[0].count`; empty outside of fields. */
  readonly path: string;
  readonly message: string;
}

/** The result of reading a file. */
export interface Reading {
  /** The scenario as the core reads it; null if there is a problem. */
  readonly scenario: Scenario | null;
  /** The parsed text, for repair; null if it is not JSON. */
  readonly given: unknown;
  readonly problems: readonly FileProblem[];
  /** The same problems in the core's form, for repair. */
  readonly refused: readonly Problem[];
}

/** Reads a text; `check` asks the core. */
export async function readFile(
  text: string,
  check: (scenario: unknown) => Promise<Checked>,
): Promise<Reading> {
  const nothing = (problems: readonly FileProblem[]): Reading => ({
    scenario: null,
    given: null,
    problems,
    refused: [],
  });
  if (text.length > MAX_FILE) return nothing([ofAll('The file is longer than 4 MB.')]);
  let value: unknown;
  try {
    // A text that is nested too deep is not parsed: two million levels would take a second.
    if (!isTooDeep(text)) value = JSON.parse(text);
  } catch (error) {
    // Browsers word this differently, so their message is the last resort.
    const foreign = foreignText(text);
    if (foreign !== null) return nothing([ofAll(foreign)]);
    return nothing(badSyntax(text) ?? [ofAll(`this is not JSON: ${messageOf(error)}`)]);
  }
  if (value === undefined)
    return nothing(badSyntax(text) ?? [ofAll('The file is nested too deeply.')]);
  const foreign = foreignValue(value);
  if (foreign !== null) return nothing([ofAll(foreign)]);
  let given: unknown;
  try {
    given = scenarioOf(value);
  } catch (error) {
    return nothing([ofAll(`A scenario ${messageOf(error)}.`)]);
  }
  const strange = unknownKeys(value);
  const { errors: refused, scenario } = await check(given);
  if (strange.length === 0 && refused.length === 0)
    return { scenario, given, problems: [], refused };
  return { scenario: null, given, problems: located(text, given, strange, refused), refused };
}

/** The problems of a text with their lines, up to the number that is shown. */
function located(
  text: string,
  given: unknown,
  strange: readonly string[],
  refused: readonly Problem[],
): readonly FileProblem[] {
  const found: { parts: Path; message: string }[] = strange
    .slice(0, MAX_SHOWN)
    .map((key) => ({ parts: [key], message: 'there is no such field' }));
  const rest = strange.length - found.length;
  if (rest > 0) found.push({ parts: [], message: `there are ${String(rest)} more such fields` });
  const written = JSON.stringify(given);
  for (const problem of refused)
    found.push({ parts: placeOf(problem, written), message: coreMessage(problem.message) });
  const lines = linesOf(
    text,
    found.map(({ parts }) => parts),
  );
  return found.map(({ parts, message }, i) => ({
    line: parts.length > 0 ? (lines[i] ?? null) : null,
    path: pathOf(parts).slice(0, MAX_PATH),
    message,
  }));
}

/** The problems of the text as JSON, or null if none is found. */
function badSyntax(text: string): readonly FileProblem[] | null {
  const found = syntaxProblems(text, MAX_SHOWN);
  return found.length > 0 ? found.map((problem) => ({ ...problem, path: '' })) : null;
}

function ofAll(message: string): FileProblem {
  return { line: null, path: '', message };
}
