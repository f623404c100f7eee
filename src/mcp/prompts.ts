import type { GetPromptResult, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { RecordType } from '../contract/entities/index.ts';
import { isoDate } from '../contract/fields.ts';
import { createLenientReader } from '../contract/reader.ts';
import { splitText } from '../contract/split-text.ts';
import { depsOf, readsFreely } from './define-tool.ts';
import { toToolError } from './errors.ts';
import { lookUp, type RecordRequest, type ReturnedRecord } from './lookup.ts';
import { RECORD_MIME_TYPE, recordText, toProtocolError, uriOf } from './register-resources.ts';
import { schemaForListing } from './register-tools.ts';
import { ANSWER_CHARACTERS_MAX } from './result-size.ts';
import { DATA_NOTICE } from './sanitize.ts';
import type { CallDeps, ServerDeps } from './server.ts';

/** A prompt that a person selects in a host; the records it is about are attached. */
interface Prompt<Args extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly args: Args;
  /** Arguments that name records, with the type that completes them. */
  readonly completed?: Readonly<Partial<Record<string, RecordType>>>;
  readonly include?: readonly string[];
  records?(args: z.output<Args>): readonly RecordRequest[];
  task(args: z.output<Args>): string;
}

/** Defines a prompt. Argument types are checked here and erased in the list of prompts. */
function definePrompt<Args extends z.ZodObject>(prompt: Prompt<Args>): Prompt {
  // The list has prompts of different arguments; the server passes each only what its own schema parsed.
  return prompt as unknown as Prompt;
}

const namedRecord = (noun: string) =>
  z
    .string()
    .trim()
    .min(1)
    .max(200)
    .meta({ description: `Name, slug or web domain of the ${noun}.` });

const recordNamed = (type: RecordType, value: string): RecordRequest => ({ type, by: 'id', value });

const COMPANIES_MAX = 6;

const companies = z
  .string()
  .max(1_000)
  .transform((text) => splitText(text, ','))
  .refine((names) => names.length >= 2 && names.length <= COMPANIES_MAX, `two to ${COMPANIES_MAX} names`)
  .meta({ description: `Two to ${COMPANIES_MAX} companies, with commas between.` });

export const prompts: readonly Prompt[] = [
  definePrompt({
    name: 'company_brief',
    title: 'Brief on a company',
    description: 'What a company does, who runs it, who funded it, and what is not known.',
    args: z.strictObject({ company: namedRecord('company') }),
    completed: { company: 'companies' },
    include: ['people', 'investors', 'rounds', 'events', 'similar'],
    records: ({ company }) => [recordNamed('companies', company)],
    task: ({ company }) =>
      `Write a brief on the company ${JSON.stringify(company)}: what it does and on which chains, people, funding rounds with dates and investors, head office, events, and the companies most like it with what they share. Say which facts are not known.`,
  }),
  definePrompt({
    name: 'compare_companies',
    title: 'Compare companies',
    description: 'Companies side by side: product, chains, age, size, funding, investors.',
    args: z.strictObject({ companies }),
    completed: { companies: 'companies' },
    include: ['investors', 'rounds'],
    records: (args) => args.companies.map((name) => recordNamed('companies', name)),
    task: (args) =>
      `Compare the companies ${args.companies.map((name) => JSON.stringify(name)).join(', ')} in one table: what they do, chains, year of foundation, head office, funding stage and known total, last round, notable investors and those that they share. Write "not known" where no record states it, and say below what the table shows.`,
  }),
  definePrompt({
    name: 'investor_brief',
    title: 'Brief on an investor',
    description: 'What an investor invests in, its known portfolio, activity and people.',
    args: z.strictObject({ investor: namedRecord('investor') }),
    completed: { investor: 'investors' },
    include: ['portfolio', 'people', 'rounds', 'co_investors'],
    records: ({ investor }) => [recordNamed('investors', investor)],
    task: ({ investor }) =>
      `Write a brief on the investor ${JSON.stringify(investor)}: kind, focus and stages, fund size, number of known investments and how many it led, first and latest one, portfolio by sector, latest rounds, whom it invests with most, and people. Take counts by year and stage from aggregate (of rounds, investor). Say which facts are not known.`,
  }),
  definePrompt({
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
  }),
  definePrompt({
    name: 'round_table',
    title: 'Table of funding rounds',
    description: 'Funding rounds of a sector, chain, company or investor in a table, with totals by year.',
    args: z.strictObject({
      about: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .meta({ description: 'Sector, chain, company or investor, such as DeFi or Paradigm.' }),
      since: isoDate.optional().meta({ description: 'First day, as 2024-01-01.' }),
    }),
    task: ({ about, since }) =>
      `Make a table of the funding rounds about ${JSON.stringify(about)}${since === undefined ? '' : ` since ${since}`}, the newest first: date, company, stage, amount, who led, announcement; mark what is in unsourced_fields as unsourced. Find them with search (type rounds, with the filter tag, chain, company or investor that it is; detail csv for many), and the totals by year with aggregate under the same filters. Say up to which date the data reaches (covered), how many amounts are not known, and how many rounds a filter left out as unknown.`,
  }),
  definePrompt({
    name: 'warm_intro',
    title: 'Find a warm introduction',
    description: 'Who connects two people, companies or investors, and over what.',
    args: z.strictObject({
      from: namedRecord('person, company or investor that you know'),
      to: namedRecord('one to be introduced to'),
    }),
    task: ({ from, to }) =>
      `Find who could introduce ${JSON.stringify(from)} to ${JSON.stringify(to)}. Call connect with both, as type/slug or exact name; when a name is not exact, find the record with search and ask me if it is not clear. Rank the paths by how well people on them know each other: a shared role or round before a shared event, a recent one before an old one. For the best three, name each step with the record that proves it and its date, and draft two sentences of asking. Say so when no path is known; a path says that two were in one round, not that they know each other.`,
  }),
];

