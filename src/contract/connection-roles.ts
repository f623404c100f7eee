import type { ConnectionsData } from './connections.ts';
import { UNSOURCED } from './unsourced.ts';

type Edge = ConnectionsData['paths'][number]['edges'][number];

/** Whether a connection is a grant, by the name of its record. */
export const isOfGrant = ({ record: { type, name } }: Pick<Edge, 'record'>): boolean =>
  type === 'rounds' && / grant from /.test(name);

/** The day of a connection, or its month; blank if neither is known. */
export const statedDay = ({ date, month }: Edge): string => date ?? month ?? '';

/** What of a connection only the editors of the data set state; blank for nothing. */
export const edgeMark = ({ unsourced }: Edge): string =>
  unsourced === undefined ? '' : unsourced === 'lead' ? `lead ${UNSOURCED}` : UNSOURCED;

/** What two records did: `Ada invested in Acme`, `both as speaker`. Undefined unless the label has the role of each. */
export function connectedRoles(
  { label, record }: Pick<Edge, 'label' | 'record'>,
  ends: readonly ({ readonly name: string } | undefined)[],
): string | undefined {
  const roles = label.split(', ');
  if (roles.length !== ends.length) return undefined;
  const names = ends.map((end) => end?.name ?? '');
  const [one = '', other = ''] = roles;
  if (record.type === 'events' && other.startsWith(one)) return `both as ${other}`;
  if (record.type !== 'rounds') return names.map((name, index) => `${name} as ${roles[index]}`).join(', ');
  const isGrant = isOfGrant({ record });
  const place = roles.indexOf('company');
  const others = names.flatMap((name, index) =>
    index === place ? [] : [roles[index] === 'lead investor' && place < 0 ? `${name} (lead)` : name],
  );
  if (place < 0) return `${others.join(' and ')} ${isGrant ? 'gave it' : 'invested'}`;
  const deed = isGrant ? 'gave a grant to' : roles.includes('lead investor') ? 'led a round of' : 'invested in';
  return `${others.join()} ${deed} ${names[place]}`;
}
