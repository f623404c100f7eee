import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import { filterValueText, isBound, subjectOf } from '../../contract/filter-words.ts';
import {
  type FacetFilter,
  FILTER_NAMES,
  type FilterName,
  facetOf,
  fieldsOf,
  filterOf,
  hasFilter,
} from '../../contract/filters.ts';
import { isNearMiss, OTHER_NAMES, similarNames } from '../../contract/name-similarity.ts';
import { daysOfPeriod } from '../../contract/periods.ts';
import { WHOLE_NUMBER_MAX } from '../../contract/reader.ts';
import { labelOf } from '../../contract/vocabulary.ts';
import { Notice, SmallLink } from '../components.tsx';
import type { PageQuery } from '../query.ts';
import { KINDS } from './parsed-search.ts';
import { inShort } from './values.tsx';

/** A parameter of an address that cannot be, in words, with addresses that can. */
export interface Refusal {
  /** As the address has it. */
  readonly parameter: string;
  readonly text: string;
  /** The subject of the sentence, and the rest of it. */
  readonly label: string;
  readonly said: string;
  /** What the fixes are: `Did you mean`. */
  readonly lead?: string;
  readonly fixes?: readonly { readonly text: string; readonly query: PageQuery }[];
}

/**
 * Runs the search of an address without the parameters that it refuses, and says what is wrong with each.
 * @param types the types that a query searches
 */
export async function runAccepted<Result>(
  query: PageQuery,
  types: (query: PageQuery) => readonly RecordType[],
  run: (query: PageQuery) => Promise<Result>,
): Promise<{ readonly result: Result; readonly accepted: PageQuery; readonly refusals: readonly Refusal[] }> {
  const refusals: Refusal[] = [];
  for (let accepted = query; ; ) {
    try {
      return { result: await run(accepted), accepted, refusals };
    } catch (thrown) {
      const refused = refusedIn(thrown, accepted);
      if (refused.length === 0) throw thrown;
      for (const { parameter, name, error } of refused)
        refusals.push({
          parameter,
          text: query[parameter] ?? '',
          ...wordRefusal({ parameter, name, error }, query, types(query)),
        });
      accepted = without(
        accepted,
        refused.map(({ parameter }) => parameter),
      );
    }
  }
}

const without = (query: PageQuery, names: readonly string[]): PageQuery =>
  Object.fromEntries(Object.entries(query).filter(([name]) => !names.includes(name)));

interface Refused {
  /** As the address has it, which may be another name of the filter. */
  readonly parameter: string;
  readonly name: string;
  readonly error: ServiceError;
}

/** The parameters of an address that an error is about; none for another error. */
function refusedIn(thrown: unknown, query: PageQuery): readonly Refused[] {
  if (!(thrown instanceof ServiceError) || thrown.code !== 'invalid_parameter') return [];
  const names = thrown.errors.flatMap(({ location, message }) => {
    const [, name] = location.split('.');
    return name === undefined ? (/^[\w, ]+(?=:)/.exec(message)?.[0] ?? '').split(', ') : [name];
  });
  return Object.keys(query).flatMap((parameter) => {
    const name = [parameter, OTHER_NAMES[parameter] ?? ''].find((one) => names.includes(one));
    return name === undefined ? [] : [{ parameter, name, error: thrown }];
  });
}

const isFilter = (name: string): name is FilterName => (FILTER_NAMES as readonly string[]).includes(name);

type Words = Omit<Refusal, 'parameter' | 'text'>;

