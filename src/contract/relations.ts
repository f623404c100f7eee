import type { NamedType, RecordType } from './entities/index.ts';

/** A field of one type that references records of other types, and the key names of its parts. */
export interface Relation {
  readonly name: string;
  readonly from: RecordType;
  readonly field: string;
  /** Types that a name is matched against, the most likely first. */
  readonly to: readonly NamedType[];
  readonly keys: ReferenceKeys;
}

interface ReferenceKeys {
  readonly name: string;
  readonly type: string;
  readonly id: string;
  readonly slug: string;
}

const REFERENCE_KEYS: ReferenceKeys = { name: 'name', type: 'type', id: 'id', slug: 'slug' };
const ROLE_KEYS: ReferenceKeys = {
  name: 'organization',
  type: 'organization_type',
  id: 'organization_id',
  slug: 'organization_slug',
};

function defineRelation(
  from: RecordType,
  field: string,
  to: readonly NamedType[],
  keys: ReferenceKeys = REFERENCE_KEYS,
): Relation {
  return { name: `${from}.${field}`, from, field, to, keys };
}

/** Every reference between types. */
const references = {
  role: defineRelation('people', 'roles', ['companies', 'investors'], ROLE_KEYS),
  personEvent: defineRelation('people', 'events', ['events']),
  companyFounder: defineRelation('companies', 'founders', ['people']),
  companyTeam: defineRelation('companies', 'team', ['people']),
  companyInvestor: defineRelation('companies', 'investors', ['investors', 'companies', 'people']),
  acquirer: defineRelation('companies', 'acquired_by', ['companies', 'investors']),
  investorFounder: defineRelation('investors', 'founders', ['people']),
  portfolio: defineRelation('investors', 'portfolio', ['companies']),
  organizer: defineRelation('events', 'organizers', ['companies', 'investors', 'people']),
  speaker: defineRelation('events', 'speakers', ['people']),
  sponsor: defineRelation('events', 'sponsors', ['companies', 'investors']),
  roundCompany: defineRelation('rounds', 'company', ['companies']),
  roundLead: defineRelation('rounds', 'lead_investors', ['investors', 'companies', 'people']),
  roundInvestor: defineRelation('rounds', 'investors', ['investors', 'companies', 'people']),
};

export const relations: readonly Relation[] = Object.values(references);

const byName = new Map(relations.map((relation) => [relation.name, relation]));

export const relationNamed = (name: string): Relation | undefined => byName.get(name);

/** The relation of a field. Undefined if the field references no records. */
export const relationOf = (type: RecordType, field: string): Relation | undefined => relationNamed(`${type}.${field}`);

/** One step along a relation: to the referenced record, or back to the referencing records. */
export interface Step {
  readonly relation: Relation;
  readonly direction: 'to' | 'back';
}

type Reference = keyof typeof references;
const to = (name: Reference): Step => ({ relation: references[name], direction: 'to' });
const back = (name: Reference): Step => ({ relation: references[name], direction: 'back' });

/** A related list of a record (`GET /companies/{id}/people`): its types, and the paths of relations that lead to them. */
export interface RelatedList {
  readonly of: NamedType;
  readonly name: string;
  readonly types: readonly RecordType[];
  readonly summary: string;
  /** Field with the number of entries that sources state; linked records may be fewer. */
  readonly stated?: string;
  /** Set if paths through grants do not count. */
  readonly isWithoutGrants?: true;
  readonly paths: readonly (readonly Step[])[];
  /** Set if the list is computed instead of following paths; each entry then states a reason. */
  readonly computed?: ComputedList;
}

export type ComputedList = 'similar' | 'coInvestors';

/** Fields of a computed list that state why a record is in it. */
export const REASON_FIELDS: Readonly<Record<ComputedList, readonly string[]>> = {
  similar: ['reasons'],
  coInvestors: ['count', 'latest_round'],
};

export const listsOf = (type: RecordType): readonly RelatedList[] => relatedLists.filter((list) => list.of === type);

/** The related list of a name. Undefined if records of the type have none. */
export const listNamed = (type: RecordType, name: string): RelatedList | undefined =>
  listsOf(type).find((list) => list.name === name);

