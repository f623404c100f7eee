const UNREADABLE = /^SQLITE_(CORRUPT|NOTADB)(_|$)/;

/** Whether an index file is broken, or none: it is made anew. */
export const isUnreadable = (error: unknown): boolean => UNREADABLE.test(String((error as { code?: unknown }).code));
