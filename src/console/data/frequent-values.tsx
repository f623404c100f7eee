import type { VNode } from 'preact';
import type { AggregateData } from '../../contract/aggregate.ts';
import type { RecordType } from '../../contract/entities/index.ts';
import { labelOf } from '../../contract/vocabulary.ts';
import { countText } from '../components.tsx';
import { cellText } from './aggregate-figures.tsx';
import { GroupText } from './group-text.tsx';

interface FrequentValuesProps {
  readonly of: RecordType;
  readonly group: string;
  readonly data: AggregateData;
  readonly given?: Readonly<Record<string, string>> | undefined;
  readonly shownMax: number;
}

export function FrequentValues({ of, group, data, given = {}, shownMax }: FrequentValuesProps): VNode {
  const rows = data.rows.filter(([value]) => value !== null).slice(0, shownMax);
  return (
    <section class="facet">
      <h3>{labelOf(group)}</h3>
      <ol>
        {rows.map(([value = null, number]) => (
          <li key={String(cellText(value))}>
            <GroupText of={of} group={group} cell={value} given={given} />
            <span class="number">{countText(Number(number))}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