function wordRefusal(refused: Refused, query: PageQuery, types: readonly RecordType[]): Words {
  const { parameter, name, error } = refused;
  const text = query[parameter] ?? '';
  const others = without(query, [parameter]);
  if (isFilter(name)) return wordFilter({ name, text, others, types, error });
  if (name === 'type' || name === 'of') return wordKind(name, text, others);
  // Bounds are figures and dates, and others are words.
  const meant = (similarNames(name, FILTER_NAMES) as FilterName[]).filter((one) => isBound(one) === /^\d/.test(text));
  if (error.errors.some(({ location }) => location === 'query'))
    return {
      label: name,
      said: ' is unknown to this page; it has no effect.',
      lead: 'Did you mean',
      fixes: meant.map((one) => ({ text: filterLabel(one), query: { ...others, [one]: text } })),
    };
  if (name === 'sort') return { label: 'Order', said: `: there is no sort ${quoted(text)}; the usual one is taken.` };
  const fault = error.errors.find(({ location }) => location.startsWith(`query.${name}`))?.message ?? error.message;
  return { label: labelOf(name), said: `: ${fault.replace(/^\w+ /, '')}.` };
}

const quoted = (text: string): string => `“${inShort(text, 60)}”`;

function wordKind(name: string, text: string, others: PageQuery): Words {
  const near = similarNames(
    text,
    KINDS.map(({ label }) => label),
  );
  const kinds = KINDS.filter(({ label }) => near.length === 0 || near.includes(label));
  return {
    label: 'Kind',
    said: `: there is no kind of record called ${quoted(text)}.`,
    lead: 'Choose',
    fixes: kinds.map(({ label, type, stage }) => ({
      text: label,
      query: { ...others, [name]: type, ...(stage !== undefined && type === 'rounds' && { funding_stage: stage }) },
    })),
  };
}

/** A filter by the words of its form: `Founded from`, `Funding at least`. */
function filterLabel(name: FilterName): string {
  if (!isBound(name) || !/^(from|to)$|_(min|max|from|to|after|before)$/.test(name)) return labelOf(name);
  const [from, to] = isByTime(name) ? ['from', 'to'] : ['at least', 'at most'];
  return `${subjectOf(name)} ${filterOf(name).test === 'from' ? from : to}`;
}

/** The field that a bound is of, of the first type that has it. */
const fieldOf = (name: FilterName): string =>
  RECORD_TYPES.filter((type) => hasFilter(type, name)).flatMap((type) => fieldsOf(type, name))[0] ?? '';
export const isOfDays = (name: FilterName): boolean => /_(?:date|since)$|^as_of$/.test(fieldOf(name));
export const isByTime = (name: FilterName): boolean => isOfDays(name) || fieldOf(name).startsWith('year');

interface RefusedFilter {
  readonly name: FilterName;
  readonly text: string;
  /** The other parameters. */
  readonly others: PageQuery;
  readonly types: readonly RecordType[];
  readonly error: ServiceError;
}

function wordFilter(refused: RefusedFilter): Words {
  const { name, others, types } = refused;
  const label = filterLabel(name);
  const filter = filterOf(name);
  if (!types.some((type) => hasFilter(type, name)))
    return {
      label,
      said: `: this is no filter of ${types.map((type) => labelOf(type).toLowerCase()).join(', ')}.`,
      lead: 'It is one of',
      fixes: RECORD_TYPES.filter((type) => hasFilter(type, name)).map((type) => ({
        text: labelOf(type),
        query: { ...others, ['of' in others ? 'of' : 'type']: type, [name]: refused.text },
      })),
    };
  switch (filter.test) {
    case 'facet':
    case 'party':
      return { label, ...wordValue(refused) };
    case 'from':
    case 'to':
      return { label, ...wordBound(refused) };
    case 'role':
      if (/^(true|false)$/i.test(refused.text))
        return { label, said: `: this is for use with “${labelOf(filter.of)}”: fill both.` };
  }
  return {
    label,
    said: `: ${quoted(refused.text)} is neither yes nor no.`,
    lead: 'Choose',
    fixes: [
      { text: 'Yes', query: { ...others, [name]: 'true' } },
      { text: 'No', query: { ...others, [name]: 'false' } },
    ],
  };
}

/** Values of a closed list that are offered where none is similar. */
const CHOICES_MAX = 8;

