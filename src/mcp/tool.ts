import type * as z from 'zod';
import type { Client } from '../client/client.ts';
import type { PaidClient, PayingClient } from '../client/paid-client.ts';
import type { SpendingScope } from '../client/wallet/spending-scope.ts';

/**
 * How the tools reach the service: `wallet` pays from a wallet of ours, `payment` takes the payment that comes with each
 * call; `none` when a service is named but no credential is.
 */
export type AccessKind = 'key' | 'wallet' | 'payment' | 'embedded' | 'none';

/** Whether records can be read without a payment; what a person has not asked for must not pay. */
export const readsFreely = (access: AccessKind): boolean => access === 'key' || access === 'embedded';

/** What a tool works with. */
export interface ToolContext {
  readonly client: Client;
  readonly signal: AbortSignal;
  /** Where the call buys; set where calls are paid for, and a client with a wallet with wallet access. */
  readonly paid?: PayingClient | PaidClient | undefined;
  /** Base address of the public pages of records; undefined where there are none. */
  readonly publicUrl?: string | undefined;
  /** Asks the person to agree to a price; absent where the host cannot ask. */
  readonly consent?: SpendingScope['confirm'];
  /** The SHA-256 of the definition of each tool that is offered beside this one; absent where a tool runs inside another. */
  readonly fingerprints?: () => Readonly<Record<string, string>>;
}

/** All four are told, because hosts decide by them whether to ask a person first. */
export interface Hints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

export interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly hints: Hints;
  /** Whether it can be called without a key or a wallet. */
  readonly isPublic: boolean;
  /** Kinds of access that it is offered with; without it, all. */
  readonly access?: readonly AccessKind[];
  /** Whether arguments are filters of records; those that no record can satisfy are not told. */
  readonly hasFilters?: true;
  /** The arguments that are told, when more are understood. */
  readonly published?: z.ZodObject;
  run(args: z.output<Input>, context: ToolContext): Promise<z.output<Output>>;
  /** The same answer as short text, complete, for hosts that show a model only the text. */
  text(answer: z.output<Output>): string;
  /** What the protocol keeps a place of its own for, such as the receipt of a payment. */
  meta?(answer: z.output<Output>): Readonly<Record<string, unknown>>;
}

/**
 * Defines a tool; the generic types are checked here and forgotten in the list of all tools.
 * @example
 * import * as z from 'zod';
 * import { defineTool, READ_ONLY } from './tool.ts';
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
  // A list of tools of different types; the server gives each only what its own input schema has read.
  return tool as unknown as Tool;
}

/** A tool that may pay changes something: the balance of the person. */
export const PAYING: Hints = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};

/** Reading the service changes nothing there, and what it holds comes from the open world. */
export const READ_ONLY: Hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};
