import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { ENTRY_NAMES } from './decisions.ts';
import { cleanText } from './text.ts';

/** Reading data/raw: what each openly licensed source states, as names, addresses, labels, numbers and dates. */

/** A source of data/raw/sources.json. */
export interface Source {
  readonly id: string;
  readonly title: string;
  /** Where it is: github.com/OWNER/NAME or npm NAME. */
  readonly place: string;
  /** Commit, or version of a package. */
  readonly at: string;
  readonly date: string;
  readonly licence: string;
  readonly copyright: string;
  readonly note?: string;
}

/** What a source states of a project. */
export interface Entry {
  readonly source: string;
  readonly key: string;
  readonly name: string;
  readonly aliases: readonly string[];
  /** Those of the aliases that the source calls former names. */
  readonly former: readonly string[];
  readonly website: string | null;
  readonly twitter: string | null;
  readonly github: string | null;
  readonly tags: readonly string[];
  /** Categories that only the words of the source's description suggest. */
  readonly derived: readonly string[];
  readonly chains: readonly string[];
  readonly symbols: readonly string[];
  readonly status: string | null;
  /** How it became public, acquired or closed: "on Nasdaq as COIN", "by Stripe". */
  readonly fate: string | null;
  /** The month or year in which it did. */
  readonly since: string | null;
  readonly as_of: string;
  readonly path: string;
  readonly collections: readonly string[];
  readonly defillama: boolean;
  readonly web3: boolean;
  readonly own: boolean;
  readonly employees: number | null;
  readonly city: string | null;
  readonly country: string | null;
  readonly stage: string | null;
  readonly logo: string | null;
  readonly founded: number | null;
  /** The entry that a reader found to be the same project, and why. */
  readonly same_as: string | null;
  readonly why: string | null;
  /** Entries of other sources that are the same project. */
  readonly describes: readonly string[];
}

const RAW = join(import.meta.dirname, '..', 'raw');

/** The lines of a raw file, which may be compressed. */
export function rawLines<Line>(name: string): Line[] {
  const plain = join(RAW, `${name}.ndjson`);
  const text = existsSync(plain) ? readFileSync(plain) : brotliDecompressSync(readFileSync(`${plain}.br`));
  return text
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

/** Every source of data/raw by its id. */
export function rawSources(): ReadonlyMap<string, Source> {
  const sources = JSON.parse(readFileSync(join(RAW, 'sources.json'), 'utf8')) as Source[];
  return new Map(sources.map((source) => [source.id, source]));
}

const EMPTY = {
  aliases: [],
  website: null,
  twitter: null,
  github: null,
  tags: [],
  derived: [],
  chains: [],
  symbols: [],
  status: null,
  fate: null,
  since: null,
  collections: [],
  defillama: false,
  web3: false,
  own: false,
  employees: null,
  city: null,
  country: null,
  stage: null,
  logo: null,
  founded: null,
  same_as: null,
  why: null,
  describes: [],
} as const;

/** What a source states of projects. */
export function rawEntries(source: string, file: string = source): Entry[] {
  const seen = new Map<string, number>();
  const lines = rawLines<Partial<Entry> & Pick<Entry, 'key' | 'name'>>(file);
  return lines.flatMap((line) => {
    const count = (seen.get(line.key) ?? 0) + 1;
    seen.set(line.key, count);
    // One key for two entries, as of a chain on two relays: the second has a number.
    const key = count === 1 ? line.key : `${line.key}#${count}`;
    if (source === 'ethereum-lists-chains' && TEST_NETWORK.test(line.name)) return [];
    const { name, former } = plainSpelling(ENTRY_NAMES[`${source}:${key}`] ?? line.name);
    const stated = [...(line.aliases ?? []).map((alias) => plainSpelling(alias).name), ...former];
    const aliases = stated.filter((alias) => alias !== '' && !NO_NAME.test(alias));
    return {
      ...EMPTY,
      as_of: '',
      path: '',
      ...line,
      key,
      name,
      aliases,
      // What the accelerator's list has besides the name is what a firm was called before.
      former: source === 'yc-directory' ? aliases : former,
      source,
      // BNB Beacon Chain, which was shut down in 2024, is another chain than BNB Chain.
      ...(key.startsWith(BEACON_CHAIN) && { chains: [] }),
    };
  });
}

/** In names of the list of main networks, which has some others too. */
const TEST_NETWORK = /\b(?:dev-?net|testnet|previewnet|fuji|holesky|sepolia|goerli|bartio)\b/i;

/** A legal form that a comma separates from its name, or an address. */
const NO_NAME = /^(?:(?:Inc|LLC|Ltd|Corp|GmbH)\.?|https?:.*)$/i;

/** Begins the keys of tokens of that chain. */
const BEACON_CHAIN = 'binance:';

const FORMERLY =
  /^(.+?)\s*(?:\((?:prev\.?|previously|formerly|ex|fka|f\.k\.a\.|aka|a\.k\.a\.)\s+|\/\s*(?:ex|formerly)[-\s])["“]?([^")”]+)["”]?\)?$/i;
/** What divides a name from a slogan behind it. */
const SLOGAN = /\s*:\s+|\s*[|–—]\s*|\s+-\s+|,\s+/;
const SLOGAN_LENGTH_MIN = 24;
/** What the title of an application, or a registry of chains, adds to the name of a project: "EarnBIT x Stellar", "Zenrock Mainnet". */
const ADDITION =
  /\s+(?:(?:x|on|to|-)\s+(?:Stellar|Polkadot|Lens)|(?:Phase \d+ |Stellar |WooCommerce )?integration(?: of \S+)?|Mainnets?\b.*|Subnet|Prenet)$/i;
const NOTE = /\s*(?:\([^)]*\)|\[[^\]]*\])\s*$/;

/** A name as it is shown, and the former one that stands behind it in brackets. */
function plainSpelling(text: string): { name: string; former: string[] } {
  const clean = cleanText(text.replace(/\p{Extended_Pictographic}|[\uFE0F™®©]/gu, ' ')).replace(
    /^[\s\-–—•*#]+|[\s\-–—•*]+$/g,
    '',
  );
  const former = FORMERLY.exec(clean);
  if (former !== null) return { name: former[1] ?? clean, former: [former[2] ?? ''] };
  const short = clean.replace(NOTE, '');
  const head = short.length > SLOGAN_LENGTH_MIN ? (short.split(SLOGAN)[0] ?? short) : short;
  const name = (head.length < 3 ? short : head).replace(ADDITION, '');
  return { name: name.length < 2 ? clean : name, former: [] };
}

/** When the first block of a network was made, as its own node software has it. */
export interface FirstBlock {
  readonly source: string;
  /** The entry that the network is. */
  readonly entry: string;
  /** Seconds since 1970. */
  readonly time: number;
  readonly path: string;
  readonly as_of: string;
}

/** The first blocks by the entry that each is of. */
export const rawFirstBlocks = (): ReadonlyMap<string, FirstBlock> =>
  new Map(rawLines<FirstBlock>('first-blocks').map((block) => [block.entry, block]));

/** The name of an entry within the whole of the raw facts. */
export const entryId = ({ source, key }: Pick<Entry, 'source' | 'key'>): string => `${source}:${key}`;
