import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  acceptedContent,
  type CallToolResult,
  createRequestStateCodec,
  fromJsonSchema,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  ResourceTemplate,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import * as z from 'zod';

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=';
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
const text = (s: string): CallToolResult => ({ content: [{ type: 'text', text: s }] });
type Multi = Promise<CallToolResult | InputRequiredResult>;

const codec = createRequestStateCodec<{ step: number }>({ key: randomBytes(32), ttlSeconds: 300 });
/** What the fixtures need of a server besides what ours declares. */
export const fixtureServerOptions: ServerOptions = {
  capabilities: {
    logging: {},
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
  },
  requestState: { verify: codec.verify },
};

/** Adds the tools, resources and prompts that the official suite looks for by name. */
export function addFixtures(s: McpServer, notify: { tools(): void; prompts(): void }): McpServer {
  const image = { type: 'image' as const, data: png, mimeType: 'image/png' };
  s.registerTool('test_simple_text', { description: 'text' }, async () =>
    text('This is a simple text response for testing.'),
  );
  s.registerTool('test_image_content', { description: 'image' }, async () => ({ content: [image] }));
  s.registerTool('test_audio_content', { description: 'audio' }, async () => ({
    content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }],
  }));
  s.registerTool('test_embedded_resource', { description: 'resource' }, async () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }));
  s.registerTool('test_multiple_content_types', { description: 'mixed' }, async () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  }));
  s.registerTool('test_error_handling', { description: 'error' }, async () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  s.registerTool('test_tool_with_logging', { description: 'logs' }, async (ctx) => {
    await ctx.mcpReq.log('info', 'Tool execution started');
    await sleep(50);
    await ctx.mcpReq.log('info', 'Tool processing data');
    await sleep(50);
    await ctx.mcpReq.log('info', 'Tool execution completed');
    return text('done');
  });
  s.registerTool('test_logging_tool', { description: 'logs' }, async (ctx) => {
    await ctx.mcpReq.log('info', 'only when asked');
    return text('done');
  });
  s.registerTool('test_tool_with_progress', { description: 'progress' }, async (ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
      await sleep(50);
    }
    return text('done');
  });
  s.registerTool(
    'test_sampling',
    { description: 'sampling', inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, ctx): Multi => {
      const got = inputResponse(ctx.mcpReq.inputResponses, 'answer');
      if (got.kind !== 'sampling') {
        return inputRequired({
          inputRequests: {
            answer: inputRequired.createMessage({
              messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
              maxTokens: 100,
            }),
          },
        });
      }
      return text(`LLM response: ${JSON.stringify(got.result.content)}`);
    },
  );
  const elicits = (
    name: string,
    requestedSchema: Parameters<typeof inputRequired.elicit>[0]['requestedSchema'],
  ): void => {
    s.registerTool(
      name,
      { description: 'elicits', inputSchema: z.object({ message: z.string().optional() }) },
      async ({ message }, ctx): Multi => {
        const got = inputResponse(ctx.mcpReq.inputResponses, 'answer');
        if (got.kind !== 'elicit')
          return inputRequired({
            inputRequests: { answer: inputRequired.elicit({ message: message ?? 'Please answer', requestedSchema }) },
          });
        return text(`Elicitation completed: action=${got.action}, content=${JSON.stringify(got.content ?? {})}`);
      },
    );
  };
  elicits('test_elicitation', {
    type: 'object',
    properties: { username: { type: 'string' }, email: { type: 'string' } },
    required: ['username', 'email'],
  });
  elicits('test_streaming_elicitation', { type: 'object', properties: { ok: { type: 'boolean' } } });
  elicits('test_elicitation_sep1034_defaults', {
    type: 'object',
    properties: {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    },
  });
  const titled = ['value1', 'value2', 'value3'].map((v) => ({ const: v, title: v.toUpperCase() }));
  elicits('test_elicitation_sep1330_enums', {
    type: 'object',
    properties: {
      untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
      titledSingle: { type: 'string', oneOf: titled },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
      titledMulti: { type: 'array', items: { anyOf: titled } },
    },
  });
  s.registerTool('test_missing_capability', { description: 'needs sampling' }, async (ctx) =>
    ask(ctx, 'x', 'sampling'),
  );

  // multi-round-trip tools
  const str = (k: string) => ({
    type: 'object' as const,
    properties: { [k]: { type: 'string' as const } },
    required: [k],
  });
  const ask = (ctx: ServerContext, key: string, kind: 'sampling' | 'roots'): InputRequiredResult | CallToolResult => {
    const got = inputResponse(ctx.mcpReq.inputResponses, key);
    if (got.kind === kind) return text(JSON.stringify(got));
    return inputRequired({
      inputRequests: {
        [key]:
          kind === 'roots'
            ? inputRequired.listRoots()
            : inputRequired.createMessage({
                messages: [{ role: 'user', content: { type: 'text', text: 'What is the capital of France?' } }],
                maxTokens: 100,
              }),
      },
    });
  };
  s.registerTool('test_input_required_result_elicitation', { description: 'mrtr' }, async (ctx): Multi => {
    const a = acceptedContent(ctx.mcpReq.inputResponses, 'user_name', z.object({ name: z.string() }));
    return a
      ? text(`Hello, ${a.name}!`)
      : inputRequired({
          inputRequests: {
            user_name: inputRequired.elicit({ message: 'What is your name?', requestedSchema: str('name') }),
          },
        });
  });
  s.registerTool('test_input_required_result_sampling', { description: 'mrtr' }, async (ctx) =>
    ask(ctx, 'capital_question', 'sampling'),
  );
  s.registerTool('test_input_required_result_capabilities', { description: 'mrtr' }, async (ctx) =>
    ask(ctx, 'q', 'sampling'),
  );
  s.registerTool('test_input_required_result_list_roots', { description: 'mrtr' }, async (ctx) =>
    ask(ctx, 'client_roots', 'roots'),
  );
  for (const name of ['test_input_required_result_request_state', 'test_input_required_result_tampered_state']) {
    s.registerTool(name, { description: 'mrtr' }, async (ctx): Multi => {
      const a = acceptedContent(ctx.mcpReq.inputResponses, 'confirm', z.object({ ok: z.boolean() }));
      if (a && ctx.mcpReq.requestState<{ step: number }>()?.step === 1) return text('state-ok');
      return inputRequired({
        inputRequests: {
          confirm: inputRequired.elicit({
            message: 'Please confirm',
            requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
          }),
        },
        requestState: await codec.mint({ step: 1 }),
      });
    });
  }
  s.registerTool('test_input_required_result_multiple_inputs', { description: 'mrtr' }, async (ctx): Multi => {
    const r = ctx.mcpReq.inputResponses;
    if (
      acceptedContent(r, 'user_name') &&
      inputResponse(r, 'greeting').kind === 'sampling' &&
      inputResponse(r, 'client_roots').kind === 'roots'
    )
      return text('all there');
    return inputRequired({
      inputRequests: {
        user_name: inputRequired.elicit({ message: 'What is your name?', requestedSchema: str('name') }),
        greeting: inputRequired.createMessage({
          messages: [{ role: 'user', content: { type: 'text', text: 'Generate a greeting' } }],
          maxTokens: 50,
        }),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await codec.mint({ step: 1 }),
    });
  });
  s.registerTool('test_input_required_result_multi_round', { description: 'mrtr' }, async (ctx): Multi => {
    const step = ctx.mcpReq.requestState<{ step: number }>()?.step ?? 0;
    if (step === 2 && acceptedContent(ctx.mcpReq.inputResponses, 'step2')) return text('finished');
    const key = step === 1 && acceptedContent(ctx.mcpReq.inputResponses, 'step1') ? 'step2' : 'step1';
    return inputRequired({
      inputRequests: {
        [key]: inputRequired.elicit({ message: key, requestedSchema: str(key === 'step1' ? 'name' : 'color') }),
      },
      requestState: await codec.mint({ step: key === 'step1' ? 1 : 2 }),
    });
  });
  s.registerTool('test_trigger_tool_change', { description: 'publishes tools/list_changed' }, async () => {
    notify.tools();
    return text('ok');
  });
  s.registerTool('test_trigger_prompt_change', { description: 'publishes prompts/list_changed' }, async () => {
    notify.prompts();
    return text('ok');
  });
  s.registerTool(
    'test_x_mcp_header',
    {
      description: 'mirrors an argument into a header',
      inputSchema: z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }) }),
    },
    async () => text('ok'),
  );
  s.registerTool(
    'json_schema_2020_12_tool',
    {
      description: 'wide JSON Schema',
      inputSchema: fromJsonSchema({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        $defs: {
          address: {
            $anchor: 'addressDef',
            type: 'object',
            properties: { street: { type: 'string' }, city: { type: 'string' } },
          },
        },
        properties: {
          name: { type: 'string' },
          address: { $ref: '#/$defs/address' },
          contactMethod: { type: 'string', enum: ['phone', 'email'] },
          phone: { type: 'string' },
          email: { type: 'string' },
        },
        allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
        if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { required: ['phone'] },
        else: { required: ['email'] },
        additionalProperties: false,
      }),
    },
    async () => text('ok'),
  );

  // resources
  s.registerResource(
    'static-text',
    'test://static-text',
    { description: 'text', mimeType: 'text/plain' },
    async (uri) => ({
      contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
    }),
  );
  s.registerResource(
    'static-binary',
    'test://static-binary',
    { description: 'png', mimeType: 'image/png' },
    async (uri) => ({ contents: [{ uri: uri.href, mimeType: 'image/png', blob: png }] }),
  );
  s.registerResource(
    'watched',
    'test://watched-resource',
    { description: 'watched', mimeType: 'text/plain' },
    async (uri) => ({ contents: [{ uri: uri.href, text: 'w' }] }),
  );
  s.registerResource(
    'tpl',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'template', mimeType: 'application/json' },
    async (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  );
  s.server.setRequestHandler('resources/subscribe', () => ({}));
  s.server.setRequestHandler('resources/unsubscribe', () => ({}));

  s.server.setRequestHandler('completion/complete', ({ params }) => ({
    completion: {
      values: ['paris', 'park', 'party'].filter((value) => value.startsWith(params.argument.value)),
      hasMore: false,
    },
  }));

  // prompts
  const user = (t: string) => ({ role: 'user' as const, content: { type: 'text' as const, text: t } });
  s.registerPrompt('test_simple_prompt', { description: 'p' }, () => ({
    messages: [user('This is a simple prompt for testing.')],
  }));
  s.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'p', argsSchema: z.object({ arg1: z.string(), arg2: z.string() }) },
    ({ arg1, arg2 }) => ({
      messages: [user(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
    }),
  );
  s.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'p', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
          },
        },
        user('Please process the embedded resource above.'),
      ],
    }),
  );
  s.registerPrompt('test_prompt_with_image', { description: 'p' }, () => ({
    messages: [{ role: 'user', content: image }, user('Please analyze the image above.')],
  }));
  s.registerPrompt('test_input_required_result_prompt', { description: 'p' }, async (ctx) => {
    const a = acceptedContent(ctx.mcpReq.inputResponses, 'user_context', z.object({ context: z.string() }));
    if (a) return { messages: [user(a.context)] };
    return inputRequired({
      inputRequests: {
        user_context: inputRequired.elicit({
          message: 'What context should the prompt use?',
          requestedSchema: str('context'),
        }),
      },
    });
  });
  return s;
}
