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
  organization: nameText.describe('Organisation, as the source writes it.'),
  organization_type: z.string().nullable().describe('companies or investors, when the record exists.'),
  organization_id: recordId.nullable().describe('Its record number, when the record exists.'),
  organization_slug: slugText.nullable().describe('Its slug, when the record exists.'),
  title: shortText.nullable().describe('Title, as the source writes it.'),
  role_type: z.enum(ROLE_TYPES).nullable().describe('Kind of role.'),
  start_date: isoDate.nullable().describe('First day.'),
  end_date: isoDate.nullable().describe('Last day.'),
  is_current: z.boolean().nullable().describe('Whether the role is current; null when no source states it.'),
  as_of: shortText
    .nullable()
    .describe(
      "Date of the source that states the role: of a repository, the day of the copy read; of one read from a talk, the event's.",
    ),
});

const fields = {
  logo: webUrl.nullable().describe('Address of a portrait.'),
  headline: shortText.nullable().describe('Who the person is, in a line.'),
  overview: longText.nullable().describe('Life and work.'),
  roles: z.array(role).max(LIST_LENGTH_MAX).describe('Roles in organisations.'),
  events: references.describe('Events the person speaks at, besides those whose record lists the person.'),
  location_json: location.nullable().describe('Where the person lives.'),
  tags: labels.describe('Subjects the person works on.'),
  angel_investments: count.nullable().describe('Known funding rounds the person took part in.'),
  website: webUrl.nullable().describe('Address of the website.'),
  twitter: webUrl.nullable().describe('Address on X (Twitter).'),
  github: webUrl.nullable().describe('Address on GitHub.'),
};

export const person = defineEntity({
  type: 'people',
  noun: 'person',
  fields,
  searched: {
    names: ['name', 'aliases'],
    tickers: [],
    domain: 'website',
    keywords: ['tags'],
    headline: ['headline'],
    overview: ['overview'],
    related: ['roles', 'events', 'location_json'],
  },
  concise: ['headline', 'roles', 'angel_investments', 'twitter'],
  fromRounds: ['angel_investments'],
  paid: ['logo', 'headline', 'overview', 'roles', 'website'],
});
