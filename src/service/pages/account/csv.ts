/** What spreadsheets would run as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Rows as CSV that a spreadsheet takes as text. */
export function csvOf(rows: readonly (readonly (string | number | null)[])[]): string {
  return `${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}

function cell(value: string | number | null): string {
  if (typeof value === 'number' || value === null) return String(value ?? '');
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
