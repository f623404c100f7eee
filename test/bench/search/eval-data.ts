import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SearchedDocument } from '../../../src/store/search/search-index.ts';

export const EVAL_TYPES = ['companies', 'people', 'investors', 'events'] as const;
export type EvalType = (typeof EVAL_TYPES)[number];

export interface Question {
  id: string;
  query: string;
  type: EvalType | 'all';
  kind: string;
  expected_slugs: string[];
}

export interface EvalData {
  documents: Record<EvalType, SearchedDocument[]>;
  questions: Question[];
}

type Row = Record<string, unknown>;

/** The evaluation records as search sees them; undefined when the folder is missing. */
export function readEvalData(folder: string): EvalData | undefined {
  const paths = [...EVAL_TYPES.map((type) => `${type}.ndjson`), 'queries-dev.jsonl'].map((file) => join(folder, file));
  if (!paths.every((path) => existsSync(path))) return undefined;
  const [companies, people, investors, events, questions] = paths.map(readLines);
  return {
    documents: {
      companies: companies.map(company),
      people: people.map(person),
      investors: investors.map(investor),
      events: events.map(event),
    },
    // A line of the questions is a Question by the folder's own README.
    questions: questions as unknown as Question[],
  };
}

function readLines(path: string): Row[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row);
}

function company(row: Row): SearchedDocument {
  const place = (row.location_json ?? {}) as Row;
  return {
    ...identity(row),
    keywords: [...list(row.tags), ...list(row.chains)],
    headline: text(row.tagline),
    overview: text(row.overview),
    related: [...list(row.founders), ...list(row.team), ...list(row.investors), text(place.city), text(place.country)],
    rank: number(row.rounds_known) + list(row.investors).length / 4,
  };
}

function person(row: Row): SearchedDocument {
  const roles = (row.roles ?? []) as Row[];
  return {
    ...identity(row),
    keywords: [],
    headline: text(row.headline),
    overview: text(row.bio),
    related: [
      ...roles.flatMap((role) => [text(role.title), text(role.organization)]),
      ...list(row.portfolio),
      ...list(row.event_slugs),
    ],
    rank: roles.length + list(row.event_slugs).length + number(row.angel_rounds),
  };
}

function investor(row: Row): SearchedDocument {
  return {
    ...identity(row),
    keywords: list(row.focus_tags),
    headline: '',
    overview: '',
    related: [...list(row.portfolio), text(row.country)],
    rank: number(row.rounds_count),
  };
}

function event(row: Row): SearchedDocument {
  const speakers = ((row.speakers ?? []) as unknown[]).map((speaker) => text((speaker as Row)?.name ?? speaker));
  return {
    ...identity(row),
    keywords: [...list(row.tags), text(row.event_type)],
    headline: '',
    overview: text(row.description),
    related: [
      text(row.city),
      text(row.country),
      text(row.venue),
      text(row.start_date).slice(0, 4),
      ...list(row.organizers),
      ...speakers,
    ],
    rank: speakers.length,
  };
}

function identity(row: Row): Pick<SearchedDocument, 'id' | 'names' | 'slug' | 'tickers' | 'domain' | 'handles'> {
  const names = [text(row.name), ...list(row.aliases)];
  const domain = text(row.domain ?? row.website) || null;
  return { id: number(row.id), names, slug: text(row.slug), tickers: list(row.tickers), domain, handles: [] };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
const list = (value: unknown): string[] =>
  Array.isArray(value) ? value.map((item) => text((item as Row)?.name ?? item)).filter(Boolean) : [];
