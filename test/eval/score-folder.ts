import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { connectTo } from '../support/mcp-server.ts';
import { startService } from '../support/service.ts';
import { CALLS, type Call } from './calls.ts';

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
const WORD = /[a-z0-9]+(?:-[a-z0-9]+)*/g;

/**
 * Scores the sentences (`sentences-dev.jsonl`) and the questions (`agent-questions-dev.jsonl`) of a folder over the shipped data,
 * through the tools: whether a wanted record is among the first five, and what the answer costs in calls and tokens. Questions are
 * asked by the calls of `calls.ts`, and by a search of their own words where that has none.
 */
export async function scoreFolder(folder: string): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'web3-bi-eval-'));
  const path = join(place, 'eval.db');
  copyFileSync(SHIPPED, path);
  const service = await startService([], { database: `sqlite:${path}` });
  const mcp = await connectTo(service);
  const call: AnswerCall = async (params) => {
    const result = (await mcp.callTool({ ...params })) as CallToolResult;
    const text = result.content.map((part) => ('text' in part ? part.text : '')).join('\n');
    const { results = [] } = (result.structuredContent ?? {}) as { results?: Answer['results'] };
    return { results, text, tokens: Math.ceil(text.length / CHARACTERS_PER_TOKEN) };
  };
  try {
    await scoreSentences(readLines<Sentence>(join(folder, 'sentences-dev.jsonl')), call);
    await scoreQuestions(readLines<AnalystQuestion>(join(folder, 'agent-questions-dev.jsonl')), call);
  } finally {
    await mcp.close();
    await service.close();
    rmSync(place, { recursive: true });
  }
}

interface Answer {
  readonly results: readonly { readonly name: string; readonly slug: string }[];
  readonly text: string;
  readonly tokens: number;
}

type AnswerCall = (params: Call) => Promise<Answer>;

const searching = (query: string, type: string): Call => ({
  name: 'search',
  arguments: { query, type, limit: 10 },
});

async function scoreSentences(sentences: readonly Sentence[], call: AnswerCall): Promise<void> {
  const rows: Record<string, string | number>[] = [];
  for (const { id, q, type, want } of sentences) {
    const { results, tokens } = await call(searching(q, type));
    const position = results.slice(0, FIRST).findIndex(({ name }) => want.includes(name)) + 1;
    rows.push({ id, position: want.length === 0 ? 'none wanted' : position || '-', calls: 1, tokens, sentence: q });
  }
  console.table(rows);
  const answerable = rows.filter(({ position }) => position !== 'none wanted');
  const found = answerable.filter(({ position }) => position !== '-');
  console.log(`sentences: ${found.length} of ${answerable.length} in the first ${FIRST}`);
}

async function scoreQuestions(questions: readonly AnalystQuestion[], call: AnswerCall): Promise<void> {
  const rows: Record<string, string | number>[] = [];
  for (const { id, question, expected } of questions) {
    const calls = CALLS[id] ?? [searching(question, 'all')];
    const answers: Answer[] = [];
    for (const each of calls) answers.push(await call(each));
    const words = new Set(answers.flatMap(({ text }) => text.match(WORD) ?? []));
    const slugs = [...new Set(slugsIn(expected))];
    const right =
      slugs.length === 0 ? 'no record' : `${slugs.filter((slug) => words.has(slug)).length}/${slugs.length}`;
    const tokens = answers.reduce((sum, answer) => sum + answer.tokens, 0);
    rows.push({ id, right, calls: calls.length, tokens, question });
  }
  console.table(rows);
  const sumOf = (name: string): number => rows.reduce((sum, row) => sum + Number(row[name]), 0);
  console.log(`questions: ${rows.length}, calls: ${sumOf('calls')}, tokens: ${sumOf('tokens')}`);
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
