/**
 * A file of unknown origin → a scenario, or the first things that are wrong with it, each with the line
 * and the field. The core knows the format; here its answers are brought back to the text. The text is
 * parsed once, and walked through once more where something is wrong, however much that is.
 */
import { messageOf } from '../lib/assert';
import type { Path } from '../lib/paths';
import type { Problem } from '../sim/protocol';
import type { Checked } from '../sim/types/Checked';
import type { Scenario } from '../sim/types/Scenario';
import { linesOf, pathOf, placeOf } from './locate';
import { scenarioOf, unknownKeys } from './parse';
import { isTooDeep, syntaxProblems } from './syntax';

/** Longest text that is looked at; as much as the core reads. */
export const MAX_FILE = 4 * 1024 * 1024;
/** As many as the core tells in words. */
const MAX_SHOWN = 20;
/** Longest name of a field that is shown. */
const MAX_PATH = 200;

/** Something wrong with a file. */
export interface FileProblem {
  /** Line from 1; null where the file as a whole is meant. */
  readonly line: number | null;
  /** Field, as in `groups[0].count`; empty outside of fields. */
  readonly path: string;
  readonly message: string;
}

/** What came out of a file. */
export interface Reading {
  /** The scenario as the core reads it, where nothing is wrong; else null. */
  readonly scenario: Scenario | null;
  /** What the text says, for mending; null if it is no JSON. */
  readonly given: unknown;
  readonly problems: readonly FileProblem[];
  /** The same problems as the core named them, for mending. */
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
    // What is too deep is not parsed: that takes a second for two million levels.
    if (!isTooDeep(text)) value = JSON.parse(text);
  } catch (error) {
    // The words of browsers differ; they are the last resort.
    return nothing(badSyntax(text) ?? [ofAll(`this is not JSON: ${messageOf(error)}`)]);
  }
  if (value === undefined) return nothing(badSyntax(text) ?? [ofAll('The file is too deep.')]);
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

/** The problems of a text with their lines: as many as are shown. */
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
    found.push({ parts: placeOf(problem, written), message: problem.message });
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

/** What is wrong with the text as JSON, or null if nothing is found. */
function badSyntax(text: string): readonly FileProblem[] | null {
  const found = syntaxProblems(text, MAX_SHOWN);
  return found.length > 0 ? found.map((problem) => ({ ...problem, path: '' })) : null;
}

function ofAll(message: string): FileProblem {
  return { line: null, path: '', message };
}