function wordValue({ name, text, others, error: { nearest } }: RefusedFilter): Omit<Words, 'label'> {
  if (nearest === undefined)
    return { said: `: ${quoted(text)} cannot be read. Give 1 to 20 values with | between them.` };
  const filter = filterOf(name);
  const near = nearest.values.filter((value) => isNearMiss(value, nearest.given));
  const closed = filter.test === 'facet' ? (facetOf(filter as FacetFilter).closed ?? []) : [];
  const values = near.length > 0 ? near : closed.slice(0, CHOICES_MAX);
  return {
    said: `: ${filter.test === 'facet' ? 'no record has the value' : 'nothing on record is called'} ${quoted(nearest.given)}.`,
    lead: near.length > 0 ? 'Did you mean' : 'Choose',
    fixes: values.map((value) => ({
      text: filterValueText(name, value),
      query: { ...others, [name]: text.replace(nearest.given, value) },
    })),
  };
}

function wordBound({ name, text, others, error }: RefusedFilter): Omit<Words, 'label'> {
  const [, other] = / must not be .* (\w+)$/.exec(error.message) ?? [];
  const end = other === undefined ? undefined : others[other];
  if (other !== undefined && end !== undefined)
    return {
      said: `: ${text} is ${isByTime(name) ? 'after' : 'more than'} ${end}, where the range ends.`,
      lead: 'Did you mean',
      fixes: [{ text: `${end} to ${text}`, query: { ...others, [name]: end, [other]: text } }],
    };
  const values = isOfDays(name) ? periodsIn(text) : numberIn(text);
  const [, limit] = / must be (at (?:least|most) \d+)/.exec(error.message) ?? [];
  const wanted = isOfDays(name)
    ? 'is no date. Write a day, month, quarter or year, as 2024-01-31, 2024-01, 2024-Q1 or 2024.'
    : limit === undefined
      ? 'is no whole number.'
      : `must be ${limit}.`;
  return {
    said: `: ${quoted(text)} ${wanted}`,
    lead: 'Did you mean',
    fixes: values.map((value) => ({ text: filterValueText(name, value), query: { ...others, [name]: value } })),
  };
}

/** The most exact period that a text of a wrong date begins with. */
function periodsIn(text: string): readonly string[] {
  const [year = '', month = ''] = /(\d{4})(?:-(\d{2}))?/.exec(text)?.slice(1) ?? [];
  const known = [`${year}-${month}`, year].filter((each) => daysOfPeriod(each) !== undefined);
  return known.slice(0, 1);
}

const SCALES: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, b: 1e9 };

/** A number as people write it, such as `5m`, `$1,000` or `2.5bn`, in digits. */
function numberIn(text: string): readonly string[] {
  const [, figure = '', scale = ''] = /^\s*\$?\s*(\d[\d,]*(?:\.\d+)?)\s*([kmb])?\w*$/i.exec(text) ?? [];
  const value = Math.round(Number(figure.replaceAll(',', '')) * (SCALES[scale.toLowerCase()] ?? 1));
  return figure === '' || value > WHOLE_NUMBER_MAX || String(value) === text ? [] : [String(value)];
}

/** What is wrong with the parameters of an address, with links that correct it. */
export function Refusals(props: { readonly refusals: readonly Refusal[]; readonly at: string }) {
  const { refusals, at } = props;
  if (refusals.length === 0) return null;
  return (
    <Notice tone="warn">
      {refusals.map(({ parameter, text, label, said, lead, fixes = [] }) => (
        <p key={parameter} class="refusal">
          <strong>{label}</strong>
          {said}{' '}
          <code>
            {parameter}={inShort(text, 40)}
          </code>
          {fixes.length === 0 ? null : (
            <span class="fixes">
              {lead}
              {fixes.map((fix) => (
                <SmallLink key={fix.text} to={`${at}?${new URLSearchParams(fix.query)}`}>
                  {fix.text}
                </SmallLink>
              ))}
            </span>
          )}
        </p>
      ))}
      <p>Shown below without {refusals.length === 1 ? 'it' : 'them'}.</p>
    </Notice>
  );
}
