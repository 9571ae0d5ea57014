// Checks that the text for a number on the page is that number. The text is read back without any knowledge of how it
// was written.

/** The number in a text of the page, and its number of decimals. */
export function readNumber(text) {
  const plain = text.replaceAll('\u202f', '').replaceAll('−', '-');
  if (!/^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/.test(plain)) return null;
  const [mantissa, power = '0'] = plain.split('e');
  const decimals = (mantissa.split('.')[1] ?? '').length - Number(power);
  return { value: Number(plain), decimals };
}

/** Significant digits of a text. */
function digitsOf(text) {
  const [mantissa] = text.replaceAll('\u202f', '').split('e');
  return mantissa.replace(/^[^\d]*[0.]*/, '').replace('.', '').length;
}

/** Rounding changes a value by at most half of the last decimal; the comparison itself rounds, too. */
const HALF = 0.5 + 1e-6;

/** Why a text is wrong for a value; empty if it is right. A dash stands for a missing value. */
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

/** The same for a mean with half of its interval. */
export function misprintedMean(text, mean, half) {
  const [first, second, ...more] = text.split(' ± ');
  if (more.length > 0) return `“${text}” for ${mean}`;
  if (second === undefined) return misprint(first, mean);
  const wrong = misprint(second, half, { digits: 1 });
  // The interval decides the number of decimals: few if it is wide.
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
