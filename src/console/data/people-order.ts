import type { RecordData } from '../../contract/entities/index.ts';
import { isOfFounder, type PersonRole, roleAt } from '../../contract/person-roles.ts';
import { namedIn } from '../../contract/rounds.ts';
import { isOfEditors, UNSOURCED } from '../../contract/unsourced.ts';
import { joinTexts } from '../../contract/value-text.ts';
import { vocabularyLabel } from '../../contract/vocabulary.ts';
import type { Order } from './related.tsx';

/** Titles of those who lead an organisation. */
const LEADING = /\b(?:c[a-z]o|chief|president|chair\w*|partner|director|head)\b/i;

/** The people of an organisation: its founders, who leads it, the others, then those who left; of the latest source first. */
export const byRole: Order = async (_records, organisation, people) => {
  const placed = people.map((person) => {
    const { title, is_current: isCurrent, as_of: asOf }: Partial<PersonRole> = roleAt(person, organisation) ?? {};
    const place = (LEADING.test(title ?? '') ? 1 : 2) + (isCurrent === false ? 2 : 0);
    return { person, place: isFounderOf(person, organisation) ? 0 : place, asOf: asOf ?? '' };
  });
  return placed
    .toSorted((one, other) => one.place - other.place || (one.asOf < other.asOf ? 1 : one.asOf > other.asOf ? -1 : 0))
    .map(({ person }) => person);
};

/** Whether a person founded an organisation, by the person's record or the organisation's. */
export function isFounderOf(person: RecordData, organisation: RecordData): boolean {
  const isNamed = namedIn(organisation, 'founders').some((founder) => founder.slug === person.slug);
  return isNamed || isOfFounder(roleAt(person, organisation) ?? {});
}

/** The title of a role, as sources write it, or its kind; blank if neither is stated. */
export const titleOf = ({ title, role_type: kind }: Partial<PersonRole>): string =>
  title ?? (kind ? vocabularyLabel(kind) : '');

/** When a role was stated, and whether by the editors alone, in brackets: ` (as of 2018, unsourced)`; blank for neither. */
export function basisText(asOf: string | null | undefined, mark: string | false): string {
  const text = joinTexts(', ', asOf && `as of ${asOf.slice(0, 4)}`, mark);
  return text && ` (${text})`;
}

/** The mark of a role of a person, as of a day, that only the editors state. */
export const roleMark = (person: RecordData, asOf?: string | null): string | false =>
  isOfEditors(person, 'roles', asOf) && UNSOURCED;
