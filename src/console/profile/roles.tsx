import { dayText, monthText } from '../../contract/day-text.ts';
import type { RecordData } from '../../contract/entities/index.ts';
import { organisationOf, type PersonRole } from '../../contract/person-roles.ts';
import { unsourcedMark } from '../../contract/unsourced.ts';
import { isBlank, joinTexts } from '../../contract/value-text.ts';
import { stageOfCompany, vocabularyLabel } from '../../contract/vocabulary.ts';
import { Card, RecordLink, row, Table } from '../components.tsx';
import { roleMark, titleOf } from '../data/people-order.ts';
import { listIn, type Related } from '../data/related.tsx';
import { businessIn } from '../data/round-statistics.ts';
import { knownFunding } from '../data/values.tsx';

type Role = Partial<PersonRole & Readonly<Record<'start_date' | 'end_date', string | null>>>;

const ownRoles = (record: RecordData): readonly Role[] => (record['roles'] ?? []) as readonly Role[];

const isAt = ({ type, slug }: RecordData, role: Role): boolean =>
  role.organization_slug === slug && (role.organization_type ?? type) === type;

/** The role of a person at the organisation with the largest known funding, former ones last: with the organisation, its record if that is known, and the day of the source. */
export function mainRole(record: RecordData, organisations: readonly RecordData[] = []) {
  const known = (role: Role) => organisations.find((organisation) => isAt(organisation, role));
  const usdOf = (role: Role): number => Number(known(role)?.['total_funding_usd'] ?? 0);
  const isFormer = ({ is_current: isCurrent }: Role): number => Number(isCurrent === false);
  const [role] = ownRoles(record).toSorted(
    (one, other) => isFormer(one) - isFormer(other) || usdOf(other) - usdOf(one),
  );
  if (role === undefined) return undefined;
  const [at, asOf] = [known(role), role.as_of ?? ''];
  return {
    title: titleOf(role),
    organisation: organisationOf(role),
    at,
    asOf,
  };
}

function stageLine(company: RecordData): string {
  const [stage, last] = [stageOfCompany(company), company['last_round_date']];
  const parts = [
    isBlank(stage) ? '' : vocabularyLabel(String(stage)),
    isBlank(last) ? '' : `last round ${monthText(String(last))}`,
  ];
  return joinTexts(' · ', ...parts);
}

function timeOf(role: Role): string {
  const { start_date: start, end_date: end, is_current: isCurrent, as_of: asOf } = role;
  const span = [start, end].some(Boolean) ? `${dayText(start)} – ${dayText(end)}` : '';
  const state = isCurrent == null || /former/i.test(titleOf(role)) ? '' : isCurrent ? 'current' : 'former';
  return joinTexts(', ', span.trim(), state, !isBlank(asOf) && `as of ${dayText(asOf)}`);
}

const FUNDING = 'Known funding';

/** Roles of a person with what the organisations are: their own record's, and those of organisations that name the person. */
export function Roles({ record, related }: { record: RecordData; related: readonly Related[] }) {
  const known = listIn(related, 'companies');
  const own = ownRoles(record);
  const naming = known
    // A company that invests has two records.
    .filter((organisation) => !own.some((role) => isAt(organisation, role) || role.organization === organisation.name))
    .map(
      ({ name, type, slug }): Role => ({
        organization: name,
        organization_type: type,
        organization_slug: slug,
        title: 'Listed by the organisation',
      }),
    );
  const roles = [...own, ...naming];
  if (roles.length === 0) return null;
  const isFunded = known.some((organisation) => knownFunding(organisation) !== '');
  return (
    <Card title="Roles" id="roles">
      <Table label="Roles" head={['Organisation', 'Role', ...(isFunded ? [FUNDING] : []), 'Time']} numbers={[FUNDING]}>
        {roles.map((role, index) => {
          const organisation = known.find((one) => isAt(one, role));
          const cells = [
            <>
              <RecordLink to={organisationOf(role)} />
              {organisation === undefined ? null : <p class="business">{businessIn(organisation)}</p>}
            </>,
            titleOf(role),
            <td class="number main">
              {organisation === undefined ? null : knownFunding(organisation)}
              {organisation === undefined
                ? null
                : [unsourcedMark(organisation), stageLine(organisation)].map((line) =>
                    line === '' ? null : <p class="business">{line}</p>,
                  )}
            </td>,
            <td class="nowrap">{joinTexts(', ', timeOf(role), own.includes(role) && roleMark(record, role.as_of))}</td>,
          ];
          return row(index, ...cells.filter((_, cell) => isFunded || cell !== 2));
        })}
      </Table>
    </Card>
  );
}
