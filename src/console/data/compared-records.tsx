import { capitalize } from '../../contract/capitalize.ts';
import { recordsCompared } from '../../contract/compared-records.ts';
import { shownValue } from '../../contract/day-text.ts';
import { entityOf, type RecordData } from '../../contract/entities/index.ts';
import { DAGGER_NOTE, isOfEditors, ledMark, unsourcedMark } from '../../contract/unsourced.ts';
import { isBlank } from '../../contract/value-text.ts';
import { labelOf } from '../../contract/vocabulary.ts';
import { Card, namedRow, RecordLink, Table } from '../components.tsx';
import { Unsourced } from '../profile/cited-sources.tsx';
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

/** How much of a sum or a number of rounds led is unsourced, after it; blank for other fields. */
function markOf(record: RecordData, field: string): string {
  if (field === 'lead_count') return ledMark(record);
  const mark = field === 'total_funding_usd' ? unsourcedMark(record) : '';
  return mark && ` (${mark})`;
}

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
              <>
                <ShortValue of={record.type} field={field} value={shownValue(record, field)} />
                {markOf(record, field)}
                {isBlank(record[field]) ? null : <Unsourced {...{ record, field }} />}
              </>
            )),
          ),
        )}
      </Table>
      {compared.some((record) => fields.some((field) => !isBlank(record[field]) && isOfEditors(record, field))) ? (
        <p class="hint under">{DAGGER_NOTE}</p>
      ) : null}
    </Card>
  );
}
