import { splitText } from '../../contract/split-text.ts';
import { isBlank } from '../../contract/value-text.ts';
import type { InputKind } from './fields.ts';

/** Values of records as the texts of inputs, and back. A text that is not what its input takes is for the store to refuse. */

export function toText(kind: InputKind, value: unknown): string {
  if (isBlank(value)) return '';
  if (kind === 'list') return (value as readonly string[]).join('\n');
  if (kind === 'choices') return (value as readonly string[]).join(',');
  if (kind === 'series') return (value as readonly string[]).join(', ');
  if (kind === 'name') return (value as { name: string }).name;
  if (kind === 'names') return (value as readonly { name: string }[]).map(({ name }) => name).join('\n');
  if (kind === 'money') return moneyTyped(String(value));
  // What an input of one line makes of others.
  return kind === 'text'
    ? String(value)
    : String(value)
        .replaceAll(/[\r\n]+/g, ' ')
        .trim();
}

/** Parses the text of an input; `value` is what the record has. */
export function fromText(kind: InputKind, text: string, value: unknown): unknown {
  if (kind === 'list') return splitText(text, '\n');
  if (kind === 'choices' || kind === 'series') return splitText(text, ',');
  if (kind === 'names') {
    // Unchanged names keep their resolved record.
    const known = (value ?? []) as readonly { name: string }[];
    return splitText(text, '\n').map((line) => known.find(({ name }) => name === line) ?? line);
  }
  if (text === '') return null;
  if (kind === 'number' || kind === 'year') return /^-?\d+$/.test(text) ? Number(text) : text;
  if (kind === 'flag') return text === 'true';
  return kind === 'money' ? dollars(text) : text;
}

/** What forms take as money. */
export const MONEY_TYPED = 'US dollars, such as $1,250,000 or 5.50';

/** `50000000.00` as people write it: `50,000,000`. */
function moneyTyped(stored: string): string {
  const [whole = '', cents] = stored.split('.');
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return cents === '00' ? grouped : `${grouped}.${cents}`;
}

/** Dollars as people write them, such as `$1,250,000` or `5.5`, with two digits after the point. */
function dollars(text: string): string {
  const [, whole, cents = ''] = /^\$?(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  return whole === undefined ? text : `${whole.replaceAll(',', '')}.${cents.padEnd(2, '0')}`;
}