/** Fields in which a source may state the content of a list, or that it is empty. */
export const coveringFields = ({ name, of, stated, paths }: RelatedList): readonly string[] => [
  name,
  ...(stated === undefined ? [] : [stated]),
  ...paths.flatMap(([first]) =>
    first?.direction === 'to' && first.relation.from === of ? [first.relation.field] : [],
  ),
];

const SIMILAR =
  'The ten companies that share most, with what they share: tags weigh most, the first above all, then investors and chains, rare ones more.';

const list = (of: NamedType, name: string, more: Omit<RelatedList, 'of' | 'name'>): RelatedList => ({
  of,
  name,
  ...more,
});

export const relatedLists: readonly RelatedList[] = [
  list('companies', 'people', {
    types: ['people'],
    summary: 'People with a role in the company, its founders and its team.',
    paths: [[back('role')], [to('companyFounder')], [to('companyTeam')]],
  }),
  list('companies', 'investors', {
    types: ['investors', 'companies', 'people'],
    summary: 'Investors of its known funding rounds, grants left out, and those that either side names.',
    stated: 'investors_count',
    isWithoutGrants: true,
    paths: [
      [back('roundCompany'), to('roundInvestor')],
      [back('roundCompany'), to('roundLead')],
      [back('portfolio')],
      [to('companyInvestor')],
    ],
  }),
  list('companies', 'rounds', {
    types: ['rounds'],
    summary: 'Known funding rounds of the company.',
    paths: [[back('roundCompany')]],
  }),
  list('companies', 'events', {
    types: ['events'],
    summary: 'Events that the company organises or sponsors.',
    paths: [[back('organizer')], [back('sponsor')]],
  }),
  list('companies', 'acquisitions', {
    types: ['companies'],
    summary: 'Companies that the company acquired.',
    paths: [[back('acquirer')]],
  }),
  list('companies', 'similar', { types: ['companies'], summary: SIMILAR, paths: [], computed: 'similar' }),
  list('investors', 'portfolio', {
    types: ['companies'],
    summary: 'Companies the investor has funded.',
    stated: 'portfolio_count',
    paths: [
      [back('roundInvestor'), to('roundCompany')],
      [back('roundLead'), to('roundCompany')],
      [to('portfolio')],
      [back('companyInvestor')],
    ],
  }),
  list('investors', 'people', {
    types: ['people'],
    summary: 'People with a role at the investor, and its founders.',
    paths: [[back('role')], [to('investorFounder')]],
  }),
  list('investors', 'rounds', {
    types: ['rounds'],
    summary: 'Known funding rounds the investor took part in.',
    stated: 'investments_count',
    paths: [[back('roundInvestor')], [back('roundLead')]],
  }),
  list('investors', 'co_investors', {
    types: ['investors', 'companies', 'people'],
    summary: 'Investors that took part in the same funding rounds: in how many, and in which last.',
    paths: [],
    computed: 'coInvestors',
  }),
  list('people', 'rounds', {
    types: ['rounds'],
    summary: 'Known funding rounds the person took part in.',
    stated: 'angel_investments',
    paths: [[back('roundInvestor')], [back('roundLead')]],
  }),
  list('people', 'companies', {
    types: ['companies', 'investors'],
    summary: 'Organisations where the person has a role, or that name the person as a founder or in the team.',
    paths: [[to('role')], [back('companyFounder')], [back('investorFounder')], [back('companyTeam')]],
  }),
  list('people', 'events', {
    types: ['events'],
    summary: 'Events where the person speaks or that the person organises.',
    paths: [[back('speaker')], [back('organizer')], [to('personEvent')]],
  }),
  list('events', 'speakers', {
    types: ['people'],
    summary: 'Speakers of the event.',
    paths: [[to('speaker')], [back('personEvent')]],
  }),
  list('events', 'organizers', {
    types: ['companies', 'investors', 'people'],
    summary: 'Organisers of the event.',
    paths: [[to('organizer')]],
  }),
  list('events', 'sponsors', {
    types: ['companies', 'investors'],
    summary: 'Sponsors of the event.',
    paths: [[to('sponsor')]],
  }),
];
