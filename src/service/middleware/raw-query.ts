import { ServiceError } from '../../contract/errors.ts';

/**
 * The parameters of a request's address as text. One that is given more than once is a list, which no schema takes.
 * Throws `malformed_request` for bad percent-encoding and for NUL, which no database keeps.
 */
export function rawQuery(url: string): Record<string, string | string[]> {
  const start = url.indexOf('?');
  const raw: Record<string, string | string[]> = Object.create(null);
  if (start === -1) return raw;
  for (const pair of url.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const split = pair.indexOf('=');
    const name = decode(split === -1 ? pair : pair.slice(0, split));
    const value = decode(split === -1 ? '' : pair.slice(split + 1));
    const earlier = raw[name];
    raw[name] = earlier === undefined ? value : [earlier, value].flat();
  }
  return raw;
}

/** Parameters under their own names. An alias that says something else than its parameter is refused. */
export function unaliased(
  raw: Readonly<Record<string, string | string[]>>,
  aliases: Readonly<Record<string, string>>,
): Record<string, string | string[]> {
  const named = { ...raw };
  for (const [alias, name] of Object.entries(aliases)) {
    const value = raw[alias];
    if (value === undefined) continue;
    if (named[name] !== undefined && named[name] !== value) {
      throw new ServiceError('invalid_parameter', `${alias} and ${name} say different things; give one of them`, {
        errors: [{ location: `query.${alias}`, message: `stands for ${name}` }],
      });
    }
    named[name] = value;
    delete named[alias];
  }
  return named;
}

function decode(text: string): string {
  const decoded = decodePercent(text.replaceAll('+', ' '));
  if (decoded.includes('\0'))
    throw new ServiceError('malformed_request', 'The address has a NUL character in it; leave it out.');
  return decoded;
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new ServiceError('malformed_request', 'The address has percent-encoding that is not UTF-8.', { cause });
  }
}
