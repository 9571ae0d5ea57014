// Whether what the page prints of a number is that number, read back from the text by somebody who knows nothing of how
// it was printed.

/** The number of a text as the page writes it, and how many decimals it has. */
export function readNumber(text) {
  const plain = text.replaceAll('\u202f', '').replaceAll('−', '-');
  if (!/^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/.test(plain)) return null;
  const [mantissa, power = '0'] = plain.split('e');
  const decimals = (mantissa.split('.')[1] ?? '').length - Number(power);
  return { value: Number(plain), decimals };
}

/** Digits that count in a text. */
function digitsOf(text) {
  const [mantissa] = text.replaceAll('\u202f', '').split('e');
  return mantissa.replace(/^[^\d]*[0.]*/, '').replace('.', '').length;
}

/** Rounding goes at most half of the last decimal away, and the comparison itself has a rounding of its own. */
const HALF = 0.5 + 1e-6;

/** Why a text does not print a value; empty if it does. A dash prints a value that is missing. */
export function misprint(text, value, { digits = 3 } = {}) {
  if (value === null || value === undefined) {
    return text === '–' || text === '' ? '' : `“${text}” for a number that is missing`;
  }
  const read = readNumber(text);
  if (!read) return `“${text}” for ${value}`;
  if (Math.abs(read.value - value) > HALF * 10 ** -read.decimals) return `“${text}” for ${value}`;
  if (value !== 0 && read.value !== 0 && !text.includes('e') && digitsOf(text) < digits)
    return `“${text}” for ${value}: fewer than ${digits} digits`;
  return '';
}

/** The same of a mean with half of its interval. */
export function misprintedMean(text, mean, half) {
  const [first, second, ...more] = text.split(' ± ');
  if (more.length > 0) return `“${text}” for ${mean}`;
  if (second === undefined) return misprint(first, mean);
  const wrong = misprint(second, half, { digits: 1 });
  // The decimals follow from the interval: few of them where that is wide.
  return wrong === '' ? misprint(first, mean, { digits: 1 }) : `${wrong} (half of the interval)`;
}

/** Cells of a CSV text, by line. */
export function readCsv(text) {
  const cell = /("(?:[^"]|"")*"|[^,"\r\n]*)(,|\r\n|$)/g;
  const rows = [[]];
  for (const [, raw, end] of text.matchAll(cell)) {
    rows.at(-1).push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    if (end === '\r\n') rows.push([]);
    if (end === '') break;
  }
  return rows.filter((row) => row.length > 1);
}
