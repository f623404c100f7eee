import * as z from 'zod';
import type { RecordType } from '../contract/entities/index.ts';
import type { RecordRequest } from './resolve-record.ts';

/** A prompt that a person selects in a host; the records it is about are attached. */
export interface Prompt<Args extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly args: Args;
  /** Arguments that name records, with the type that completes them. */
  readonly completed: Readonly<Partial<Record<string, RecordType>>>;
  /** Related lists attached with the records. */
  readonly include: readonly string[];
  /** The records that it is about. */
  records(args: z.output<Args>): readonly RecordRequest[];
  task(args: z.output<Args>): string;
}

/** Defines a prompt. Argument types are checked here and erased in the list of prompts. */
export function definePrompt<Args extends z.ZodObject>(prompt: Prompt<Args>): Prompt {
  // The list has prompts of different arguments; the server passes each only what its own schema parsed.
  return prompt as unknown as Prompt;
}

/** An argument that names a record. */
export const namedRecord = (noun: string) =>
  z
    .string()
    .trim()
    .min(1)
    .max(200)
    .meta({ description: `Name, slug or web domain of the ${noun}.` });

/** A request for a record by id, slug, name or domain. */
export const recordNamed = (type: RecordType, value: string): RecordRequest => ({ type, by: 'id', value });
