/**
 * CSV (RFC 4180) that no spreadsheet takes for formulas, whichever of comma, semicolon and tab it
 * separates columns by. The core writes the same: `sim-core/src/export/csv.rs`.
 */

/** Where a reader may begin a cell, with what some pass over, before what a formula begins with. */
const FORMULA = /(^|[,;\t\r\n])([ "]*)(?=[=+\-@])/g;

/** A number stays one; before what begins like a formula in a text comes an apostrophe. */
function cell(value: string | number): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  const safe = value.replace(FORMULA, "$1$2'").replace(/^(?=[\t\r])/, "'");
  return /[,;"\t\r\n]/.test(value) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Lines of cells. */
export function csv(rows: readonly (readonly (string | number)[])[]): string {
  return `${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}
