import type { ConnectionKind } from '../../../contract/connections.ts';
import type { RecordType } from '../../../contract/entities/index.ts';
import { statedValue } from '../../../contract/periods.ts';
import { isOfEditors, isUnsourced } from '../../../contract/unsourced.ts';
import type { RecordRef } from '../../port/analytics.ts';
import type { PathDraft } from './paths.ts';

/** What the records that prove the edges of paths state of them. */

type Edge = PathDraft['edges'][number];
type Ends = readonly (RecordRef | undefined)[];
type Fields = Readonly<Record<string, unknown>>;

interface EdgeFacts {
  readonly label: string;
  readonly date: string | null;
  /** The month, where no source states the day. */
  readonly month?: string;
  readonly unsourced?: 'all' | 'lead';
}

/** Label of a role without title. */
const ROLE = 'role';
/** Label of who led a round. */
const LEAD = 'lead investor';

interface Role {
  readonly organization_type: string | null;
  readonly organization_id: number | null;
  readonly title: string | null;
  readonly as_of?: string | null;
}

/** Fields that state a connection, by the kind and the type of the record that proves it. */
const STATING: Readonly<Partial<Record<ConnectionKind, Readonly<Partial<Record<RecordType, string>>>>>> = {
  role: { companies: 'team' },
  founder: { companies: 'founders', investors: 'founders' },
  portfolio: { companies: 'investors', investors: 'portfolio' },
};

/** From the record that proves an edge: the title of a role, the month of a round without a day, and what only the editors state. */
export function edgeFacts({ kind, label, date, record }: Edge, ends: Ends, proof: Fields): EdgeFacts {
  const role = record.type === 'people' && label === ROLE ? roleIn(proof, ends) : undefined;
  const month = record.type === 'rounds' ? monthOf(proof) : undefined;
  const unsourced = unsourcedIn({ kind, label, record }, proof, role);
  return {
    label: role?.title ?? label,
    date: month === undefined ? date : null,
    ...(month !== undefined && { month }),
    ...(unsourced !== undefined && { unsourced }),
  };
}

/** The role of a person at one of two records: the first with a title, if one has it. */
function roleIn(person: Fields, ends: Ends): Role | undefined {
  const roles = ((person['roles'] ?? []) as readonly Role[]).filter((role) =>
    ends.some((end) => end?.type === role.organization_type && end.id === role.organization_id),
  );
  return roles.find(({ title }) => title !== null) ?? roles[0];
}

/** The month in which a round was announced; undefined if its day is known. */
function monthOf(round: Fields): string | undefined {
  const stated = String(statedValue(round, 'announced_date') ?? '');
  return /^\d{4}-\d{2}$/.test(stated) ? stated : undefined;
}

function unsourcedIn(
  { kind, label, record }: Pick<Edge, 'kind' | 'label' | 'record'>,
  proof: Fields,
  role: Role | undefined,
): EdgeFacts['unsourced'] {
  if (isUnsourced(proof)) return 'all';
  if (record.type === 'rounds') {
    const isLed = label.split(', ').includes(LEAD);
    return isLed && isOfEditors(proof, 'lead_investors') ? 'lead' : undefined;
  }
  const field = role === undefined ? STATING[kind as ConnectionKind]?.[record.type] : 'roles';
  return field !== undefined && isOfEditors(proof, field, role?.as_of) ? 'all' : undefined;
}
