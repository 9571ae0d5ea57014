/**
 * A file of unknown origin → a scenario, or everything that is wrong with it, each with the line and
 * the field. The core knows the format; here its answers are brought back to the text.
 */
import { parseTree, type ParseError, printParseErrorCode } from 'jsonc-parser';
import { messageOf } from '../lib/assert';
import type { Problem } from '../sim/protocol';
import type { Checked } from '../sim/types/Checked';
import type { Scenario } from '../sim/types/Scenario';
import { lineOf, pathOf, placeOf } from './locate';
import { parseScenario, unknownKeys } from './parse';

/** Longest text that is looked at; as much as the core reads. */
export const MAX_FILE = 4 * 1024 * 1024;
const MAX_SHOWN = 20;

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
    problems: problems.slice(0, MAX_SHOWN),
    refused: [],
  });
  if (text.length > MAX_FILE)
    return nothing([{ line: null, path: '', message: 'The file is longer than 4 MB.' }]);
  const errors = syntaxErrors(text);
  if (errors.length > 0) return nothing(errors);
  let given: unknown;
  try {
    given = parseScenario(text);
  } catch (error) {
    return nothing([{ line: null, path: '', message: `A scenario ${messageOf(error)}.` }]);
  }
  const strange = unknownKeys(text).map((key) => ({
    line: lineOf(text, [key]),
    path: key,
    message: 'there is no such field',
  }));
  const { errors: refused, scenario } = await check(given);
  const written = JSON.stringify(given);
  const problems = refused.map((problem) => {
    const parts = placeOf(problem, written);
    return { line: lineOf(text, parts), path: pathOf(parts), message: problem.message };
  });
  const all = [...strange, ...problems].slice(0, MAX_SHOWN);
  return { scenario: all.length === 0 ? scenario : null, given, problems: all, refused };
}

function syntaxErrors(text: string): FileProblem[] {
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const found = errors.map(({ offset, error }) => ({
    line: text.slice(0, offset).split('\n').length,
    path: '',
    message: `this is not JSON: ${words(printParseErrorCode(error))}`,
  }));
  if (found.length > 0) return found;
  try {
    JSON.parse(text);
    return [];
  } catch (error) {
    return [{ line: null, path: '', message: `this is not JSON: ${messageOf(error)}` }];
  }
}

/** `PropertyNameExpected` as words. */
function words(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
