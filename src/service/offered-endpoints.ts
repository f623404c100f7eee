import { type Endpoint, endpoints } from '../contract/endpoints.ts';
import { entities, type RecordType } from '../contract/entities/index.ts';

/** The documented endpoints, those of one path together; paid ones only if the service sells. */
export function offeredEndpoints(isSelling: boolean): readonly Endpoint[] {
  const offered = endpoints.filter(({ access }) => access !== 'payment' || isSelling);
  const paths = offered.map(({ path }) => path);
  return offered.toSorted((one, other) => paths.indexOf(one.path) - paths.indexOf(other.path));
}

export const ENDPOINT_GROUPS = {
  service: 'Health of the service, and its description.',
  'key and search': 'Search over all types, aggregates, connections, and the remaining quota of a key.',
  'paid search': 'Search, aggregates and connections without a key, paid for with x402.',
  ...(Object.fromEntries(
    entities.map(({ type, noun }) => [
      type,
      `Records of type ${noun}: list, read, create, change, delete and restore.`,
    ]),
  ) as Record<RecordType, string>),
};
const GROUP_OF_ACCESS = { nothing: 'service', payment: 'paid search' } as const;
export const groupOf = ({ type, access }: Endpoint): keyof typeof ENDPOINT_GROUPS =>
  type ?? GROUP_OF_ACCESS[access as keyof typeof GROUP_OF_ACCESS] ?? 'key and search';
