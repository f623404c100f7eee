import type { ServerContext } from '@modelcontextprotocol/server';
import type * as z from 'zod';
import type { Client } from '../client/client.ts';
import type { PaidClient, PayingClient } from '../client/paid-client.ts';
import type { SpendingScope } from '../client/wallet/spending-scope.ts';
import type { CoverageGaps } from '../contract/vocabulary-response.ts';
import type { CallDeps, ServerDeps } from './server.ts';

/** How tools reach the service: `payment` is the payment of each call, `none` a service without a credential. */
export type AccessKind = 'key' | 'wallet' | 'payment' | 'embedded' | 'none';

/** Whether reading is free. Reads that a person did not request must not pay. */
export const readsFreely = (access: AccessKind): boolean => access === 'key' || access === 'embedded';

export interface ToolContext {
  readonly client: Client;
  readonly signal: AbortSignal;
  /** The paying client; with wallet access, the wallet's client. */
  readonly paid?: PayingClient | PaidClient | undefined;
  /** Base URL of the public record pages; undefined without them. */
  readonly publicUrl?: string | undefined;
  /** Requests a person's consent to a price; absent if the host cannot ask. */
  readonly consent?: SpendingScope['confirm'];
  /** SHA-256 of every offered tool definition, by name; absent if a tool runs inside another. */
  readonly fingerprints?: () => Promise<Readonly<Record<string, string>>>;
}

/** All four are required, because hosts use them to decide about confirmation. */
type Hints = Readonly<typeof READ_ONLY>;

export type Properties = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly hints: Hints;
  /** Whether it works without a credential. */
  readonly isPublic?: boolean;
  /** Kinds of access that it is offered with; all by default. */
  readonly access?: readonly AccessKind[];
  /** The published arguments without what no record has. */
  narrow?(published: Properties, coverageGaps: CoverageGaps): Properties;
  /** The published part of the input schema, if more is accepted. */
  readonly published?: z.ZodObject;
  run(args: z.output<Input>, context: ToolContext): Promise<z.output<Output>>;
  /** The complete result as short text, for hosts that show a model only text. */
  text(answer: z.output<Output>): string;
  /** `_meta` of the result, such as a payment receipt. */
  meta?(answer: z.output<Output>): Readonly<Record<string, unknown>>;
}

/**
 * Defines a tool. Types are checked here and erased in the list of tools.
 *
 * @example
 * import * as z from 'zod';
 * import { defineTool, READ_ONLY } from './define-tool.ts';
 *
 * export const versionTool = defineTool({
 *   name: 'version',
 *   title: 'Version',
 *   description: 'The version of OpenAPI that the service describes itself in.',
 *   input: z.strictObject({}),
 *   output: z.object({ openapi: z.string().meta({ description: 'The version.' }) }),
 *   hints: READ_ONLY,
 *   isPublic: true,
 *   run: async (_args, { client, signal }) => ({ openapi: (await client.openapi({ signal })).openapi }),
 *   text: ({ openapi }) => `OpenAPI ${openapi}.`,
 * });
 */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(tool: Tool<Input, Output>): Tool {
  // The list has tools of different types; the server passes each only what its own schema parsed.
  return tool as unknown as Tool;
}

/** Hints of tools that may pay: they change the person's balance. */
export const PAYING: Hints = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};

/** Hints of tools that only read; records are open-world content. */
export const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

/** Dependencies of one call: those of the server, with the client of the caller. */
export const depsOf = (deps: ServerDeps, context: ServerContext): CallDeps => ({
  ...deps,
  client: typeof deps.client === 'function' ? deps.client(context) : deps.client,
  ...(typeof deps.paid === 'function' ? deps.paid(context) : { paid: deps.paid }),
  signal: context.mcpReq.signal,
});
