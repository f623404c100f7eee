import type { ComponentChildren } from 'preact';
import { dayText } from '../../contract/day-text.ts';
import type { RecordData, RecordType } from '../../contract/entities/index.ts';
import { type FilterName, filtersOf } from '../../contract/filters.ts';
import { foldName } from '../../contract/names.ts';
import { type Relation, relationOf } from '../../contract/relations.ts';
import { unsourcedMark } from '../../contract/unsourced.ts';
import { isRounded, shortMoney } from '../../contract/usd.ts';
import { countText, isBlank, joinTexts } from '../../contract/value-text.ts';
import { isVocabularyField, labelOf, vocabularyLabel } from '../../contract/vocabulary.ts';
import { ExternalLink, Folded, Link, RecordLink, usePage } from '../components.tsx';
import type { PageQuery } from '../query.ts';

/** Money in whole dollars, not abbreviated. */
export const moneyText = (value: unknown): string => `$${countText(Math.round(Number(value)))}`;

interface ValueProps {
  readonly of: RecordType;
  readonly field: string;
  readonly value: unknown;
}

/** A field value. External links send no referrer, and nothing external is loaded. */
export function FieldValue({ of: type, field, value }: ValueProps) {
  const relation = relationOf(type, field);
  if (relation !== undefined) return <References relation={relation} value={value} />;
  if (typeof value === 'boolean') return <>{value ? 'Yes' : 'No'}</>;
  if (field.endsWith('_usd')) return <>{isRounded(Number(value)) ? moneyText(value) : shortMoney(Number(value))}</>;
  if (typeof value === 'number') return <>{field.includes('year') ? value : countText(value)}</>;
  const write = isVocabularyField(field) ? vocabularyLabel : String;
  const filter = filterBy(type, field);
  if (field === 'token_contracts') return <List kind="refs" items={(value as readonly Contract[]).map(contractOf)} />;
  if (Array.isArray(value) && typeof value[0] === 'object') return <List kind="refs" items={value.map(partsOf)} />;
  if (field === 'see_also')
    return (
      <List kind="tags" items={[value].flat().map((slug) => <RecordLink to={{ type, slug, name: String(slug) }} />)} />
    );
  if (Array.isArray(value) || isVocabularyField(field))
    return (
      <List
        kind="tags"
        items={[value].flat().map((word) => (
          <ValueLink of={type} having={filter && { [filter]: String(word) }}>
            {write(String(word))}
          </ValueLink>
        ))}
      />
    );
  if (typeof value === 'object') return <>{partsOf(value)}</>;
  if (field === 'series_slug')
    return (
      <Link to={`${usePage().searchAt}?${new URLSearchParams({ type, query: String(value).replaceAll('-', ' ') })}`}>
        {String(value)}
      </Link>
    );
  return <Text text={String(value)} lengthMax={ADDRESS_LENGTH} />;
}

type Contract = Readonly<Record<'symbol' | 'chain' | 'address', string | null>>;

/** A token with its address, which is copied whole. */
const contractOf = ({ symbol, chain, address }: Contract) => (
  <>
    {[symbol, chain].filter((part) => !isBlank(part)).join(' on ')} <code>{address}</code>
  </>
);

/** The parts of a composite value, such as city and country; a city state is named once, and a date is that of the source. */
const partsOf = (value: object | null): string =>
  [...new Set(Object.entries(value ?? {}).map(([key, part]) => (key === 'as_of' ? `as of ${dayText(part)}` : part)))]
    .filter((part) => !isBlank(part))
    .join(', ');

/** Filters by fields and groups of another name. */
const FILTERS: Readonly<Record<string, FilterName>> = {
  tags: 'tag',
  focus: 'tag',
  chains: 'chain',
  stage: 'funding_stage',
  funding_stages: 'funding_stage',
};

/** The filter of records of a type by a field or group; undefined if there is none. */
export function filterBy(type: RecordType, name: string): FilterName | undefined {
  const filter = FILTERS[name] ?? name;
  return filtersOf(type).find((one) => one === filter);
}

interface ValueLinkProps {
  readonly of: RecordType;
  readonly given?: PageQuery;
  /** The filters that records with the value pass; undefined if there are none. */
  readonly having: PageQuery | undefined;
  readonly children: string;
}

/** A value with a link to the records that have it, of those that pass the given filters. */
export function ValueLink({ of: type, given, having, children }: ValueLinkProps) {
  // These characters separate filter values.
  if (having === undefined || /[|:]/.test(Object.values(having).join(''))) return <>{children}</>;
  return <Link to={`${usePage().searchAt}?${new URLSearchParams({ type, ...given, ...having })}`}>{children}</Link>;
}

/** The line of a company without its last round, which pages show beside it. */
export const withoutLastRound = (line: string): string => line.replace(/; announced: [^;]*$/, '');

/** A text up to its last phrase that fits, or its last word; one without either is cut anywhere. */
export function inShort(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const cut = text.slice(0, lengthMax - 1);
  const ends = [cut.lastIndexOf(', '), cut.lastIndexOf(' ')];
  const end = ends.find((place) => place > lengthMax / 2);
  return `${cut.slice(0, end)}…`;
}

/** Text with URLs as links, optionally truncated. */
export function Text({ text, lengthMax = Number.POSITIVE_INFINITY }: { text: string; lengthMax?: number }) {
  if (!/^https?:\/\//.test(text)) return <>{inShort(dayText(text), lengthMax)}</>;
  return (
    <ExternalLink to={text}>
      {inShort(text.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, ''), lengthMax)}
    </ExternalLink>
  );
}

