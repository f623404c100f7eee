import type { VNode } from 'preact';
import { shownValue } from '../../contract/day-text.ts';
import { entityOf, type RecordData } from '../../contract/entities/index.ts';
import { foldName } from '../../contract/names.ts';
import { asksToCompare } from '../../contract/sentence-calls.ts';
import { isBlank } from '../../contract/value-text.ts';
import { labelOf } from '../../contract/vocabulary.ts';
import { Card, namedRow, RecordLink, Table } from '../components.tsx';
import { TABLE_COLUMNS } from './parsed-search.ts';
import type { SearchOutcome } from './search.ts';
import { ShortValue } from './values.tsx';

const COMPARED_MAX = 4;
const NAME_WORDS_MAX = 6;
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
export function ComparedRecords({ found, results }: Pick<SearchOutcome, 'found' | 'results'>): VNode | null {
  const { ignored = [], text = '' } = found.understood ?? {};
  if (!asksToCompare(ignored)) return null;
  const [first, ...others] = namedIn(text, results);
  const records = others.filter(({ type }) => type === first?.type).slice(0, COMPARED_MAX - 1);
  if (first === undefined || records.length === 0) return null;
  const compared = [first, ...records];
  const fields = [...(TABLE_COLUMNS[first.type] ?? []), ...FURTHER].filter((field) =>
    compared.some((record) => !isBlank(record[field])),
  );
  return (
    <Card title="Side by side">
      <Table
        label="Fields of the compared records"
        head={[entityOf(first.type).noun, ...compared.map(({ name }) => name)]}
      >
        {namedRow('page', 'Page', ...compared.map((record) => <RecordLink key={record.id} to={record} />))}
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

/** The records whose name is some successive words of a text, in the order of the text; of namesakes the first. */
function namedIn(text: string, records: readonly RecordData[]): readonly RecordData[] {
  const byName = new Map(records.toReversed().map((record) => [foldName(record.name), record]));
  const words = text.split(/\s+/);
  const named = words.flatMap((_, from) =>
    Array.from({ length: NAME_WORDS_MAX }, (_, more) =>
      byName.get(foldName(words.slice(from, from + more + 1).join(' '))),
    ),
  );
  return [...new Set(named.filter((record) => record !== undefined))];
}
