import type * as z from 'zod';
import { capitalize } from '../../contract/capitalize.ts';
import { facets } from '../../contract/facets.ts';
import { FUNDING_STAGES, type FundingStage } from '../../contract/vocabulary.ts';
import type { Claim, ClaimSource } from '../port/claims.ts';

/**
 * A source on the network. A connector defines hosts, rate and the meaning of entries; requests, resumption, guards and
 * the processing of claims are common to all (`sync-run.ts`).
 */
export interface Connector<Entry = unknown> extends ClaimSource {
  readonly title: string;
  readonly licence: string;
  /** URL of the terms that a person must accept if redistribution is forbidden. */
  readonly terms: string;
  /** The only hosts that may be requested. */
  readonly hosts: readonly string[];
  readonly rate: { readonly perSecond: number; readonly perMonth?: number };
  /** Header for the source's key, from the setting `WEB3_BI_SYNC_KEYS`. */
  readonly keyHeader?: string;
  /** Whether it requires a contact in the User-Agent. */
  readonly needsContact?: true;
  /** Its responses list new entries only, so a missing entry is not gone. */
  readonly listsNewOnly?: true;
  /** It enriches existing records and creates none. */
  readonly joinsOnly?: true;
  /** Schema of an entry; other fields are ignored. */
  readonly entry: z.ZodType<Entry>;
  /** The pages of a run from a cursor on. Every request goes through `get`: null for a page unchanged since then. */
  pages(asked: ConnectorRequest): AsyncIterable<ConnectorPage>;
  /** The claims of an entry. Pure. */
  claims(entry: Entry, found: EntryOrigin): readonly ClaimDraft[];
}

/** A claim whose date defaults to the page's. */
export type ClaimDraft = Omit<Claim, 'as_of' | 'url'> & Partial<Pick<Claim, 'as_of' | 'url'>>;

export interface ConnectorRequest {
  readonly cursor: string | null;
  /** Only data of this day or later is wanted. */
  readonly since: string | null;
  readonly today: string;
  readonly get: Get;
}

/** Request mode: conditional on a change, unconditional, or conditional and only if the last run requested it. */
type RequestMode = 'conditional' | 'always' | 'if known';

export type Get = (url: string, how?: RequestMode) => Promise<Fetched | null>;

export interface Fetched {
  readonly url: string;
  readonly body: Buffer;
  /** Parses JSON. Throws a SyncError if it is malformed. */
  json(): unknown;
  /** Date of the last change, or of the response. */
  readonly day: string;
}

interface EntryOrigin {
  readonly url: string;
  readonly day: string;
}

export interface ConnectorPage {
  readonly entries: Iterable<EntryOrigin & { readonly value: unknown }>;
  /** Cursor after this page; null if unknown, so that an interrupted run starts over. */
  readonly cursor: string | null;
}

/** Defines a connector with entries of its schema's type; the type is erased in the list. */
export const defineConnector = <Entry>(connector: Connector<Entry>): Connector => connector as unknown as Connector;

/** Why a run ended early; the message states the remedy. */
export class SyncError extends Error {
  override readonly name = 'SyncError';
  /** Earliest useful retry, if known. */
  readonly retryAt: Date | undefined;
  /** Whether --force overrides it. */
  readonly isGuard: boolean;

  constructor(message: string, more: { retryAt?: Date; isGuard?: true; cause?: unknown } = {}) {
    super(message, { cause: more.cause });
    this.retryAt = more.retryAt;
    this.isGuard = more.isGuard ?? false;
  }
}

/** The entries of a list in an answer, by the path of the list in its JSON. */
function entriesOf(response: Fetched, url: string, path: readonly string[]) {
  const list = path.reduce<unknown>((part, name) => (part as Record<string, unknown> | null)?.[name], response.json());
  if (!Array.isArray(list)) throw new SyncError(`has changed its format: ${path.join('.') || 'the answer'} is no list`);
  return list.map((value: unknown) => ({ value, url, day: response.day }));
}

/** The page of a source that lists all entries in one answer. */
export const singlePage = (url: string, ...path: string[]): Connector['pages'] =>
  async function* pages({ get }) {
    const response = await get(url);
    if (response !== null) yield { entries: entriesOf(response, url, path), cursor: null };
  };

interface Offsets {
  readonly size: number;
  readonly max: number;
  readonly urlFrom: (offset: number) => string;
  readonly path: readonly string[];
}

/** The pages of a source that lists entries from an offset on, until one is not full. */
export const pagesByOffset = ({ size, max, urlFrom, path }: Offsets): Connector['pages'] =>
  async function* pages({ cursor, get }) {
    let how: RequestMode = 'conditional';
    for (let offset = Number(cursor ?? 0); offset < max; offset += size) {
      const url = urlFrom(offset);
      const response = await get(url, how);
      // After an unchanged page, only previously requested ones exist.
      how = response === null ? 'if known' : 'conditional';
      if (response === null) continue;
      const entries = entriesOf(response, url, path);
      yield { entries, cursor: String(offset + size) };
      if (entries.length < size) return;
    }
  };

/** Words written in capitals. */
const CAPITALS = new Set('ai cdp cex dao dex l1 l2 nft rwa sdk tvl zk'.split(' '));
const SPELLED: ReadonlyMap<string, string> = new Map(
  Object.entries({ defi: 'DeFi', depin: 'DePIN', desci: 'DeSci', refi: 'ReFi' }),
);

/** Categories of a source as tags: `lending/borrowing` becomes Lending and Borrowing, `defi` becomes DeFi. */
export function tagsOf(...categories: readonly (string | null | undefined)[]): string[] {
  const tags = categories
    .flatMap((category) => category?.split('/') ?? [])
    .map((category) =>
      category
        .trim()
        .split(/[\s_-]+/)
        .map(spell)
        .join(' '),
    );
  return [...new Set(tags.filter((tag) => tag !== ''))];
}

function spell(word: string): string {
  const lower = word.toLowerCase();
  if (CAPITALS.has(lower)) return word.toUpperCase();
  return SPELLED.get(lower) ?? capitalize(word);
}

/** A stage of the vocabulary, or the raw label. */
export function stageOf(label: string | null | undefined): { stage?: FundingStage; stage_raw?: string } {
  if (label == null || label.trim() === '') return {};
  const stage = FUNDING_STAGES.find((known) => known === facets.funding_stage.key(label));
  return stage === undefined ? { stage_raw: label } : { stage };
}

const HANDLE = /^@?(\w{1,15})$/;

/** URL of an X account, from a handle or URL; undefined if it is neither. */
export function twitterOf(account: string | null | undefined): string | undefined {
  const handle = HANDLE.exec(
    account?.replace(/^https?:\/\/(?:www\.)?(?:twitter|x)\.com\//i, '').split(/[/?]/)[0] ?? '',
  )?.[1];
  return handle === undefined ? undefined : `https://x.com/${handle.toLowerCase()}`;
}

/** URL of a GitHub account, from a name or any URL below it. */
export function githubOf(account: string | null | undefined): string | undefined {
  const name = account?.replace(/^https?:\/\/(?:www\.)?github\.com\//i, '').split(/[/?#]/)[0];
  return name === undefined || !/^[\w-]{1,39}$/.test(name) ? undefined : `https://github.com/${name}`;
}

/** US dollars as stored, from an amount in `unit`s; undefined if not positive. */
export function dollars(amount: number | null | undefined, unit = 1): string | undefined {
  const value = (amount ?? 0) * unit;
  return value > 0 && value < 1e10 ? value.toFixed(2) : undefined;
}
