import { publishedSchema } from '../../src/mcp/register-tools.ts';
import { tools } from '../../src/mcp/tools/index.ts';
import { type Question, questions } from './questions.ts';

const TOKENS_MAX = 1_024;
const BASE_URL = process.env['ANTHROPIC_BASE_URL'] ?? 'https://api.anthropic.com';

interface Chosen {
  readonly name: string;
  readonly input: Record<string, unknown>;
}

const offered = tools.map((tool) => ({
  name: tool.name,
  description: tool.description,
  input_schema: publishedSchema(tool.input, 'input'),
}));

async function choose(model: string, key: string, ask: string): Promise<Chosen | undefined> {
  const response = await fetch(`${BASE_URL}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key, 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ model, max_tokens: TOKENS_MAX, tools: offered, messages: [{ role: 'user', content: ask }] }),
  });
  if (!response.ok) throw new Error(`The model answered with ${response.status}`);
  const { content } = (await response.json()) as { content: (Chosen & { type: string })[] };
  return content.find(({ type }) => type === 'tool_use');
}

/** Whether a call has what the question needs; texts are compared without case. */
function hasArguments({ args }: Question, input: Record<string, unknown>): boolean {
  const plain = (value: unknown): string => JSON.stringify(value ?? null).toLowerCase();
  return Object.entries(args).every(([name, value]) => plain(input[name]) === plain(value));
}

/**
 * Asks a model every question and reports which tool it would call. The model is reached through the Messages API, with the key in
 * ANTHROPIC_API_KEY; ANTHROPIC_BASE_URL names another address that speaks it.
 */
export async function askModel(model: string): Promise<void> {
  const key = process.env['ANTHROPIC_API_KEY'] ?? '';
  if (key === '') throw new Error('Set ANTHROPIC_API_KEY to ask a model');
  let rightTool = 0;
  let rightArguments = 0;
  for (const question of questions) {
    const chosen = await choose(model, key, question.ask);
    const isTool = chosen?.name === question.tool;
    const isWhole = isTool && hasArguments(question, chosen.input);
    rightTool += Number(isTool);
    rightArguments += Number(isWhole);
    if (!isWhole) console.log(`${isTool ? 'arguments' : 'TOOL'}: ${question.ask}\n  ${JSON.stringify(chosen ?? null)}`);
  }
  console.log(`tool right ${rightTool} of ${questions.length}, arguments too ${rightArguments}`);
}
