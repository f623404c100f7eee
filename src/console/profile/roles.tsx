import type { VNode } from 'preact';
import { vocabularyLabel } from '../../contract/vocabulary.ts';
import { Badge, Card, RecordLink, row, Table } from '../components.tsx';
import type { Related } from '../data/related.tsx';
import type { RecordData } from '../data/values.tsx';
import { dayText } from '../day-text.ts';

interface Role {
  readonly organization: string;
  readonly organization_type: string | null;
  readonly organization_slug: string | null;
  readonly title: string | null;
  readonly role_type: string | null;
  readonly start_date: string | null;
  readonly end_date: string | null;
  readonly is_current: boolean | null;
  readonly as_of?: string | null;
}

const ownRoles = (record: RecordData): readonly Role[] => (record['roles'] ?? []) as readonly Role[];

/** Organisations that name the person, without those of the person's own roles. */
function namingOnly(record: RecordData, related: readonly Related[]): readonly RecordData[] {
  const roles = ownRoles(record);
  return (related.find(({ list }) => list.name === 'companies')?.records ?? []).filter(
    ({ type, slug }) =>
      !roles.some((role) => role.organization_slug === slug && (role.organization_type ?? type) === type),
  );
}

/** Everything that the list of roles has. */
export const rolesOf = (record: RecordData, related: readonly Related[]): readonly unknown[] => [
  ...ownRoles(record),
  ...namingOnly(record, related),
];

/** Roles of a person: their own record's, and those of organisations that name the person. */
export function Roles({ record, related }: { record: RecordData; related: readonly Related[] }): VNode | null {
  const roles = ownRoles(record);
  const others = namingOnly(record, related);
  if (roles.length + others.length === 0) return null;
  const isTimed = roles.some((role) =>
    [role.start_date, role.end_date, role.is_current].some((known) => known != null),
  );
  return (
    <Card title="Roles">
      <Table label="Roles" head={['Organisation', 'Role', ...(isTimed ? ['Time'] : []), 'As of']}>
        {roles.map((role, index) =>
          row(
            index,
            <RecordLink to={{ type: role.organization_type, slug: role.organization_slug }}>
              {role.organization}
            </RecordLink>,
            role.title ?? (role.role_type === null ? '' : vocabularyLabel(role.role_type)),
            ...(isTimed ? [<RoleTime role={role} />] : []),
            <td class="nowrap">{dayText(role.as_of)}</td>,
          ),
        )}
        {others.map((other) =>
          row(
            `${other.type} ${other.id}`,
            <RecordLink to={other} />,
            <td class="muted">Listed by the organisation</td>,
            ...(isTimed ? [''] : []),
            '',
          ),
        )}
      </Table>
    </Card>
  );
}

const RoleTime = ({ role: { start_date, end_date, is_current } }: { role: Role }): VNode => (
  <>
    {[start_date, end_date].some(Boolean) ? `${dayText(start_date)} – ${dayText(end_date)} ` : ''}
    {is_current === true ? <Badge tone="good">current</Badge> : null}
    {is_current === false ? <Badge>former</Badge> : null}
  </>
);
