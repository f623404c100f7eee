/** What a spreadsheet would run as a formula, also behind apostrophes that are there already. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/**
 * One line of CSV, without its end. A text that a spreadsheet would run as a formula gets an apostrophe before it, which `withoutGuard`
 * takes off; what is unknown is empty.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return cells
    .map((cell) => (typeof cell === 'string' && FORMULA.test(cell) ? `'${cell}` : String(cell ?? '')))
    .map((cell) => (NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',');
}

/** A cell that was read, as it was before `csvLine` wrote it. */
export const withoutGuard = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
