import { type CompleteResult, type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { RECORD_TYPES, type RecordType } from '../contract/entities/index.ts';
import { QUERY_LENGTH_MAX } from '../contract/queries.ts';
import { depsOf } from './call-deps.ts';
import { prompts } from './prompts/index.ts';
import { RECORD_URI } from './register-resources.ts';
import { sanitize } from './sanitize.ts';
import type { CallDeps, ServerDeps } from './server.ts';
import type { ShownRecord } from './shown-record.ts';
import { readsFreely } from './tool.ts';

const VALUES_MAX = 20;

/** The argument being typed, and the values already known. */
interface Typing {
  readonly name: string;
  readonly value: string;
  readonly known: Readonly<Record<string, string>>;
}

/** Completes arguments of prompts and resources with the names of records. */
export function registerCompletion(server: McpServer, deps: ServerDeps): void {
  server.server.registerCapabilities({ completions: {} });
  server.server.setRequestHandler('completion/complete', async ({ params }, context) => {
    const { name, value } = params.argument;
    const typing = { name, value, known: params.context?.arguments ?? {} };
    const callDeps = depsOf(deps, context);
    if (params.ref.type === 'ref/prompt') return completePrompt(callDeps, params.ref.name, typing);
    if (params.ref.uri !== RECORD_URI) throw unknown(`There is no resource template ${params.ref.uri}`);
    return completeResource(callDeps, typing);
  });
}

const unknown = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);

async function completePrompt(deps: CallDeps, name: string, typing: Typing): Promise<CompleteResult> {
  const prompt = prompts.find((each) => each.name === name);
  if (prompt === undefined) throw unknown(`Prompt ${name} not found`);
  const type = prompt.completed[typing.name];
  if (type === undefined) return answer([]);
  // In a list, completes the last name.
  const [, before = '', last = ''] = /^(.*,\s*)?([^,]*)$/s.exec(typing.value) ?? [];
  const names = await namesLike(deps, type, { ...typing, value: last });
  // A name with a comma would be parsed as two.
  return answer(names.map(({ name: found, slug }) => before + (found.includes(',') ? slug : found)));
}

async function completeResource(deps: CallDeps, typing: Typing): Promise<CompleteResult> {
  const { name, value, known } = typing;
  if (name === 'type') return answer(RECORD_TYPES.filter((type) => type.startsWith(value)));
  const type = RECORD_TYPES.find((each) => each === known['type']);
  if (name !== 'slug' || type === undefined) return answer([]);
  return answer((await namesLike(deps, type, typing)).map(({ slug }) => slug));
}

/** Records with similar names. Errors yield no suggestions, because a person is typing. */
async function namesLike({ client, access, signal }: CallDeps, type: RecordType, { value }: Typing) {
  if (!readsFreely(access)) return [];
  const query = value.replaceAll('-', ' ').slice(0, QUERY_LENGTH_MAX);
  try {
    const found = await client.search({ type, query, limit: VALUES_MAX, fields: ['name'] }, { signal });
    return sanitize(found.results as ShownRecord[]);
  } catch {
    return [];
  }
}

const answer = (values: string[]): CompleteResult => ({ completion: { values, hasMore: false } });
