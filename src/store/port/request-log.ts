/** A completed request with a key. Headers, queries and bodies are not stored. */
export interface LoggedRequest {
  readonly at: Date;
  readonly keyId: number;
  readonly requestId: string;
  readonly method: string;
  /** Route with the record that was asked for, such as `/api/v1/companies/acme`. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly code: string | null;
  readonly address: string | null;
}

export interface RequestEntry extends Omit<LoggedRequest, 'at' | 'keyId' | 'requestId'> {
  readonly id: number;
  readonly at: string;
  readonly key_id: number;
  readonly key_name: string;
  readonly request_id: string;
}

/** First digit of the status. */
export const STATUS_CLASSES = [2, 3, 4, 5] as const;
type StatusClass = (typeof STATUS_CLASSES)[number];

export interface RequestQuery {
  readonly account: string;
  readonly keyId?: number | undefined;
  readonly requestId?: string | undefined;
  readonly statusClass?: StatusClass | undefined;
  /** Cursor: only entries with smaller ids. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Requests of a key and status class in a UTC day. */
export interface DayCount {
  readonly day: string;
  readonly key_id: number;
  readonly key_name: string;
  readonly status_class: StatusClass;
  readonly requests: number;
  readonly ms: number;
}

/** The request log for account pages. Daily counts outlive single entries. */
export interface RequestLog {
  /** Adds a batch, and deletes some expired entries. */
  add(requests: readonly LoggedRequest[]): Promise<void>;
  /** Requests of an account, newest first. */
  list(query: RequestQuery): Promise<readonly RequestEntry[]>;
  /** Daily counts since a UTC day. */
  perDay(account: string, fromDay: string): Promise<readonly DayCount[]>;
}
