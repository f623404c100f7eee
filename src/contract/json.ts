import { ServiceError } from './errors.ts';

/** Maximum nesting of external JSON; recursive code overflows the stack on deeper values. */
const JSON_DEPTH_MAX = 64;
export const TOO_DEEP = `JSON may be nested ${JSON_DEPTH_MAX} levels deep, and this is deeper`;

/** Whether parsed JSON is nested too deep. Check this before any recursive processing. */
export const isTooDeep = (value: unknown): boolean => isDeeperThan(JSON_DEPTH_MAX, value);

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const name in value) if (isDeeperThan(levels - 1, (value as Record<string, unknown>)[name])) return true;
  return false;
}

/** Parses external JSON. Throws a ServiceError if it is nested too deep, and a SyntaxError if it is malformed. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (isTooDeep(value)) throw new ServiceError('malformed_request', TOO_DEEP);
  return value;
}
