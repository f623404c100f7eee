/** One answered request with a key. Neither headers, parameters nor bodies are kept. */
export interface LoggedRequest {
  readonly at: Date;
  readonly keyId: number;
  readonly requestId: string;
  readonly method: string;
  /** The path as it is defined, such as `/api/v1/companies/{idOrSlug}`. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  /** Of an error. */
  readonly code: string | null;
  readonly address: string | null;
}

export interface RequestEntry {
  readonly id: number;
  readonly at: string;
  readonly key_id: number;
  readonly key_name: string;
  readonly request_id: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly code: string | null;
  readonly address: string | null;
}

/** The first digit of a status. */
export const STATUS_CLASSES = [2, 3, 4, 5] as const;
type StatusClass = (typeof STATUS_CLASSES)[number];

export interface RequestQuery {
  readonly account: string;
  readonly keyId?: number | undefined;
  readonly requestId?: string | undefined;
  readonly statusClass?: StatusClass | undefined;
  /** Only entries with a smaller number, for the next page. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Requests of one key with one kind of answer in a UTC day. */
export interface DayCount {
  readonly day: string;
  readonly key_id: number;
  readonly key_name: string;
  readonly status_class: StatusClass;
  readonly requests: number;
  /** Of all of them together. */
  readonly ms: number;
}

/** What was asked with keys, for the people of their accounts; the counts per day outlive the single requests. */
export interface RequestLog {
  /** Keeps many at once, and lets go of some that are too old. */
  add(requests: readonly LoggedRequest[]): Promise<void>;
  /** Requests of an account, the newest first. */
  list(query: RequestQuery): Promise<readonly RequestEntry[]>;
  /** Counts from a UTC day on. */
  perDay(account: string, fromDay: string): Promise<readonly DayCount[]>;
}
