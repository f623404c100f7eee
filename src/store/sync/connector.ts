import type * as z from 'zod';
import type { Claim, ClaimSource } from '../port/claims.ts';

/**
 * What is read of one place on the network. A connector says where it may ask, how often, and what an entry means; how
 * requests are made, resumed and guarded, and what becomes of claims, is the same for all (`run.ts`).
 */
export interface Connector<Entry = unknown> extends ClaimSource {
  readonly title: string;
  readonly licence: string;
  /** Address of the terms that a person agrees to where facts may not be handed on. */
  readonly terms: string;
  /** The only hosts that it may ask. */
  readonly hosts: readonly string[];
  readonly rate: { readonly perSecond: number; readonly perMonth?: number };
  /** Header that carries the source's key, where it takes one; the key is the setting `WEB3_BI_SYNC_KEYS`. */
  readonly keyHeader?: string;
  /** Whether it asks for a contact in the User-Agent. */
  readonly needsContact?: true;
  /** Its answers hold what is new, so that an entry that they leave out is not gone. */
  readonly listsNewOnly?: true;
  /** It says more of records that are there, and makes none. */
  readonly joinsOnly?: true;
  /** What an entry has to be; whatever else it has is passed over. */
  readonly entry: z.ZodType<Entry>;
  /**
   * The pages of a run, from a cursor on. Asks only through `get`, which answers null for a page that has not changed
   * since the last run.
   */
  pages(asked: ConnectorRequest): AsyncIterable<ConnectorPage>;
  /** What an entry states, if anything is for us. Pure: the same entry gives the same claims. */
  claims(entry: Entry, found: Found): readonly ClaimDraft[];
}

/** A claim whose date is, unless it says another, that of the page. */
export type ClaimDraft = Omit<Claim, 'as_of' | 'url'> & Partial<Pick<Claim, 'as_of' | 'url'>>;

export interface ConnectorRequest {
  /** Where an earlier run was cut off. */
  readonly cursor: string | null;
  /** Only what is of this day or later, where the source can tell. */
  readonly since: string | null;
  readonly today: string;
  readonly get: Get;
}

/** How a page is asked for: unless it has not changed, in any case, or only where the last run asked for it too. */
export type RequestMode = 'conditional' | 'always' | 'if known';

export type Get = (url: string, how?: RequestMode) => Promise<Fetched | null>;

export interface Fetched {
  readonly url: string;
  readonly body: Buffer;
  /** Throws a SyncError for what is not JSON. */
  json(): unknown;
  /** Day of its last change, or of the answer. */
  readonly day: string;
}

/** Where an entry stands. */
interface Found {
  readonly url: string;
  readonly day: string;
}

export interface ConnectorPage {
  readonly entries: Iterable<Found & { readonly value: unknown }>;
  /** Where to go on behind this page; null when that cannot be said, so that a run that is cut off begins anew. */
  readonly cursor: string | null;
}

/** Makes a connector, whose entries have the type of its schema from here on. */
export const defineConnector = <Entry>(connector: Connector<Entry>): Connector => connector as unknown as Connector;

/** Why a run ends before its end; the message says what to do. */
export class SyncError extends Error {
  override readonly name = 'SyncError';
  /** Moment from which another try makes sense, where it is known. */
  readonly retryAt: Date | undefined;
  /** Whether a person can have it go on with --force. */
  readonly isGuard: boolean;

  constructor(message: string, more: { retryAt?: Date; isGuard?: true; cause?: unknown } = {}) {
    super(message, { cause: more.cause });
    this.retryAt = more.retryAt;
    this.isGuard = more.isGuard ?? false;
  }
}
