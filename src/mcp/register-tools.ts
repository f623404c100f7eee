import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  ServerContext,
  StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { ERROR_META } from '../contract/mcp.ts';
import { foldName } from '../contract/names.ts';
import { createLenientReader } from '../contract/reader.ts';
import { NO_COVERAGE_GAPS } from '../contract/vocabulary-response.ts';
import { appOf } from './apps.ts';
import { askConsent, ConsentNeeded, consentOf } from './consent.ts';
import { depsOf, type Properties, type Tool, type ToolContext } from './define-tool.ts';
import { accessNeeded, type ToolError, toToolError } from './errors.ts';
import { PaymentNeeded, paymentResult } from './payment-results.ts';
import type { CallDeps, ServerDeps } from './server.ts';

/** Registers the tools that are offered for the server's access kind. */
export function registerTools(server: McpServer, deps: ServerDeps, tools: readonly Tool[]): void {
  const offered = tools.filter(({ access }) => access?.includes(deps.access) !== false);
  const fingerprints = () => fingerprintsOf(offered.map((tool) => definitionOf(tool, deps)));
  for (const tool of offered) {
    const { read, output, ...config } = registrationOf(tool);
    const inputSchema = schemaForListing(() => inputOf(tool, deps));
    const outputSchema = schemaForListing(() => output);
    server.registerTool(
      tool.name,
      { ...config, ...appOf(tool.name, deps.apps), inputSchema, outputSchema },
      async (args, context) => {
        const consent = consentOf(server, context);
        const toolContext = { ...depsOf(deps, context), consent, context, fingerprints };
        return call(tool, () => read(args as Record<string, unknown>), toolContext);
      },
    );
  }
}

function definitionOf(tool: Tool, deps: ServerDeps): Definition {
  const { read: _read, input: _input, output: outputSchema, ...config } = registrationOf(tool);
  return { name: tool.name, ...config, ...appOf(tool.name, deps.apps), inputSchema: inputOf(tool, deps), outputSchema };
}

function inputOf(tool: Tool, { coverageGaps = () => NO_COVERAGE_GAPS }: ServerDeps): Record<string, unknown> {
  const { input } = registrationOf(tool);
  const properties = input['properties'] as Properties;
  return tool.narrow === undefined ? input : { ...input, properties: tool.narrow(properties, coverageGaps()) };
}

const registrations = new Map<Tool, ReturnType<typeof register>>();

/** The SDK registration of a tool. Cached, because creating schemas per call costs milliseconds. */
function registrationOf(tool: Tool): ReturnType<typeof register> {
  const made = registrations.get(tool) ?? register(tool);
  registrations.set(tool, made);
  return made;
}

const register = (tool: Tool) => ({
  read: createLenientReader(tool.input),
  title: tool.title,
  description: tool.description,
  input: publishedSchema(tool.published ?? tool.input, 'input'),
  output: publishedSchema(tool.output, 'output'),
  annotations: tool.hints,
});

async function call(
  tool: Tool,
  read: () => unknown,
  deps: CallDeps & ToolContext & { readonly context: ServerContext },
): Promise<CallToolResult | InputRequiredResult> {
  if (deps.access === 'none' && !tool.isPublic) return refusal(accessNeeded(deps.transport ?? 'stdio'));
  try {
    // The tool's schema parsed the arguments; the list of tools has erased their type.
    const structuredContent = await tool.run(read() as never, deps);
    const content = [{ type: 'text' as const, text: tool.text(structuredContent) }];
    const result = { content, structuredContent, ...(tool.meta && { _meta: tool.meta(structuredContent) }) };
    deps.answered?.();
    return result;
  } catch (thrown) {
    if (thrown instanceof PaymentNeeded) return paymentResult(tool.name, thrown.required, deps.context);
    if (thrown instanceof ConsentNeeded) return askConsent(thrown);
    return refusal(toToolError(thrown, deps));
  }
}

/** The code is in `_meta`, because structured content would have to match the output schema. */
const refusal = ({ text, ...error }: ToolError): CallToolResult => ({
  content: [{ type: 'text', text }],
  isError: true,
  _meta: { [ERROR_META]: error },
});

