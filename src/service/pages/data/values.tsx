import type { VNode } from 'preact';
import type { RecordType } from '../../../contract/entities/index.ts';
import { Link } from '../components.tsx';

export type RecordData = Readonly<Record<string, unknown>> & {
  readonly type: RecordType;
  readonly id: number;
  readonly name: string;
  readonly slug: string;
};

const SPELLING: Readonly<Record<string, string>> = {
  total_funding_usd: 'Known funding',
  location_json: 'Location',
  year_founded: 'Founded',
  total_employees: 'Employees',
  is_verified: 'Verified',
  as_of: 'As of',
  aum_usd: 'Assets managed',
  github: 'GitHub',
  linkedin: 'LinkedIn',
  twitter: 'X (Twitter)',
};

/** A field's name as people say it. */
export function labelOf(field: string): string {
  const words = field
    .replaceAll('_', ' ')
    .replace(/ usd$/, ' (USD)')
    .replace(/ json$/, '')
    .replace(/ url$/, '');
  return SPELLING[field] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** Fields whose values are words of a vocabulary, written for programs. */
const VOCABULARY = ['company_stage', 'funding_stage', 'funding_stages', 'investor_type', 'event_type', 'stage'];

/** A word of a vocabulary as people write it: `series_b` is Series B. */
export const spoken = (word: string): string =>
  word
    .split('_')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join(' ');

export function isBlank(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.values(value).every(isBlank);
}

export const money = (value: unknown): string =>
  Number(value).toLocaleString('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 });

/** A value of any field. Addresses of others are links that tell them nothing of us; nothing of theirs is loaded. */
export function Value({ field, value }: { field: string; value: unknown }): VNode {
  if (typeof value === 'boolean') return <>{value ? 'Yes' : 'No'}</>;
  if (field.endsWith('_usd')) return <>{money(value)}</>;
  if (typeof value === 'number') return <>{field.includes('year') ? value : value.toLocaleString('en-US')}</>;
  if (VOCABULARY.includes(field)) return <List items={[value].flat().map((word) => spoken(String(word)))} />;
  if (typeof value === 'string' && /^https?:\/\//.test(value)) return <External url={value} />;
  if (typeof value === 'string') return <>{value}</>;
  if (Array.isArray(value)) return <List items={value} />;
  return (
    <>
      {Object.values(value as object)
        .filter((part) => !isBlank(part))
        .join(', ')}
    </>
  );
}

function External({ url }: { url: string }): VNode {
  return (
    <a href={url} rel="noreferrer noopener nofollow" target="_blank">
      {url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '')}
    </a>
  );
}

const ITEMS_MAX = 60;

function List({ items }: { items: readonly unknown[] }): VNode {
  const isPlain = items.every((item) => typeof item !== 'object');
  return (
    <ul class={isPlain ? 'tags' : 'refs'}>
      {items.slice(0, ITEMS_MAX).map((item, index) => (
        <li key={index}>
          {typeof item === 'object' ? <Reference item={item as Readonly<Record<string, unknown>>} /> : String(item)}
        </li>
      ))}
      {items.length > ITEMS_MAX ? <li class="muted">and {items.length - ITEMS_MAX} more</li> : null}
    </ul>
  );
}

/** Another record that a record names, a link where it is one of ours. */
function Reference({ item }: { item: Readonly<Record<string, unknown>> }): VNode {
  const prefix = 'organization' in item ? 'organization' : undefined;
  const name = String(item[prefix ?? 'name'] ?? '');
  const type = item[prefix === undefined ? 'type' : 'organization_type'];
  const slug = item[prefix === undefined ? 'slug' : 'organization_slug'];
  const known = [
    'name',
    'type',
    'id',
    'slug',
    'organization',
    'organization_type',
    'organization_id',
    'organization_slug',
  ];
  const more = Object.entries(item).filter(([field, value]) => !known.includes(field) && !isBlank(value));
  const text = more
    .map(([field, value]) => (value === true ? labelOf(field) : value === false ? '' : String(value)))
    .filter(Boolean);
  // A founder's title is mostly the kind of role as well.
  const told = new Map(text.toReversed().map((part) => [part.toLowerCase(), part]));
  return (
    <>
      {typeof type === 'string' && typeof slug === 'string' ? (
        <Link to={`/account/data/${type}/${slug}`}>{name}</Link>
      ) : (
        name
      )}
      {told.size > 0 ? <span class="muted"> {[...told.values()].toReversed().join(', ')}</span> : null}
    </>
  );
}
