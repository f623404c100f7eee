import { RECORD_TYPES, type RecordType } from './entities/index.ts';
import { invalidAt } from './errors.ts';
import {
  type FilterName,
  type Filters,
  fieldsOf,
  filterOf,
  filters,
  filtersOf,
  hasFilter,
  kindFilters,
} from './filters.ts';

/** Throws `invalid_parameter` for filters that can match nothing, such as contradictory bounds or those that no searched type has. */
export function checkFilters(types: readonly RecordType[], requested: Filters): void {
  for (const name of Object.keys(requested) as FilterName[]) {
    if (!types.some((type) => hasFilter(type, name))) throw invalidAt(`query.${name}`, foreignMessage(types, name));
    const filter = filterOf(name);
    if (filter.test === 'role' && requested[name] === false) {
      const of = RECORD_TYPES.filter((type) => filter.types[type] !== undefined);
      if (!types.every((type) => of.includes(type)))
        throw invalidAt(`query.${name}`, `${name}=false is for ${of.join()}`);
    } else if (filter.test === 'role') {
      const parties = [filter.of as FilterName, ...kindFilters(types)];
      if (parties.every((each) => requested[each] === undefined))
        throw invalidAt(
          `query.${name}`,
          `${name} is for use with ${parties.join(', ').replace(/, (?=\w+$)/, ' or ')}; give both`,
        );
    }
  }
  for (const type of types) checkBounds(type, requested);
}

function foreignMessage(types: readonly RecordType[], name: FilterName): string {
  const others = RECORD_TYPES.filter((type) => hasFilter(type, name)).join(', ');
  const [type] = types;
  const has = types.length === 1 && type !== undefined ? `; ${type} have ${filtersOf(type).join(', ')}` : '';
  return `${name} does not apply to ${types.join(', ')}; it is for ${others}${has}`;
}

function checkBounds(type: RecordType, requested: Filters): void {
  const names = Object.keys(requested) as FilterName[];
  for (const low of names.filter((name) => filters[name].test === 'from')) {
    for (const high of names.filter((name) => filters[name].test === 'to')) {
      const [field] = fieldsOf(type, low);
      const isOrdered = (requested[low] as string | number) <= (requested[high] as string | number);
      if (field === undefined || field !== fieldsOf(type, high)[0] || isOrdered) continue;
      const order = typeof requested[low] === 'string' ? 'after' : 'greater than';
      throw invalidAt(`query.${low}`, `${low} must not be ${order} ${high}`);
    }
  }
}
