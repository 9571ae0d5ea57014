/** Finds the places where a text is not valid JSON. Loaded together with the reader of files. */
import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';
import { MAX_DEPTH } from './parse';

/** A place that cannot be read. */
export interface SyntaxProblem {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

/** Thrown to end a walk through a text. */
const DONE = new Error('enough has been seen');

/** The first `most` problems of a text; the walk ends there, however long the text is. */
export function syntaxProblems(text: string, most: number): readonly SyntaxProblem[] {
  const found: SyntaxProblem[] = [];
  const add = (line: number, message: string) => {
    found.push({ line: line + 1, message });
    if (found.length >= most) throw DONE;
  };
  let depth = 0;
  const enter = (_offset: number, _length: number, line: number) => {
    if (++depth <= MAX_DEPTH) return;
    most = found.length + 1;
    add(line, `lists and objects must not be nested more than ${String(MAX_DEPTH)} levels deep`);
  };
  const leave = () => {
    depth--;
  };
  try {
    visit(
      text,
      {
        onObjectBegin: enter,
        onArrayBegin: enter,
        onObjectEnd: leave,
        onArrayEnd: leave,
        onError: (code, _offset, _length, line) => {
          add(line, `this is not JSON: ${words(code)}`);
        },
      },
      { disallowComments: true, allowTrailingComma: false },
    );
  } catch (error) {
    if (error !== DONE) throw error;
  }
  return found;
}

/** What a text of JSON has wrong, by the parser's name of it. */
const WHAT: Readonly<Record<string, string>> = {
  InvalidSymbol: 'unknown word',
  InvalidNumberFormat: 'a number is not written so',
  PropertyNameExpected: 'the name of a field is expected',
  ValueExpected: 'a value is expected',
  ColonExpected: 'a colon is expected',
  CommaExpected: 'a comma is expected',
  CloseBraceExpected: 'a closing brace is expected',
  CloseBracketExpected: 'a closing bracket is expected',
  EndOfFileExpected: 'the end of the file is expected',
  InvalidCommentToken: 'comments are not allowed',
  UnexpectedEndOfComment: 'the comment does not end',
  UnexpectedEndOfString: 'the text in quotation marks does not end',
  UnexpectedEndOfNumber: 'the number does not end',
  InvalidUnicode: 'invalid code of a character',
  InvalidEscapeCharacter: 'invalid character after a backslash',
  InvalidCharacter: 'invalid character',
};

function words(code: ParseErrorCode): string {
  return WHAT[printParseErrorCode(code)] ?? 'it cannot be read';
}

/** Whether a text, as far as it is JSON, is nested deeper than a stack should bear. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE:
        i = endOfString(text, i);
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (++depth > MAX_DEPTH) return true;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth--;
    }
  }
  return false;
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Where the string that begins at a place ends. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) return i;
    if (code === BACKSLASH) i++;
  }
  return text.length;
}