export function registerPrompts(server: McpServer, deps: ServerDeps): void {
  for (const { prompt, config, read } of registrations) {
    server.registerPrompt(prompt.name, config, async (args, context) => {
      const callDeps = depsOf(deps, context);
      try {
        const parsed = read(args as Record<string, unknown>);
        return await messagesOf(prompt, parsed, callDeps);
      } catch (thrown) {
        throw toProtocolError(toToolError(thrown, callDeps));
      }
    });
  }
}

const registrations = prompts.map((prompt) => {
  const argsSchema = schemaForListing(() => z.toJSONSchema(prompt.args, { io: 'input' }) as Record<string, unknown>);
  return {
    prompt,
    read: createLenientReader(prompt.args),
    config: { title: prompt.title, description: prompt.description, argsSchema },
  };
});

/** The task, with the records it is about attached. */
async function messagesOf(prompt: Prompt, args: Record<string, unknown>, deps: CallDeps): Promise<GetPromptResult> {
  const task = prompt.task(args as never);
  if (!readsFreely(deps.access)) return { messages: [userMessage(`${task} ${LOOK_UP}`)] };
  const { client, signal } = deps;
  const entities = await lookUp(client, prompt.records?.(args as never) ?? [], {
    detail: 'full',
    listDetail: 'concise',
    include: prompt.include ?? [],
    signal,
  });
  const found = entities.flatMap(({ record }) => record ?? []);
  const unclear = entities.filter(({ record }) => record === null);
  return {
    messages: [
      userMessage(`${task} ${unclear.length > 0 ? `${UNCLEAR} ` : ''}${RULES}`),
      ...found.map((record) => attach(uriOf(record), recordText(record, ANSWER_CHARACTERS_MAX / entities.length))),
      ...unclear.map((entity) => userMessage(candidatesText(entity))),
    ],
  };
}

const LOOK_UP = 'Look the records up with search and get_entity first; unknown facts stay unknown.';
const RULES = `Use the records below and the results of search and get_entity; unknown facts stay unknown. Name the sources and the date of what you state. ${DATA_NOTICE}`;
const UNCLEAR = 'Not every name led to one record: ask me which candidate is meant before you continue.';

const candidatesText = ({ status, candidates }: ReturnedRecord): string =>
  JSON.stringify({ notice: DATA_NOTICE, status, candidates });

const userMessage = (text: string) => ({ role: 'user' as const, content: { type: 'text' as const, text } });

const attach = (uri: string, text: string) => ({
  role: 'user' as const,
  content: { type: 'resource' as const, resource: { uri, mimeType: RECORD_MIME_TYPE, text } },
});
