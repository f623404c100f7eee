import * as z from 'zod';
import { defineEntity } from '../entity.ts';
import { isoDate, labels, location, longText, nameText, references, shortText, slugText, webUrl } from '../fields.ts';
import { EVENT_FORMATS, EVENT_TYPES } from '../vocabulary.ts';

const fields = {
  logo: webUrl.nullable().meta({ description: 'Address of the logo.' }),
  tagline: shortText.nullable().meta({ description: 'What the event is, in a line.' }),
  overview: longText.nullable().meta({ description: 'What the event is.' }),
  website: webUrl.nullable().meta({ description: 'Address of the website.' }),
  series_slug: slugText.nullable().meta({ description: 'Slug of the series that this is an edition of.' }),
  edition: shortText.nullable().meta({ description: 'Edition within the series, such as a number or a year.' }),
  start_date: isoDate.nullable().meta({ description: 'First day.' }),
  end_date: isoDate.nullable().meta({ description: 'Last day.' }),
  timezone: nameText.nullable().meta({ description: 'Time zone, such as Europe/Berlin.' }),
  venue: nameText.nullable().meta({ description: 'Venue.' }),
  location_json: location.nullable().meta({ description: 'Where it takes place.' }),
  format: z.enum(EVENT_FORMATS).nullable().meta({ description: 'How people take part.' }),
  event_type: z.enum(EVENT_TYPES).nullable().meta({ description: 'Kind of event.' }),
  tags: labels.meta({ description: 'Subjects.' }),
  organizers: references.meta({ description: 'Organisers.' }),
  speakers: references.meta({ description: 'Speakers.' }),
  sponsors: references.meta({ description: 'Sponsors.' }),
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
