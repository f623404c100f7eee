import * as z from 'zod';
import { definePrompt, namedRecord } from '../prompt.ts';

export const warmIntro = definePrompt({
  name: 'warm_intro',
  title: 'Find a warm introduction',
  description: 'Who connects two people, companies or investors, and over what.',
  args: z.strictObject({
    from: namedRecord('person, company or investor that you know'),
    to: namedRecord('one to be introduced to'),
  }),
  completed: {},
  include: [],
  records: () => [],
  task: ({ from, to }) =>
    `Find who could introduce ${JSON.stringify(from)} to ${JSON.stringify(to)}. Call connect with both, as type/slug or exact name; when a name is not exact, find the record with search and ask me if it is not clear. Rank the paths by how well people on them know each other: a shared role or round before a shared event, a recent one before an old one. For the best three, name each step with the record that proves it and its date, and draft two sentences of asking. Say so when no path is known; a path says that two were in one round, not that they know each other.`,
});
