import * as z from 'zod';
import { count, isoDate, nameText, shortText } from './fields.ts';

export const CONNECTION_KINDS = ['round', 'role', 'founder', 'event', 'portfolio'] as const;
export type ConnectionKind = (typeof CONNECTION_KINDS)[number];

/** Cost of each kind; smaller is stronger: many take part in a round, and an event is the weakest connection. */
export const WEAKNESS: Readonly<Record<ConnectionKind, number>> = {
  role: 0,
  founder: 0,
  round: 1,
  portfolio: 2,
  event: 3,
};

const HOPS_MAX = 4;
const HOPS_DEFAULT = 3;
const PATHS_DEFAULT = 5;
const PATHS_MAX = 20;

const end = nameText.meta({ description: 'type/slug, or an exact name.' });

export const connectionsQuery = z.strictObject({
  from: end,
  to: end,
  hops_max: z
    .int()
    .min(1)
    .max(HOPS_MAX)
    .default(HOPS_DEFAULT)
    .meta({ description: `Longest path, 1 to ${HOPS_MAX}.` }),
  limit: z
    .int()
    .min(1)
    .max(PATHS_MAX)
    .default(PATHS_DEFAULT)
    .meta({ description: `Paths, at most ${PATHS_MAX}.` }),
  kinds: z
    .array(z.enum(CONNECTION_KINDS))
    .min(1)
    .max(CONNECTION_KINDS.length)
    .optional()
    .meta({ description: 'Only these kinds of connection.', param: { style: 'pipeDelimited', explode: false } }),
});

export type ConnectionsQuery = z.output<typeof connectionsQuery>;

const recordAddress = z.object({ type: z.string(), slug: z.string(), name: nameText });

const path = z.object({
  hops: count.meta({ description: 'Edges of the path.' }),
  nodes: z.array(recordAddress).meta({ description: 'Records on the path, from one end to the other.' }),
  edges: z
    .array(
      z.object({
        kind: z.enum(CONNECTION_KINDS),
        label: shortText.meta({ description: 'Roles of the two, such as "lead investor, company".' }),
        date: isoDate.nullable().meta({ description: 'Day, if a source states one.' }),
        month: z.string().optional().meta({ description: 'Month of a round of which no source states the day.' }),
        unsourced: z.enum(['all', 'lead']).optional().meta({
          description: 'What only the editors of the data set state, without a page: all of it, or who led the round.',
        }),
        record: recordAddress.meta({ description: 'Record that proves it.' }),
      }),
    )
    .meta({ description: 'What connects each node with the next.' }),
});

export const connectionsData = z.object({
  paths: z.array(path).meta({
    description:
      'Shortest first, then the stronger kind (role and founder, round, portfolio, event), then the smaller event, then the newer date. Each sequence of records occurs once, and none is a detour between two that a round or event of it connects.',
  }),
  reason: z.string().nullable().meta({ description: 'Why there is no path; null if there is one.' }),
  advice: z.string().nullable().meta({ description: 'Parameter that may find one; null if none does.' }),
  complete: z.boolean().meta({ description: 'False when the search stopped at its limit: there may be other paths.' }),
});

export type ConnectionsData = z.output<typeof connectionsData>;

interface Searched {
  readonly hopsMax: number;
  readonly kinds: readonly ConnectionKind[];
  /** Names of the ends without any connection of these kinds. */
  readonly isolated: readonly string[];
  readonly complete: boolean;
}

/** Why a search found no path, and the parameter to try. */
export function noPath({ isolated, complete, hopsMax, kinds }: Searched): Pick<ConnectionsData, 'reason' | 'advice'> {
  const isOfAll = kinds.length === CONNECTION_KINDS.length;
  const what = isOfAll ? 'rounds, roles or events' : `connection of the kind ${kinds.join(' or ')}`;
  if (isolated.length > 0) {
    const reason = `No path: ${isolated.join(' and ')} ${isolated.length === 1 ? 'has' : 'have'} no known ${what}.`;
    return { reason, advice: null };
  }
  const length = `up to ${hopsMax} ${hopsMax === 1 ? 'hop' : 'hops'}`;
  return complete
    ? { reason: `No path of ${length}.`, advice: hopsMax < HOPS_MAX ? `hops_max ${HOPS_MAX} looks further` : null }
    : { reason: `No path found among those of ${length} that were tried.`, advice: 'kinds tries fewer' };
}
