type Cells = readonly (string | number | null)[];

/** Prefixes that spreadsheets execute as formulas (CSV injection), also after apostrophes. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/** A CSV line without line break; text that a spreadsheet would execute gets an apostrophe, which `withoutGuard` removes. */
export function csvLine(cells: Cells): string {
  return cells
    .map((cell) => (typeof cell === 'string' && FORMULA.test(cell) ? `'${cell}` : String(cell ?? '')))
    .map((cell) => (NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',');
}

/** The lines of a CSV file, each with its line break. */
export const csvText = (rows: readonly Cells[]): string => rows.map((cells) => `${csvLine(cells)}\n`).join('');

export const withoutGuard = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
