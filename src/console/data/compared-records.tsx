import { capitalize } from '../../contract/capitalize.ts';
import { recordsCompared } from '../../contract/compared-records.ts';
import { shownValue } from '../../contract/day-text.ts';
import { entityOf } from '../../contract/entities/index.ts';
import { isBlank } from '../../contract/value-text.ts';
import { labelOf } from '../../contract/vocabulary.ts';
import { Card, namedRow, RecordLink, Table } from '../components.tsx';
import { TABLE_COLUMNS } from './parsed-search.ts';
import type { SearchOutcome } from './search.ts';
import { ShortValue } from './values.tsx';

const FURTHER = [
  'known_rounds',
  'chains',
  'status',
  'total_employees',
  'portfolio_count',
  'investor_type',
  'first_investment_date',
];

/** The records that a sentence such as `compare Aave and Compound` names, side by side; null for any other search. */
export function ComparedRecords({ found, results }: Pick<SearchOutcome, 'found' | 'results'>) {
  const compared = recordsCompared(found.understood ?? {}, results);
  const [first] = compared;
  if (first === undefined) return null;
  const fields = [...(TABLE_COLUMNS[first.type] ?? []), ...FURTHER].filter((field) =>
    compared.some((record) => !isBlank(record[field])),
  );
  return (
    <Card title="Side by side">
      <Table
        label="Fields of the compared records"
        head={[capitalize(entityOf(first.type).noun), ...compared.map(({ name }) => name)]}
      >
        {namedRow(
          'page',
          'Page',
          ...compared.map((record) => (
            <RecordLink key={record.id} to={record}>{`${record.type}/${record.slug}`}</RecordLink>
          )),
        )}
        {fields.map((field) =>
          namedRow(
            field,
            labelOf(field),
            ...compared.map((record) => (
              <ShortValue key={record.id} of={record.type} field={field} value={shownValue(record, field)} />
            )),
          ),
        )}
      </Table>
    </Card>
  );
}
