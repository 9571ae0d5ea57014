/** A text in lines that fit. */

/** Letters that are tried first; more or less as many as there are in a line. */
const FIRST_GUESS = 64;

/** A place that does not divide a letter of two code units. */
function betweenLetters(text: string, n: number): number {
  const isInside = /[\uD800-\uDBFF]/.test(text.charAt(n - 1));
  return isInside ? (n > 1 ? n - 1 : 2) : n;
}

/** The longest beginning of a text that fits. A text far longer than a line is not measured as a whole, for that takes as long as it is. */
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

/** A text in at most so many lines; it is cut between letters where words are too long, and ends with dots when there is more. */
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
