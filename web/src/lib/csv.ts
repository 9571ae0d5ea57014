/**
 * CSV (RFC 4180) in which no spreadsheet finds a formula, whether it separates columns by comma, semicolon or tab.
 * The core writes the same: `sim-core/src/export/csv.rs`.
 */

/**
 * A place where a reader may begin a cell, and characters that some readers skip, before the first character of a
 * formula. Some readers take the full-width signs of East Asian keyboards for the plain ones.
 */
const FORMULA = /(^|[,;\t\r\n])([ "]*)(?=[=+\-@＝＋－＠])/g;

/** Numbers stay numbers. A text that could begin a formula gets an apostrophe. */
function cell(value: string | number): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  const safe = value.replace(FORMULA, "$1$2'").replace(/^(?=[\t\r])/, "'");
  return /[,;"\t\r\n]/.test(value) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Lines of cells. */
export function csv(rows: readonly (readonly (string | number)[])[]): string {
  return `${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}
