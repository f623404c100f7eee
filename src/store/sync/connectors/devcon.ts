import * as z from 'zod';
import {
  type ConnectorPage,
  type ConnectorRequest,
  defineConnector,
  type RequestMode,
  SyncError,
} from '../connector.ts';
import { githubOf, twitterOf } from '../tags.ts';

const API = 'https://api.devcon.org/speakers';
const PAGE_SPEAKERS = 500;
const SPEAKERS_MAX = 20_000;

const answer = z.object({ data: z.object({ items: z.array(z.unknown()) }) });

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
  async *pages({ cursor, get }: ConnectorRequest): AsyncGenerator<ConnectorPage> {
    let how: RequestMode = 'conditional';
    for (let from = Number(cursor ?? 0); from < SPEAKERS_MAX; from += PAGE_SPEAKERS) {
      const url = `${API}?from=${from}&size=${PAGE_SPEAKERS}`;
      const page = await get(url, how);
      // After an unchanged page, only previously requested ones exist.
      how = page === null ? 'if known' : 'conditional';
      if (page === null) continue;
      const parsed = answer.safeParse(page.json());
      if (!parsed.success) throw new SyncError('has changed its form: data.items is no list');
      const { items } = parsed.data.data;
      yield { entries: items.map((value) => ({ value, url, day: page.day })), cursor: String(from + PAGE_SPEAKERS) };
      if (items.length < PAGE_SPEAKERS) return;
    }
  },
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
