import * as z from 'zod';
import { definePrompt, namedRecord, recordNamed } from '../prompt.ts';

export const eventPrep = definePrompt({
  name: 'event_prep',
  title: 'Prepare for an event',
  description: 'Who speaks, organises and sponsors an event, and whom to meet for a goal.',
  args: z.strictObject({
    event: namedRecord('event'),
    goal: z
      .string()
      .trim()
      .max(500)
      .optional()
      .meta({ description: 'What you want from it, such as find seed investors.' }),
  }),
  completed: { event: 'events' },
  include: ['speakers', 'organizers', 'sponsors'],
  records: ({ event }) => [recordNamed('events', event)],
  task: ({ event, goal }) =>
    `Prepare me for the event ${JSON.stringify(event)}: dates and place, speakers, organisers and sponsors with what they do.${goal === undefined ? '' : ` My goal: ${JSON.stringify(goal)}. Name whom to meet for it, and why.`} Look the most relevant people and companies up with get_entity before you name them.`,
});
