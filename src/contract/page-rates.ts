/** Pages of the console per person and minute; programs should use a key. */
export const PAGES_MAX = 300;
/** Public pages per address and minute. */
export const PUBLIC_PAGES_MAX = 120;
