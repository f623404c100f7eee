import type { AggregateData } from '../../contract/aggregate.ts';
import { labelOf } from '../../contract/vocabulary.ts';
import { Card } from '../components.tsx';
import { AggregateFigures, groupsText, nameOf } from '../data/aggregate-figures.tsx';
import { startApp } from './host.ts';

const MEASURE = /^(count|sum|median|average|min|max)(_|$)/;

startApp<AggregateData>(({ answer }) => {
  const groups = answer.columns.filter((column) => !MEASURE.test(column));
  const measures = answer.columns.filter((column) => MEASURE.test(column));
  const title = `${measures.map(labelOf).join(', ')} by ${groupsText(groups)}`;
  return (
    <Card title={title}>
      <AggregateFigures groups={groups} data={answer}>
        {(group, cell) => <>{nameOf(cell, group)}</>}
      </AggregateFigures>
    </Card>
  );
});
