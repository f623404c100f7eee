import { tools } from '../tools/index.ts';

/** What a message is about, in names of ours: whatever else a client sends is `other`. */
export interface MessageNames {
  readonly method: string;
  /** Of a call; `none` of any other message. */
  readonly tool: string;
}

const METHODS = new Set([
  'completion/complete',
  'initialize',
  'logging/setLevel',
  'notifications/cancelled',
  'notifications/initialized',
  'ping',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'server/discover',
  'subscriptions/listen',
  'tools/call',
  'tools/list',
]);
const TOOLS = new Set<string>(tools.map(({ name }) => name));

export function namesOfMessage(message: unknown): MessageNames {
  const { method, params } = (message ?? {}) as { readonly method?: unknown; readonly params?: { name?: unknown } };
  const tool = method === 'tools/call' ? known(TOOLS, params?.name) : 'none';
  return { method: known(METHODS, method), tool };
}

const known = (names: ReadonlySet<string>, name: unknown): string =>
  typeof name === 'string' && names.has(name) ? name : 'other';
