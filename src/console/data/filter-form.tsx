import type { RecordType } from '../../contract/entities/index.ts';
import { filterValueText, inWords, isBound, subjectOf } from '../../contract/filter-words.ts';
import {
  type FacetFilter,
  type FilterName,
  facetOf,
  fieldsOf,
  filterOf,
  filtersOf,
  partyFilterOf,
} from '../../contract/filters.ts';
import { labelOf } from '../../contract/vocabulary.ts';
import { Submit, usePage } from '../components.tsx';
import { KeptFields } from '../lists.tsx';
import type { FacetCounts } from './facets.ts';
import { ALL, COLUMNS_MAX, columnsFor, type ParsedSearch, recordPath, shownColumns, viewOf } from './parsed-search.ts';
import { isByTime, isOfDays, type Refusal } from './refused-parameters.tsx';

interface FilterFormProps {
  readonly parsed: ParsedSearch;
  /** Counted values, offered as choices. */
  readonly facets: readonly FacetCounts[];
  readonly investors: readonly string[];
  readonly refusals: readonly Refusal[];
  /** Number of top matches in which they were counted; undefined if in all. */
  readonly countedIn: number | undefined;
}

/** Values of a select; of filters with more, a text field has some suggestions. */
const CHOICES_MAX = 30;
const SUGGESTIONS_MAX = 8;

export function FilterForm({ parsed, facets, investors, countedIn, refusals }: FilterFormProps) {
  const { base, searchAt } = usePage();
  const { type, given } = parsed;
  const view = viewOf(parsed);
  if (type === ALL) return null;
  const columns = shownColumns(parsed);
  const ownValues = facets.filter(({ facet }) => facet.filters.every((name) => filterOf(name).test === 'facet'));
  const choices = new Map<string, readonly string[]>(
    ownValues.map(({ facet, values }) => [facet.name, values.map(({ value }) => value)]),
  );
  return (
    <details class="refine">
      <summary>
        {view === 'table' ? (
          <>
            Filters<span class="on-wide"> and columns</span>
          </>
        ) : (
          'All filters'
        )}
      </summary>
      <form method="get" action={base + searchAt}>
        <KeptFields search={recordPath('', parsed, { given: {}, columns: undefined, show: undefined })} />
        <FilterFields {...{ type, given, choices, investors, countedIn, refusals }} />
        {view === 'table' ? (
          <fieldset class="checks">
            <legend>Columns, {COLUMNS_MAX} at most</legend>
            {columnsFor(type).map((field) => (
              <label key={field}>
                <input type="checkbox" name="columns" value={field} checked={columns.includes(field)} />{' '}
                {labelOf(field)}
              </label>
            ))}
          </fieldset>
        ) : null}
        <div class="row">
          <Submit>Apply</Submit>
        </div>
      </form>
    </details>
  );
}

interface FilterFieldsProps extends Pick<FilterFormProps, 'investors' | 'refusals'> {
  readonly type: RecordType;
  readonly given: ParsedSearch['given'];
  readonly choices: ReadonlyMap<string, readonly string[]>;
  readonly countedIn?: number | undefined;
}

export function FilterFields({ type, given, choices, investors, countedIn, refusals }: FilterFieldsProps) {
  const typed = new Map(refusals.map(({ parameter, text }) => [parameter, text]));
  const suggested = new Map([['investor', investors]]);
  return (
    <>
      <p class="hint">In text fields, | separates alternatives, and not: leaves a value out.</p>
      <div class="fields">
        {inRanges(filtersOf(type)).map(([name, to]) =>
          to === undefined ? (
            <FilterField
              key={name}
              {...{ type, name, countedIn }}
              value={given[name]}
              refused={typed.get(name)}
              choices={choices.get(name)}
              suggested={suggested.get(name) ?? choices.get(name) ?? []}
            />
          ) : (
            <RangeField key={name} type={type} names={[name, to]} given={{ ...given, ...Object.fromEntries(typed) }} />
          ),
        )}
      </div>
    </>
  );
}

/** The filters of a form; a lower bound is paired with the upper one that follows it. */
function inRanges(names: readonly FilterName[]): readonly (readonly [name: FilterName, to?: FilterName])[] {
  const isLower = (name: FilterName | undefined, next: FilterName | undefined): boolean =>
    name !== undefined && next !== undefined && filterOf(name).test === 'from' && filterOf(next).test === 'to';
  return names.flatMap((name, index) => {
    const next = names[index + 1];
    if (isLower(names[index - 1], name)) return [];
    return [next !== undefined && isLower(name, next) ? ([name, next] as const) : ([name] as const)];
  });
}

