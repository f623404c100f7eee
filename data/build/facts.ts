import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { cleanText } from './text.ts';

/** Reading the facts folder, and the rule for which facts may ship. */

const fact = z.object({
  field: z.string(),
  value: z.unknown(),
  source: z.string(),
  as_of: z.string().nullable(),
  confidence: z.enum(['high', 'medium', 'low']),
});

const subject = z.object({
  name: z.string().transform(cleanText),
  slug: z.string(),
  aliases: z.array(z.string().transform(cleanText)).default([]),
  ambiguous_name: z.boolean().default(false),
  facts: z.array(fact),
});

const roundValue = z.object({
  date: z.string(),
  stage: z.string().nullable(),
  amount_usd: z.number().nullable(),
  lead_investors: z.array(z.string()),
  investors: z.array(z.string()),
});
const roleValue = z.object({ title: z.string().transform(cleanText), organization: z.string().transform(cleanText) });
const editionValue = z.object({
  name: z.string().transform(cleanText),
  start_date: z.string(),
  end_date: z.string(),
  city: z.string().nullable(),
  country: z.string().nullable(),
  venue: z.string().nullable(),
});

/** The value of each field that is more than a text. */
export const factValues = {
  round: roundValue,
  role: roleValue,
  edition: editionValue,
  place: z.object({ city: z.string().nullable(), country: z.string().nullable() }),
  texts: z.array(z.string().transform(cleanText)),
  text: z.string().transform(cleanText),
  year: z.int(),
  count: z.int(),
  investments: z.object({ rounds: z.int(), led: z.int(), companies: z.int(), first: z.string(), last: z.string() }),
  counts: z.record(z.string(), z.int()),
};

export type Fact = z.output<typeof fact>;
export type Subject = z.output<typeof subject>;
export type RoundValue = z.output<typeof roundValue>;
export type EditionValue = z.output<typeof editionValue>;

const FILES = ['companies', 'investors', 'people', 'events'] as const;
type FactsFile = (typeof FILES)[number];
export type Facts = Readonly<Record<FactsFile, Subject[]>>;

/** Reads the facts folder, or says which of its files is missing. */
export function readFacts(folder: string): Facts {
  const missing = FILES.find((file) => !existsSync(join(folder, `${file}.ndjson`)));
  if (missing !== undefined) throw new Error(`No ${missing}.ndjson in ${folder}: give the facts folder as argument.`);
  const [companies, investors, people, events] = FILES.map((file) => readSubjects(join(folder, `${file}.ndjson`)));
  return { companies: companies ?? [], investors: investors ?? [], people: people ?? [], events: events ?? [] };
}

function readSubjects(path: string): Subject[] {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => subject.parse(JSON.parse(line)));
}

const UNNAMED_FILE = /^public (GitHub|newsletter) [^+]*?(file|event guide)\b/;
const TWO_UNNAMED_FILES = /index ids \d+ (and|\/) \d+/;

/** Whether the only source is one file whose repository the index did not name: such a fact needs a second source. */
export function isUnnamedAlone(candidate: Fact): boolean {
  return (
    candidate.confidence !== 'high' && UNNAMED_FILE.test(candidate.source) && !TWO_UNNAMED_FILES.test(candidate.source)
  );
}

/** High and medium confidence ship; low never does, nor what a single unnamed file says. */
function isShippable(candidate: Fact): boolean {
  return candidate.confidence !== 'low' && !isUnnamedAlone(candidate);
}

/** The facts of a field that may ship, the better first: higher confidence, then newer. */
export function shippableFacts(from: Subject, field: string): Fact[] {
  return from.facts.filter((candidate) => candidate.field === field && isShippable(candidate)).sort(byWorth);
}

/** Orders facts by confidence, then by the date of their source. */
export function byWorth(left: Fact, right: Fact): number {
  if (left.confidence !== right.confidence) return left.confidence === 'high' ? -1 : 1;
  return (right.as_of ?? '').localeCompare(left.as_of ?? '');
}
