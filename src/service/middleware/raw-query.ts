import { ServiceError } from '../../contract/errors.ts';

const SHOWN_LENGTH_MAX = 50;

/**
 * Decodes the query of a URL. A repeated parameter becomes a list, which no schema accepts. Throws `malformed_request`
 * for invalid percent-encoding and for NUL, which databases reject.
 */
export function rawQuery(url: string): Record<string, string | string[]> {
  const start = url.indexOf('?');
  const raw: Record<string, string | string[]> = Object.create(null);
  if (start === -1) return raw;
  for (const pair of url.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const split = pair.indexOf('=');
    const name = decode(split === -1 ? pair : pair.slice(0, split), undefined);
    const value = decode(split === -1 ? '' : pair.slice(split + 1), name);
    const earlier = raw[name];
    // Appended, because copying the list for each value takes quadratic time.
    if (Array.isArray(earlier)) earlier.push(value);
    else raw[name] = earlier === undefined ? value : [earlier, value];
  }
  return raw;
}

/** Maps aliases to parameter names. Throws if both are given with different values. */
export function unaliased(
  raw: Readonly<Record<string, string | string[]>>,
  aliases: Readonly<Record<string, string>>,
): Record<string, string | string[]> {
  const named = { ...raw };
  for (const [alias, name] of Object.entries(aliases)) {
    const value = raw[alias];
    if (value === undefined) continue;
    if (named[name] !== undefined && named[name] !== value) {
      throw new ServiceError('invalid_parameter', `${alias} and ${name} contradict each other; give one of them`, {
        errors: [{ location: `query.${alias}`, message: `is an alias of ${name}` }],
      });
    }
    named[name] = value;
    delete named[alias];
  }
  return named;
}

/** Percent-decodes text; errors name the parameter. */
function decode(text: string, parameter: string | undefined): string {
  const refusal = (fault: string, cause?: unknown): ServiceError => {
    const where = parameter === undefined ? 'The address' : parameter.slice(0, SHOWN_LENGTH_MAX);
    const message = `${where} ${fault}`;
    const errors =
      parameter === undefined ? [] : [{ location: `query.${parameter.slice(0, SHOWN_LENGTH_MAX)}`, message }];
    return new ServiceError('malformed_request', message, { cause, errors });
  };
  let decoded: string;
  try {
    decoded = decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw refusal('has percent-encoding that is not UTF-8.', cause);
  }
  if (decoded.includes('\0')) throw refusal('has a NUL character in it; leave it out.');
  return decoded;
}
