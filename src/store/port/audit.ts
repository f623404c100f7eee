import type { RecordType } from '../../contract/entities/index.ts';

/** Who changes something, for the audit log. */
export interface Author {
  /** Account of the key or person, `operator` for a person at the command line, `nobody` for who is not known. */
  readonly account: string;
  readonly keyId: number | null;
  readonly requestId: string | null;
  readonly address: string | null;
  /** Email address of who was signed in. */
  readonly person?: string | null;
}

/** The person at the command line, who needs no key. */
export const OPERATOR: Author = { account: 'operator', keyId: null, requestId: null, address: null };

/** One line of the audit log. */
export interface AuditEntry {
  readonly id: number;
  readonly at: string;
  readonly account: string;
  readonly key_id: number | null;
  /** What was done: `create`, `import`, `key.revoke` and the like. */
  readonly action: string;
  readonly target_type: string;
  readonly target_id: number | null;
  readonly request_id: string | null;
  readonly address: string | null;
  readonly person: string | null;
  /** The state before and after, where there was one. */
  readonly before: unknown;
  readonly after: unknown;
}

interface AuditQuery {
  readonly type?: string | undefined;
  readonly id?: number | undefined;
  /** Only what was done in the name of this account. */
  readonly account?: string | undefined;
  /** Only entries with a smaller number, for the next page. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Something that happened besides a change of records: a key was made, a sign-in was refused. */
interface Note {
  readonly author: Author;
  readonly action: string;
  readonly type: string;
  readonly id: number | null;
  readonly before?: unknown;
  readonly after?: unknown;
}

interface ChangedRecords {
  /** The last entry that was looked at. */
  readonly last: number;
  readonly changed: readonly { readonly type: RecordType; readonly slug: string }[];
  /** Whether there may be more after it. */
  readonly hasMore: boolean;
}

/** Who changed what. Entries are written with the changes themselves and can neither be changed nor removed. */
export interface Audit {
  /** Entries, the newest first. */
  list(query: AuditQuery): Promise<readonly AuditEntry[]>;
  /**
   * Records that were changed after an entry, each once in order, whoever changed them, as far as one step goes: those under a slug
   * of before and after. Without an entry, only the last that there is.
   */
  changedAfter(last: number | undefined): Promise<ChangedRecords>;
  /** Writes an entry of its own, for what is no change in the store. */
  note(note: Note): Promise<void>;
}
