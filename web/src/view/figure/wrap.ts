/** Breaks a text into lines that fit. */

/** Characters to try first; about as many as fit into a line. */
const FIRST_GUESS = 64;

/** A position that does not split a character of two code units. */
function betweenLetters(text: string, n: number): number {
  const isInside = /[\uD800-\uDBFF]/.test(text.charAt(n - 1));
  return isInside ? (n > 1 ? n - 1 : 2) : n;
}

/**
 * The longest beginning of a text that fits. A much longer text is not measured as a whole, as that time grows with
 * its length.
 */
function fitting(text: string, width: number, measure: (part: string) => number): number {
  let fits = 0;
  let tooLong = FIRST_GUESS;
  while (tooLong < text.length && measure(text.slice(0, tooLong)) <= width) {
    fits = tooLong;
    tooLong *= 2;
  }
  if (tooLong >= text.length) {
    if (measure(text) <= width) return text.length;
    tooLong = text.length;
  }
  while (tooLong - fits > 1) {
    const n = (fits + tooLong) >> 1;
    if (measure(text.slice(0, n)) <= width) fits = n;
    else tooLong = n;
  }
  return betweenLetters(text, Math.max(1, fits));
}

/**
 * A text in at most `most` lines. Words that are too long are split between characters; dots at the end show that
 * there is more.
 */
export function wrapped(
  text: string,
  width: number,
  mostLines: number,
  measure: (part: string) => number,
): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest !== '' && lines.length < mostLines) {
    let n = fitting(rest, width, measure);
    const space = n < rest.length ? rest.lastIndexOf(' ', n) : -1;
    if (space > n / 2) n = space;
    lines.push(rest.slice(0, n).trim());
    rest = rest.slice(n).trim();
  }
  if (rest !== '') lines.push(`${(lines.pop() ?? '').replace(/.$/su, '')}…`);
  return lines;
}
