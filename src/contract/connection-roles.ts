import type { ConnectionsData } from './connections.ts';

/** Who of two had which role: `Ada as investor, Acme as lead investor`. Undefined unless the label has one of each. */
export function connectedRoles(
  { label, record }: Pick<ConnectionsData['paths'][number]['edges'][number], 'label' | 'record'>,
  ends: readonly ({ readonly name: string } | undefined)[],
): string | undefined {
  const roles = label.split(', ');
  if (roles.length !== ends.length) return undefined;
  const isGrant = record.type === 'rounds' && / grant from /.test(record.name);
  return ends
    .map((end, index) => `${end?.name} as ${isGrant && roles[index] === 'investor' ? 'grant giver' : roles[index]}`)
    .join(', ');
}