interface RangeFieldProps {
  readonly type: RecordType;
  readonly names: readonly [from: FilterName, to: FilterName];
  readonly given: ParsedSearch['given'];
}

function RangeField({ type, names, given }: RangeFieldProps) {
  const [from] = names;
  const subject = subjectOf(from);
  const isMoney = (fieldsOf(type, from)[0] ?? '').endsWith('_usd');
  const words = isByTime(from) ? ['from', 'to'] : ['at least', 'at most'];
  return (
    <fieldset class="field range">
      <legend>{isMoney ? `${subject}, US$` : subject}</legend>
      {names.map((name, index) => (
        <label key={name}>
          <span>
            <span class="sr">{subject}, </span>
            {words[index]}
          </span>
          <input name={name} value={given[name]} {...inputOf(name)} />
        </label>
      ))}
    </fieldset>
  );
}

interface FilterFieldProps {
  readonly type: RecordType;
  readonly name: FilterName;
  readonly value: string | undefined;
  /** What was typed and cannot be. */
  readonly refused: string | undefined;
  /** All values, if they are known, and those that a text field offers. */
  readonly choices: readonly string[] | undefined;
  readonly suggested: readonly string[];
  readonly countedIn: number | undefined;
}

function FilterField({ type, name, value = '', refused, choices, suggested, countedIn }: FilterFieldProps) {
  const id = `f-${name}`;
  const isComplete = countedIn === undefined && choices !== undefined && choices.length <= CHOICES_MAX;
  const known = isComplete ? choices.toSorted((one, other) => one.localeCompare(other)) : [];
  const closed = closedOptions(type, name);
  const options =
    closed === undefined || known.length === 0 ? (closed ?? known) : closed.filter((one) => known.includes(one));
  return (
    <div class="field">
      <label for={id}>{labelOf(name)}</label>
      {options.length > 0 ? (
        <FilterOptions {...{ id, name, value, refused, options }} />
      ) : (
        <>
          <input
            id={id}
            name={name}
            value={(refused ?? value) || undefined}
            list={suggested.length === 0 ? undefined : `${id}-values`}
            {...inputOf(name)}
          />
          {suggested.length === 0 ? null : (
            <datalist id={`${id}-values`}>
              {suggested.slice(0, SUGGESTIONS_MAX).map((choice) => (
                <option key={choice}>{choice}</option>
              ))}
            </datalist>
          )}
        </>
      )}
    </div>
  );
}

/** The values of a filter that no record can extend. Those of the parties of records are typed, to keep the page light. */
function closedOptions(type: RecordType, name: FilterName): readonly string[] | undefined {
  if (partyFilterOf(type, name) !== undefined) return undefined;
  const filter = filterOf(name);
  if (['flag', 'role', 'age'].includes(filter.test)) return ['true', 'false'];
  return filter.test === 'facet' ? facetOf(filter as FacetFilter).closed : undefined;
}

interface FilterOptionsProps {
  readonly id: string;
  readonly name: FilterName;
  readonly value: string;
  readonly refused: string | undefined;
  readonly options: readonly string[];
}

/** A select of single values, and of the given choice of several, if it is one. */
function FilterOptions({ id, name, value, refused, options }: FilterOptionsProps) {
  const chosen = options.find((option) => option.toLowerCase() === value.toLowerCase());
  return (
    <select id={id} name={name}>
      <option value="">Any</option>
      {options.map((option) => {
        const text = { true: 'Yes', false: 'No' }[option] ?? filterValueText(name, option);
        // Without a value, the text is the value.
        return (
          <option key={option} value={text === option ? undefined : option} selected={option === chosen}>
            {text}
          </option>
        );
      })}
      {refused === undefined ? null : <option selected>{refused}</option>}
      {value === '' || chosen !== undefined ? null : (
        <option value={value} selected>
          {inWords(name, value)}
        </option>
      )}
    </select>
  );
}

function inputOf(name: FilterName): object {
  if (!isBound(name)) return {};
  return isOfDays(name) ? { type: 'date' } : { type: 'number', min: 0 };
}
