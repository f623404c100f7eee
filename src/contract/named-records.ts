import type { RecordData } from './entities/index.ts';
import { foldName, webDomain } from './names.ts';

/** Whether a text names a record in one way; names are compared folded. */
type NamingTest = (record: RecordData, text: string) => boolean;

const hasName = (names: readonly unknown[], text: string): boolean =>
  names.some((name) => foldName(String(name)) === foldName(text));

const textsOf = (record: RecordData, field: string): readonly string[] => (record[field] ?? []) as readonly string[];

const WAYS = {
  slug: ({ slug }, text) => hasName([slug], text),
  name: ({ name }, text) => hasName([name], text),
  alias: (record, text) => hasName(textsOf(record, 'aliases'), text),
  domain: ({ website }, text) =>
    typeof website === 'string' && webDomain(text) !== null && webDomain(website) === webDomain(text),
  /** A ticker, with or without $, or the address of a contract. */
  token: (record, text) => {
    const contracts = (record['token_contracts'] ?? []) as readonly { readonly address?: string }[];
    const names = [...textsOf(record, 'token_symbols'), ...contracts.map(({ address }) => address)];
    return names.some((name) => name?.toLowerCase() === text.replace(/^\$/, '').toLowerCase());
  },
} as const satisfies Record<string, NamingTest>;

export type NamingWay = keyof typeof WAYS;

/** Whether a text names a record in one of some ways. */
export const isNamed = (record: RecordData, text: string, ways: readonly NamingWay[]): boolean =>
  ways.some((way) => WAYS[way](record, text));

/** The records that a text names, by the first group of ways in which it names any. */
export const recordsNamed = (
  records: readonly RecordData[],
  text: string,
  ways: readonly (readonly NamingWay[])[],
): readonly RecordData[] =>
  ways.map((group) => records.filter((record) => isNamed(record, text, group))).find((named) => named.length > 0) ?? [];

/** Whether the words of a text that remain without those ignored are, or begin, the name or an alias of one of some records. */
export const isInNames = (
  records: readonly RecordData[],
  { text, ignored }: { readonly text: string; readonly ignored: readonly string[] },
): boolean =>
  ignored.length > 0 &&
  records.some((record) =>
    [record['name'], ...textsOf(record, 'aliases')].some((name) =>
      `${name} `.toLowerCase().startsWith(`${text} `.toLowerCase()),
    ),
  );