/** Characters that fit in a column beside five others; a longer list ends with the number of further items. */
const SHORT_LIST = 22;
/** Longer texts are truncated in the page; styles truncate shorter ones to the available width. */
const SHORT_LENGTH = 120;
const SHORT_ADDRESS = 28;
const ADDRESS_LENGTH = 60;

export function ShortValue({ of: type, field, value }: ValueProps) {
  // CSS marks empty cells.
  if (isBlank(value)) return null;
  if (field.endsWith('_usd')) return <>{shortMoney(Number(value))}</>;
  if (typeof value === 'string' && !isVocabularyField(field))
    return <Text text={value} lengthMax={value.startsWith('http') ? SHORT_ADDRESS : SHORT_LENGTH} />;
  const relation = relationOf(type, field);
  const items = [value].flat();
  if (relation === undefined && typeof items[0] === 'object')
    return <FieldValue of={type} field={field} value={value} />;
  if (typeof items[0] === 'number' || typeof items[0] === 'boolean')
    return <FieldValue of={type} field={field} value={value} />;
  const texts = items.map((item) => {
    if (relation !== undefined) return shortReference(relation, item as ReferenceValue);
    return isVocabularyField(field) ? vocabularyLabel(String(item)) : String(item);
  });
  let shown = 1;
  while (shown < texts.length && texts.slice(0, shown + 1).join(', ').length <= SHORT_LIST) shown += 1;
  return (
    <>
      {texts.slice(0, shown).join(', ')}
      {items.length > shown ? <small> +{items.length - shown}</small> : null}
    </>
  );
}

/** The name of a referenced record; of a role, first the title. */
function shortReference({ field, keys }: Relation, item: ReferenceValue): string {
  const { [keys.name]: name, title } = item;
  return field === 'roles' && !isBlank(title) ? `${title}, ${name}` : String(name);
}

const WORD = /([\p{L}\p{N}]+)/u;

/** Whether a word begins with a search term; terms are folded. */
const isMatch = (part: string, words: readonly string[]): boolean =>
  words.some((word) => foldName(part).startsWith(word));

export function Marked({ text, words }: { text: string; words: readonly string[] }) {
  if (words.length === 0) return <>{text}</>;
  return (
    <>
      {text
        .split(WORD)
        .map((part, index) => (index % 2 === 1 && isMatch(part, words) ? <mark key={index}>{part}</mark> : part))}
    </>
  );
}

export const sentencesOf = (text: unknown): readonly string[] => String(text ?? '').split(/(?<=\.) /);

/** The first sentence of a text in which a word matches. */
export const sentenceWith = (text: string, words: readonly string[]): string | undefined =>
  sentencesOf(text).find((sentence) => sentence.split(WORD).some((part) => isMatch(part, words)));

const ITEMS_MAX = 60;

export const List = ({ kind, items }: { kind: 'tags' | 'refs'; items: readonly ComponentChildren[] }) => (
  <Folded items={items} shownMax={ITEMS_MAX} summary={(more) => `${countText(more)} more`}>
    {(some) => (
      <ul class={kind}>
        {some.map((item, index) => (
          <li key={index}>{item}</li>
        ))}
      </ul>
    )}
  </Folded>
);

type ReferenceValue = Readonly<Record<string, unknown>>;

function References({ relation, value }: { relation: Relation; value: unknown }) {
  const items = [value].flat() as ReferenceValue[];
  return <List kind="refs" items={items.map((item) => reference(relation, item))} />;
}

/** A reference by name, linked if resolved. */
function reference({ keys }: Relation, item: ReferenceValue) {
  const { [keys.name]: name, [keys.type]: type, [keys.slug]: slug, [keys.id]: _, ...more } = item;
  const parts = Object.entries(more)
    .filter(([, value]) => !isBlank(value) && value !== false)
    .map(([field, value]) => (value === true ? labelOf(field) : String(value)));
  // A founder's title often repeats the kind of role.
  const details = new Map(parts.toReversed().map((part) => [part.toLowerCase(), part]));
  return (
    <>
      <RecordLink to={{ type, slug, name: String(name) }} />
      {details.size > 0 ? <span class="muted"> {[...details.values()].toReversed().join(', ')}</span> : null}
    </>
  );
}

export function unlinkedNames({ keys }: Relation, value: unknown): readonly string[] {
  const items = [value ?? []].flat() as ReferenceValue[];
  return items.filter((item) => isBlank(item[keys.slug])).map((item) => String(item[keys.name]));
}

/** The known funding of a company, or the rounds that an investor joined; blank if neither is known. */
export const knownFunding = ({ total_funding_usd: usd, investments_count: rounds }: RecordData): string =>
  !isBlank(usd) ? shortMoney(Number(usd)) : Number(rounds ?? 0) > 0 ? `${countText(Number(rounds))} rounds joined` : '';

/** The same in words. */
export function fundingWords(record: RecordData): string {
  const funding = knownFunding(record);
  return funding.startsWith('$') ? `${funding} known funding` : funding;
}

/** The same in a line of text, with how much of the funding is unsourced. */
export const fundingLine = (record: RecordData): string => joinTexts(', ', fundingWords(record), unsourcedMark(record));
