import * as z from 'zod';
import { edgeMark, statedDay } from '../../contract/connection-roles.ts';
import {
  CONNECTION_KINDS,
  type ConnectionsData,
  connectionsData,
  connectionsQuery,
} from '../../contract/connections.ts';
import { MISSING, noProof } from '../../contract/sample-notes.ts';
import { joinTexts } from '../../contract/value-text.ts';
import { defineTool, READ_ONLY } from '../define-tool.ts';
import { fitting } from '../result-size.ts';
import { DATA_NOTICE, inLine, sanitize } from '../sanitize.ts';
import { notice } from '../shown-record.ts';

const { from, to, hops_max, limit } = connectionsQuery.shape;

type Path = ConnectionsData['paths'][number];

const published = z.strictObject({
  from,
  to: to.meta({ description: '' }),
  hops_max: hops_max.meta({ description: '' }),
  kinds: z.array(z.enum(CONNECTION_KINDS)).optional(),
  limit: limit.meta({ description: '' }),
});

/** Published without the structure of paths, which a result shows. */
const output = z.object({
  notice,
  ...connectionsData.shape,
  paths: z.array(z.looseObject({})),
  reason: z.string().optional(),
  advice: z.string().optional(),
});

export const connectTool = defineTool({
  name: 'connect',
  title: 'Connect records',
  description:
    'Shortest paths between two records over shared rounds, roles, events and portfolios, each edge with the record that proves it.',
  input: connectionsQuery,
  published,
  output,
  hints: READ_ONLY,
  access: ['key', 'embedded', 'none'],
  run: async (query, { client, signal }) => {
    const { paths, reason, advice, complete } = await client.connections(query, { signal });
    const shown = sanitize({ paths, reason });
    const why = { ...(shown.reason !== null && { reason: shown.reason }), ...(advice !== null && { advice }) };
    return { notice: DATA_NOTICE, paths: fitting(shown.paths), ...why, complete };
  },
  text: ({ notice, paths, reason, advice, complete }) => {
    const found =
      reason === undefined
        ? `Paths found: ${paths.length}.`
        : `${[inLine(reason), advice && `${advice}.`, noProof(MISSING.investors)].filter(Boolean).join(' ')}`;
    const limit = complete || reason !== undefined ? '' : ' The search stopped at its limit: there may be other paths.';
    return [`${found}${limit} ${notice}`, ...(paths as unknown as Path[]).map(pathText)].join('\n');
  },
});

const named = ({ type, slug, name }: Path['nodes'][number]): string => inLine(`${name} (${type}/${slug})`);

function pathText({ nodes, edges }: Path): string {
  const [first, ...others] = nodes.map(named);
  const steps = others.map((node, index) => {
    const edge = edges[index] as Path['edges'][number];
    const day = statedDay(edge);
    const date = day === '' ? '' : ` ${inLine(day)}`;
    const what = joinTexts(', ', edge.label, edgeMark(edge));
    return `--[${edge.kind}${date}: ${inLine(what)}; ${named(edge.record)}]-- ${node}`;
  });
  return [first, ...steps].join(' ');
}
