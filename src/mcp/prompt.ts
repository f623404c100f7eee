import type * as z from 'zod';
import type { RecordType } from '../contract/entities/index.ts';
import type { RecordRequest } from './resolve.ts';

/** A task that a person picks in a host; the records it is about come with it. */
export interface Prompt<Args extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly args: Args;
  /** Arguments that name records, with the type whose names complete them. */
  readonly completed: Readonly<Partial<Record<string, RecordType>>>;
  /** Related lists that come with the records. */
  readonly include: readonly string[];
  asked(args: z.output<Args>): readonly RecordRequest[];
  task(args: z.output<Args>): string;
}

/** Defines a prompt; the generic types are checked here and forgotten in the list of all prompts. */
export function definePrompt<Args extends z.ZodObject>(prompt: Prompt<Args>): Prompt {
  // A list of prompts of different arguments; the server gives each only what its own schema has read.
  return prompt as unknown as Prompt;
}

/** Something that a person knows of a record: its number, slug, name or domain. */
export const askedFor = (type: RecordType, value: string): RecordRequest => ({ type, by: 'id', value });
