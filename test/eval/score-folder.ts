import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { connectTo } from '../support/mcp-server.ts';
import { startService } from '../support/service.ts';

/** A sentence as it is typed into a search, with the names of records that answer it; none where nothing does. */
interface Sentence {
  readonly id: string;
  readonly q: string;
  readonly type: string;
  readonly want: readonly string[];
}

/** A question of an analyst; `expected` has the slugs that answer it, at any depth. */
interface AnalystQuestion {
  readonly id: string;
  readonly question: string;
  readonly expected: unknown;
}

const SHIPPED = join(import.meta.dirname, '..', '..', 'dist', 'shipped.db');
const FIRST = 5;
/** Roughly, for text and JSON in English. */
const CHARACTERS_PER_TOKEN = 4;
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/**
 * Scores the sentences (`sentences-dev.jsonl`) and the questions (`agent-questions-dev.jsonl`) of a folder over the shipped data,
 * through the search tool: whether a wanted record is among the first five, and what the answer costs in calls and tokens.
 */
export async function scoreFolder(folder: string): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'web3-bi-eval-'));
  const path = join(place, 'eval.db');
  copyFileSync(SHIPPED, path);
  const service = await startService([], { database: `sqlite:${path}` });
  const mcp = await connectTo(service);
  const ask = async (query: string, type: string): Promise<Answer> => {
    const result = (await mcp.callTool({ name: 'search', arguments: { query, type, limit: 10 } })) as CallToolResult;
    const text = result.content.map((part) => ('text' in part ? part.text : '')).join('\n');
    const { results = [] } = (result.structuredContent ?? {}) as { results?: Answer['results'] };
    return { results, tokens: Math.ceil(text.length / CHARACTERS_PER_TOKEN) };
  };
  try {
    await scoreSentences(readLines<Sentence>(join(folder, 'sentences-dev.jsonl')), ask);
    await scoreQuestions(readLines<AnalystQuestion>(join(folder, 'agent-questions-dev.jsonl')), ask);
  } finally {
    await mcp.close();
    await service.close();
    rmSync(place, { recursive: true });
  }
}

interface Answer {
  readonly results: readonly { readonly name: string; readonly slug: string }[];
  readonly tokens: number;
}

type Ask = (query: string, type: string) => Promise<Answer>;

async function scoreSentences(sentences: readonly Sentence[], ask: Ask): Promise<void> {
  const rows: Record<string, string | number>[] = [];
  for (const { id, q, type, want } of sentences) {
    const { results, tokens } = await ask(q, type);
    const position = results.slice(0, FIRST).findIndex(({ name }) => want.includes(name)) + 1;
    rows.push({ id, position: want.length === 0 ? 'none wanted' : position || '-', calls: 1, tokens, sentence: q });
  }
  console.table(rows);
  const answerable = rows.filter(({ position }) => position !== 'none wanted');
  const found = answerable.filter(({ position }) => position !== '-');
  console.log(`sentences: ${found.length} of ${answerable.length} in the first ${FIRST}`);
}

async function scoreQuestions(questions: readonly AnalystQuestion[], ask: Ask): Promise<void> {
  const rows: Record<string, string | number>[] = [];
  for (const { id, question, expected } of questions) {
    const { results, tokens } = await ask(question, 'all');
    const slugs = new Set(slugsIn(expected));
    const right = results.filter(({ slug }) => slugs.has(slug)).length;
    rows.push({ id, right: slugs.size === 0 ? 'no record' : right, calls: 1, tokens, question });
  }
  console.table(rows);
  const byRecord = rows.filter(({ right }) => right !== 'no record');
  console.log(
    `questions: a search alone names an expected record for ${byRecord.filter(({ right }) => right !== 0).length} of ${byRecord.length}`,
  );
}

/** What may be a slug in a value of any form. */
function slugsIn(value: unknown): string[] {
  if (typeof value === 'string') return SLUG.test(value) ? [value] : [];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(slugsIn);
}

function readLines<Line>(path: string): Line[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
}
