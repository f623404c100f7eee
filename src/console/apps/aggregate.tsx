import type { AggregateData } from '../../contract/aggregate.ts';
import { cellName, isMeasureColumn } from '../../contract/aggregate-rows.ts';
import { labelOf } from '../../contract/vocabulary.ts';
import { Card } from '../components.tsx';
import { AggregateFigures } from '../data/aggregate-figures.tsx';
import { groupsText } from '../data/aggregate-words.ts';
import { startApp } from './host.ts';

startApp<AggregateData>(({ answer }) => {
  const groups = answer.columns.filter((column) => !isMeasureColumn(column));
  const measures = answer.columns.filter(isMeasureColumn);
  const title = `${measures.map(labelOf).join(', ')} by ${groupsText(groups)}`;
  return (
    <Card title={title}>
      <AggregateFigures groups={groups} data={answer}>
        {(group, cell) => <>{cellName(cell, group)}</>}
      </AggregateFigures>
    </Card>
  );
});
