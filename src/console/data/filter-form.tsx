import type { VNode } from 'preact';
import type { RecordType } from '../../contract/entities/index.ts';
import { type FacetFilter, type FilterName, facetOf, fieldsOf, filterOf, filtersOf } from '../../contract/filters.ts';
import { vocabularyLabel } from '../../contract/vocabulary.ts';
import { usePage } from '../context.ts';
import { ALL, columnsFor, type ParsedSearch, shownColumns } from './search.ts';
import { labelOf } from './values.tsx';

/** A form with all filters and columns of a type, without script. */
export function FilterForm({ parsed }: { parsed: ParsedSearch }): VNode | null {
  const { base, searchAt } = usePage();
  const { type, query, view, given, sort } = parsed;
  if (type === ALL) return null;
  const columns = shownColumns(parsed);
  return (
    <details class="refine">
      <summary>{view === 'table' ? 'All filters and columns' : 'All filters'}</summary>
      <form method="get" action={base + searchAt}>
        <input type="hidden" name="type" value={type} />
        {query === '' ? null : <input type="hidden" name="query" value={query} />}
        {sort === undefined ? null : <input type="hidden" name="sort" value={sort} />}
        <p class="hint">In text fields, | separates alternatives, and not: leaves a value out.</p>
        <div class="fields">
          {filtersOf(type).map((name) => (
            <FilterField key={name} type={type} name={name} value={given[name]} />
          ))}
        </div>
        {view === 'table' ? (
          <fieldset class="checks">
            <legend>Columns</legend>
            <input type="hidden" name="view" value="table" />
            {columnsFor(type).map((field) => (
              <label key={field}>
                <input type="checkbox" name="columns" value={field} checked={columns.includes(field)} />{' '}
                {labelOf(field)}
              </label>
            ))}
          </fieldset>
        ) : null}
        <div class="row">
          <button type="submit" class="button primary">
            Apply
          </button>
        </div>
      </form>
    </details>
  );
}

interface FilterFieldProps {
  readonly type: RecordType;
  readonly name: FilterName;
  readonly value: string | undefined;
}

function FilterField({ type, name, value = '' }: FilterFieldProps): VNode {
  const filter = filterOf(name);
  const id = `f-${name}`;
  const closed = filter.test === 'facet' ? facetOf(filter as FacetFilter).closed : undefined;
  const options = filter.test === 'flag' || filter.test === 'role' ? ['true', 'false'] : closed;
  return (
    <div class="field">
      <label for={id}>{labelOf(name)}</label>
      {options === undefined ? (
        <input id={id} name={name} value={value} {...inputOf(type, name)} />
      ) : (
        <select id={id} name={name}>
          <option value="">Any</option>
          {options.map((option) => (
            <option key={option} value={option} selected={option === value}>
              {{ true: 'Yes', false: 'No' }[option] ?? vocabularyLabel(option)}
            </option>
          ))}
          {value === '' || options.includes(value) ? null : (
            <option value={value} selected>
              {value}
            </option>
          )}
        </select>
      )}
    </div>
  );
}

function inputOf(type: RecordType, name: FilterName): object {
  const { test } = filterOf(name);
  if (test !== 'from' && test !== 'to') return {};
  const isDay = /_date$|^as_of$/.test(fieldsOf(type, name)[0] ?? '');
  return isDay ? { type: 'date' } : { type: 'number', min: 0 };
}
