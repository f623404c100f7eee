/** A table with its heading; a bar in a cell is escaped. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heading), `|${'---|'.repeat(heading.length)}`, ...rows.map(line)].join('\n');
}

export const code = (text: unknown): string => `\`${String(text)}\``;
export const codes = (texts: readonly unknown[]): string => texts.map(code).join(', ');
