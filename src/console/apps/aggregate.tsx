import type { AggregateData } from '../../contract/aggregate.ts';
import { cellName } from '../../contract/answer-totals.ts';
import { labelOf } from '../../contract/vocabulary.ts';
import { Card } from '../components.tsx';
import { AggregateFigures, groupsText } from '../data/aggregate-figures.tsx';
import { startApp } from './host.ts';

const MEASURE = /^(count|sum|median|average|min|max)(_|$)/;

startApp<AggregateData>(({ answer }) => {
  const groups = answer.columns.filter((column) => !MEASURE.test(column));
  const measures = answer.columns.filter((column) => MEASURE.test(column));
  const title = `${measures.map(labelOf).join(', ')} by ${groupsText(groups)}`;
  return (
    <Card title={title}>
      <AggregateFigures groups={groups} data={answer}>
        {(group, cell) => <>{cellName(cell, group)}</>}
      </AggregateFigures>
    </Card>
  );
});
