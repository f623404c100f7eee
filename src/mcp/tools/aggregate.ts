import * as z from 'zod';
import { type AggregateQuery, aggregateData, aggregateQuery, GROUP_NAMES } from '../../contract/aggregate.ts';
import { MEASURES } from '../../contract/aggregate-rows.ts';
import { aggregateSample } from '../../contract/sample-notes.ts';
import { defineTool, READ_ONLY } from '../define-tool.ts';
import { filterArguments } from '../filter-arguments.ts';
import { DATA_NOTICE } from '../sanitize.ts';
import { aggregateLines, showAggregate } from '../shown-aggregate.ts';
import { notice } from '../shown-record.ts';

const { of, top } = aggregateQuery.shape;

const groupsWithout = (groups: readonly string[]): string =>
  `One or two of ${GROUP_NAMES.filter((name) => !groups.includes(name)).join(' ')}`;

/** Loose, because the filters are those of search, whose schema is published already. */
const published = z.looseObject({
  of: z.enum(of.options),
  group_by: z.array(z.string()).meta({ description: groupsWithout([]) }),
  measure: z.array(z.enum(MEASURES)).optional(),
  order: z.string().optional().meta({ description: 'A measure (largest first), smallest, group or -group.' }),
  top: top.meta({ description: 'Rows: 20, at most 200.' }),
});

const rows = z.array(z.array(z.unknown()));
const output = z.object({ notice, ...aggregateData.shape, rows, sample: z.string().optional() });

export const aggregateTool = defineTool({
  name: 'aggregate',
  title: 'Count by group',
  description:
    'Totals by group, of a sample: how many, or sum, average, median of amounts raised. Takes the filters of search (tag, country, company, investor, funding_stage, from, to and so on). covered: amounts known, grants among rounds.',
  input: aggregateQuery.extend(filterArguments),
  published,
  narrow: (properties, { groups }) => ({
    ...properties,
    group_by: { ...properties['group_by'], description: groupsWithout(groups) },
  }),
  output,
  hints: READ_ONLY,
  access: ['key', 'embedded', 'none'],
  run: async (query, { client, signal }) => {
    const data = await client.aggregate(query, { signal });
    const lines = aggregateSample(data, query as AggregateQuery);
    const sample = lines.length === 0 ? {} : { sample: lines.join(' ') };
    return { notice: DATA_NOTICE, ...showAggregate(data), ...sample };
  },
  text: (answer) => {
    const [head, ...lines] = aggregateLines(answer);
    const sample = answer.sample === undefined ? '' : `${answer.sample} `;
    return [`${sample}${head} ${answer.notice}`, ...lines].join('\n');
  },
});
