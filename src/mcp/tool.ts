import type * as z from 'zod';
import type { Client } from '../client/client.ts';

/** What a tool works with. */
interface ToolContext {
  readonly client: Client;
  readonly signal: AbortSignal;
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
  run(args: z.output<Input>, context: ToolContext): Promise<z.output<Output>>;
  /** The same answer as short text, complete, for hosts that show a model only the text. */
  text(answer: z.output<Output>): string;
}

/** Defines a tool; the generic types are checked here and forgotten in the list of all tools. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(tool: Tool<Input, Output>): Tool {
  // A list of tools of different types; the server gives each only what its own input schema has read.
  return tool as unknown as Tool;
}

/** Reading the service changes nothing there, and what it holds comes from the open world. */
export const READ_ONLY: Hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};