interface Definition {
  readonly name: string;
  readonly [part: string]: unknown;
}

/** The SHA-256 in hexadecimal of the JSON of each tool definition with sorted keys and no spaces, so that hosts can detect changes. */
async function fingerprintsOf(definitions: readonly Definition[]): Promise<Record<string, string>> {
  const hashed = definitions.map(async (definition) => {
    const bytes = Buffer.from(JSON.stringify(ordered(definition)));
    // Not of node:crypto, which would cost each start milliseconds.
    const hash = await crypto.subtle.digest('SHA-256', bytes);
    return [definition.name, Buffer.from(hash).toString('hex')] as const;
  });
  return Object.fromEntries(await Promise.all(hashed));
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, ordered(each)] as const);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** A schema for the SDK that publishes the JSON Schema of each list request and accepts every value: our own reader parses arguments. */
export function schemaForListing(give: () => Record<string, unknown>): StandardSchemaWithJSON<unknown, unknown> {
  return {
    '~standard': {
      version: 1,
      vendor: 'web3-bi',
      validate: (value) => ({ value }),
      jsonSchema: { input: give, output: give },
    },
  };
}

/** Longer enumerations are published by example, or in words; an invalid value is answered with all allowed ones. */
const ENUM_MAX = 9;
const EXAMPLES = 2;

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The JSON Schema of tools/list: only what helps a model to make a call or read a result, because every character costs tokens. */
export function publishedSchema(schema: z.ZodObject, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...published } = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => slim(jsonSchema) });
  return (io === 'input' ? listedInput(published) : listedOutput(published)) as Record<string, unknown>;
}

const BOUNDS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum', 'exclusiveMinimum', 'pattern'];

function slim(schema: JsonSchema): void {
  for (const bound of BOUNDS) delete schema[bound];
  if (schema.default === '' || (Array.isArray(schema.default) && schema.default.length === 0)) delete schema.default;
  if (schema.enum === undefined || schema.enum.length <= ENUM_MAX) return;
  schema.examples = schema.enum.slice(0, EXAMPLES) as never;
  delete schema.enum;
}

/** Items inherit the description of their array; descriptions that repeat the name, and examples in them, are dropped. */
function listedInput(schema: JsonSchema): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const { items, description = '', ...rest } = property as JsonSchema & { items?: JsonSchema };
    const described = ['', foldName(name)].includes(foldName(description)) ? {} : { description };
    if (rest.examples?.every((example) => description.includes(String(example).replace('-', '')))) delete rest.examples;
    if (items === undefined) return [name, { ...described, ...rest }];
    const { examples: _, ...item } = items as Readonly<Record<string, unknown>>;
    return [name, { ...described, ...rest, items: item.type === 'object' ? { type: 'object' } : item }];
  });
  const { additionalProperties: more, ...listed } = schema;
  return {
    ...listed,
    ...(more === false && { additionalProperties: false }),
    properties: Object.fromEntries(properties),
  };
}

/** The fields that every result has, with those of its lists; omitted ones may be added compatibly. */
function listedOutput({ properties = {}, required = [] }: JsonSchema): JsonSchema {
  const present = Object.entries(properties).filter(([name]) => required.includes(name));
  return { type: 'object', properties: fieldsOf(Object.fromEntries(present)) };
}

function fieldsOf(properties: Readonly<Record<string, unknown>>): Record<string, JsonSchema> {
  const fields = Object.entries(properties).map(([name, given]) => {
    const inner = (given as { items?: JsonSchema }).items?.properties;
    const items =
      Object.keys(inner ?? {}).length === 0 ? {} : { items: { type: 'object', properties: typesOf(inner ?? {}) } };
    return [name, { ...typeOf(given as JsonSchema), ...items }];
  });
  return Object.fromEntries(fields) as Record<string, JsonSchema>;
}

const typesOf = (properties: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(properties).map(([name, given]) => [name, typeOf(given as JsonSchema)]));

const typeOf = ({ type, anyOf }: JsonSchema) => ({ type: anyOf?.map((part) => (part as JsonSchema).type) ?? type });
