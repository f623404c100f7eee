import type { RecordType } from '../../contract/entities/index.ts';

export interface Author {
  /** Account of the key or person; `operator` at the command line, `nobody` if unknown. */
  readonly account: string;
  readonly keyId: number | null;
  readonly requestId: string | null;
  readonly address: string | null;
  readonly person?: string | null;
}

/** The user of the command line. */
export const OPERATOR: Author = { account: 'operator', keyId: null, requestId: null, address: null };

export interface AuditEntry {
  readonly id: number;
  readonly at: string;
  readonly account: string;
  readonly key_id: number | null;
  /** Action, such as `create`, `import` or `key.revoke`. */
  readonly action: string;
  readonly target_type: string;
  readonly target_id: number | null;
  readonly request_id: string | null;
  readonly address: string | null;
  readonly person: string | null;
  /** States before and after, if any. */
  readonly before: unknown;
  readonly after: unknown;
}

/** The fields in which the states before and after an entry differ; none if the object was created or removed. */
export function fieldsChangedBy({ before, after }: Pick<AuditEntry, 'before' | 'after'>): readonly string[] {
  if (before == null || after == null) return [];
  const [old, now] = [before, after] as Readonly<Record<string, unknown>>[];
  return Object.keys({ ...old, ...now }).filter(
    (field) => field !== 'updated_at' && JSON.stringify(old?.[field]) !== JSON.stringify(now?.[field]),
  );
}

interface AuditQuery {
  readonly type?: string | undefined;
  readonly id?: number | undefined;
  /** Only actions in the name of this account. */
  readonly account?: string | undefined;
  readonly action?: string | undefined;
  /** Only what was done by the person with this e-mail address. */
  readonly person?: string | undefined;
  readonly keyId?: number | undefined;
  /** Only what was done from this IP address. */
  readonly address?: string | undefined;
  /** Only entries at or after this time or day. */
  readonly from?: string | undefined;
  /** Only entries before this time or day. */
  readonly until?: string | undefined;
  /** Cursor: only entries with smaller ids. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** An event other than a record change, such as a created key or a refused sign-in. */
export interface Note {
  readonly author: Author;
  readonly action: string;
  readonly type: string;
  readonly id: number | null;
  readonly before?: unknown;
  readonly after?: unknown;
}

interface ChangedRecords {
  /** The last entry examined. */
  readonly last: number;
  readonly changed: readonly { readonly type: RecordType; readonly slug: string }[];
  readonly hasMore: boolean;
}

/** The audit log. Entries are written in the transaction of their change and are immutable. */
export interface Audit {
  /** Entries, newest first. */
  list(query: AuditQuery): Promise<readonly AuditEntry[]>;
  /**
   * Records changed after an entry by any process, each once in order, with their slugs before and after; bounded per
   * call. Without an entry, returns only the last position.
   */
  changedAfter(last: number | undefined): Promise<ChangedRecords>;
  /** Appends an entry for an event that changes no record. */
  note(note: Note): Promise<void>;
}
