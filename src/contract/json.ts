import { ServiceError } from './errors.ts';

/** Levels of lists and objects that JSON from outside may have; what is deeper overflows the stack of code that recurses. */
const JSON_DEPTH_MAX = 64;
export const TOO_DEEP = `JSON may be nested ${JSON_DEPTH_MAX} levels deep, and this is deeper`;

/** Whether parsed JSON is nested deeper than is accepted. To be asked before anything else that recurses. */
export const isTooDeep = (value: unknown): boolean => isDeeperThan(JSON_DEPTH_MAX, value);

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const name in value) if (isDeeperThan(levels - 1, (value as Record<string, unknown>)[name])) return true;
  return false;
}

/** Parses JSON from outside. Throws a ServiceError for what is nested too deep, and a SyntaxError for what is no JSON. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (isTooDeep(value)) throw new ServiceError('malformed_request', TOO_DEEP);
  return value;
}
