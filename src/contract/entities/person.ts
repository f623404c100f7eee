import * as z from 'zod';
import { defineEntity } from '../entity.ts';
import {
  count,
  isoDate,
  LIST_LENGTH_MAX,
  labels,
  location,
  longText,
  nameText,
  recordId,
  references,
  shortText,
  slugText,
  webUrl,
} from '../fields.ts';
import { ROLE_TYPES } from '../vocabulary.ts';

const role = z.object({
  organization: nameText.meta({ description: 'Organisation, as the source writes it.' }),
  organization_type: z.string().nullable().meta({ description: 'companies or investors, when the record exists.' }),
  organization_id: recordId.nullable().meta({ description: 'Its record number, when the record exists.' }),
  organization_slug: slugText.nullable().meta({ description: 'Its slug, when the record exists.' }),
  title: shortText.nullable().meta({ description: 'Title, as the source writes it.' }),
  role_type: z.enum(ROLE_TYPES).nullable().meta({ description: 'Kind of role.' }),
  start_date: isoDate.nullable().meta({ description: 'First day.' }),
  end_date: isoDate.nullable().meta({ description: 'Last day.' }),
  is_current: z
    .boolean()
    .nullable()
    .meta({ description: 'Whether the role is current; null when no source states it.' }),
  as_of: shortText.nullable().meta({
    description:
      "Date of the source that states the role: of a repository, the day of the copy read; of one read from a talk, the event's.",
  }),
});

const fields = {
  logo: webUrl.nullable().meta({ description: 'Address of a portrait.' }),
  headline: shortText.nullable().meta({ description: 'Who the person is, in a line.' }),
  overview: longText.nullable().meta({ description: 'Life and work.' }),
  roles: z.array(role).max(LIST_LENGTH_MAX).meta({ description: 'Roles in organisations.' }),
  events: references.meta({ description: 'Events the person speaks at, besides those whose record lists the person.' }),
  location_json: location.nullable().meta({ description: 'Where the person lives.' }),
  tags: labels.meta({ description: 'Subjects the person works on.' }),
  angel_investments: count.nullable().meta({ description: 'Known funding rounds the person took part in.' }),
  website: webUrl.nullable().meta({ description: 'Address of the website.' }),
  twitter: webUrl.nullable().meta({ description: 'Address on X (Twitter).' }),
  github: webUrl.nullable().meta({ description: 'Address on GitHub.' }),
};

export const person = defineEntity({
  type: 'people',
  noun: 'person',
  fields,
  searched: {
    names: ['name', 'aliases'],
    tickers: [],
    domain: 'website',
    accounts: ['twitter', 'github'],
    keywords: ['tags'],
    headline: ['headline'],
    overview: ['overview'],
    related: ['roles', 'events', 'location_json'],
  },
  concise: ['headline', 'roles', 'angel_investments', 'twitter'],
  fromRounds: ['angel_investments'],
  paid: ['logo', 'headline', 'overview', 'roles', 'website', 'unsourced_fields'],
});
