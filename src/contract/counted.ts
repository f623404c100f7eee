/** `1 row`, `2 rows`, `3 companies`: give the plural noun. */
export function counted(count: number, nouns: string): string {
  const noun =
    count === 1
      ? nouns
          .replace(/ies$/, 'y')
          .replace(/people$/, 'person')
          .replace(/s$/, '')
      : nouns;
  return `${count.toLocaleString('en-US')} ${noun}`;
}
