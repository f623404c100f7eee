import type { GetPromptResult, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { createLenientReader } from '../contract/reader.ts';
import { ANSWER_CHARACTERS_MAX } from './answer-size.ts';
import { depsOf } from './call-deps.ts';
import { toToolError } from './errors.ts';
import { lookUp, type ReturnedRecord } from './lookup.ts';
import type { Prompt } from './prompts.ts';
import { prompts } from './prompts.ts';
import { RECORD_MIME_TYPE, recordText, toProtocolError, uriOf } from './register-resources.ts';
import { schemaForListing } from './register-tools.ts';
import { DATA_NOTICE } from './sanitize.ts';
import type { CallDeps, ServerDeps } from './server.ts';
import { readsFreely } from './tool.ts';

/** Adds every prompt to a server. */
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
  const entities = await lookUp(client, prompt.records(args as never), {
    detail: 'full',
    listDetail: 'concise',
    include: prompt.include,
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
const UNCLEAR = 'Not every name led to one record: ask me which candidate is meant before you go on.';

function candidatesText({ status, candidates }: ReturnedRecord): string {
  return JSON.stringify({ notice: DATA_NOTICE, status, candidates });
}

const userMessage = (text: string) => ({ role: 'user' as const, content: { type: 'text' as const, text } });

const attach = (uri: string, text: string) => ({
  role: 'user' as const,
  content: { type: 'resource' as const, resource: { uri, mimeType: RECORD_MIME_TYPE, text } },
});
