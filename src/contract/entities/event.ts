import * as z from 'zod';
import { defineEntity } from '../entity.ts';
import { isoDate, labels, location, longText, nameText, references, shortText, slugText, webUrl } from '../fields.ts';
import { EVENT_FORMATS, EVENT_TYPES } from '../vocabulary.ts';

const fields = {
  logo: webUrl.nullable().describe('Address of the logo.'),
  tagline: shortText.nullable().describe('What the event is, in a line.'),
  overview: longText.nullable().describe('What the event is.'),
  website: webUrl.nullable().describe('Address of the website.'),
  series_slug: slugText.nullable().describe('Slug of the series that this is an edition of.'),
  edition: shortText.nullable().describe('Edition within the series, such as a number or a year.'),
  start_date: isoDate.nullable().describe('First day.'),
  end_date: isoDate.nullable().describe('Last day.'),
  timezone: nameText.nullable().describe('Time zone, such as Europe/Berlin.'),
  venue: nameText.nullable().describe('Venue.'),
  location_json: location.nullable().describe('Where it takes place.'),
  format: z.enum(EVENT_FORMATS).nullable().describe('How people take part.'),
  event_type: z.enum(EVENT_TYPES).nullable().describe('Kind of event.'),
  tags: labels.describe('Subjects.'),
  organizers: references.describe('Organisers.'),
  speakers: references.describe('Speakers.'),
  sponsors: references.describe('Sponsors.'),
};

/** Events are not sold over x402, so they have no paid view. */
export const event = defineEntity({
  type: 'events',
  noun: 'event',
  fields,
  searched: {
    names: ['name', 'aliases'],
    tickers: [],
    domain: 'website',
    keywords: ['tags', 'event_type', 'format'],
    headline: ['tagline'],
    overview: ['overview'],
    related: ['location_json', 'venue', 'start_date', 'edition', 'organizers', 'speakers', 'sponsors'],
  },
  concise: ['tagline', 'website', 'start_date', 'end_date', 'location_json', 'event_type'],
});
