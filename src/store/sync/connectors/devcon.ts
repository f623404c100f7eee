import * as z from 'zod';
import { defineConnector, githubOf, pagesByOffset, twitterOf } from '../connector.ts';

const API = 'https://api.devcon.org/speakers';
const PAGE_SPEAKERS = 500;

/** Speakers of Devcon, with their accounts. */
export const devcon = defineConnector({
  source: 'devcon',
  origin: 'https://api.devcon.org/',
  title: 'Devcon speakers',
  licence: 'none stated (code: MIT)',
  terms: 'https://github.com/efdevcon/monorepo',
  trust: 'curated',
  isRestricted: true,
  hosts: ['api.devcon.org'],
  rate: { perSecond: 1 },
  entry: z.object({
    id: z.string(),
    name: z.string(),
    twitter: z.string().nullish(),
    github: z.string().nullish(),
    avatar: z.string().nullish(),
  }),
  pages: pagesByOffset({
    size: PAGE_SPEAKERS,
    max: 20_000,
    urlFrom: (offset) => `${API}?from=${offset}&size=${PAGE_SPEAKERS}`,
    path: ['data', 'items'],
  }),
  claims: ({ id, name, twitter, github, avatar }) => [
    {
      type: 'people',
      key: id,
      url: `${API}/${id}`,
      fields: {
        name,
        twitter: twitterOf(twitter),
        github: githubOf(github),
        logo: avatar?.startsWith('https://') ? avatar : undefined,
        tags: ['Ethereum'],
      },
    },
  ],
});
