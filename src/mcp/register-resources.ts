import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { notSold } from '../client/wallet/errors.ts';
import { isRecordType, RECORD_TYPES, type RecordData, type RecordType } from '../contract/entities/index.ts';
import { ERRORS, ServiceError } from '../contract/errors.ts';
import { VOCABULARY, type Vocabulary } from '../contract/vocabulary-response.ts';
import { depsOf, readsFreely } from './define-tool.ts';
import { accessNeeded, type ToolError, toToolError } from './errors.ts';
import { ANSWER_CHARACTERS_MAX, shorten } from './result-size.ts';
import { DATA_NOTICE, sanitize } from './sanitize.ts';
import type { CallDeps, ServerDeps } from './server.ts';
import { showRecord } from './shown-record.ts';

export const RECORD_URI = 'web3-bi://{type}/{slug}';
export const RECORD_MIME_TYPE = 'application/json';
export const uriOf = ({ type, slug }: RecordData): string => `web3-bi://${type}/${slug}`;

const config = {
  title: 'Record',
  description: `One record with all its fields, as JSON; type is one of ${RECORD_TYPES.join(', ')}. ${DATA_NOTICE}`,
  mimeType: RECORD_MIME_TYPE,
};

/** Every record as a resource template. Too many to list; names are completed instead. */
export function registerResources(server: McpServer, deps: ServerDeps): void {
  // Listed resources must be readable.
  if (readsFreely(deps.access)) registerVocabulary(server, deps);
  const template = new ResourceTemplate(RECORD_URI, { list: undefined });
  server.registerResource('record', template, config, async (uri, { type, slug }, context) => {
    if (!isRecordType(type) || typeof slug !== 'string') throw new ResourceNotFoundError(uri.href);
    if (deps.access === 'none') throw toProtocolError(accessNeeded(deps.transport ?? 'stdio'));
    if (!readsFreely(deps.access))
      throw toProtocolError(toToolError(notSold('records as resources', RESOURCE_ADVICE), deps));
    const text = await readRecord(depsOf(deps, context), { type, slug, uri });
    return { contents: [{ uri: uri.href, mimeType: RECORD_MIME_TYPE, text }] };
  });
}

/** Filter values; the rarest are omitted if they do not fit. */
function registerVocabulary(server: McpServer, deps: ServerDeps): void {
  server.registerResource('vocabulary', VOCABULARY_URI, VOCABULARY_CONFIG, async (uri, context) => {
    const { client, log, signal } = depsOf(deps, context);
    try {
      const found = sanitize(await client.vocabulary({ signal }));
      const text = JSON.stringify(fitVocabulary(found));
      return { contents: [{ uri: uri.href, mimeType: RECORD_MIME_TYPE, text }] };
    } catch (thrown) {
      throw toProtocolError(toToolError(thrown, { log, signal }));
    }
  });
}

const VOCABULARY_URI = 'web3-bi://vocabulary';
const VOCABULARY_CONFIG = {
  title: 'Vocabulary',
  description: 'Filter values (tags, chains, countries, stages) with counts, and the coverage of each type.',
  mimeType: RECORD_MIME_TYPE,
};

function fitVocabulary(found: Vocabulary): Vocabulary {
  for (
    let max = found.tags.length;
    JSON.stringify(found).length > ANSWER_CHARACTERS_MAX && max > 1;
    max = Math.floor(max / 2)
  )
    for (const name of Object.keys(VOCABULARY) as (keyof typeof VOCABULARY)[]) found[name] = found[name].slice(0, max);
  return found;
}

async function readRecord(
  { client, log, signal }: CallDeps,
  { type, slug, uri }: { readonly type: RecordType; readonly slug: string; readonly uri: URL },
): Promise<string> {
  try {
    const record = (await client.get(type, decodedSlug(slug), { signal })) as RecordData;
    return recordText(showRecord(record, { detail: 'full' }), ANSWER_CHARACTERS_MAX);
  } catch (thrown) {
    if (thrown instanceof ServiceError && thrown.code === 'not_found') throw new ResourceNotFoundError(uri.href);
    throw toProtocolError(toToolError(thrown, { log, signal }));
  }
}

function decodedSlug(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch (cause) {
    throw new ServiceError('invalid_parameter', 'uri: its percent-encoding is not UTF-8', { cause });
  }
}

/** A record as the text of a resource, preceded by the notice, within a length. */
export const recordText = (record: RecordData, charactersMax: number): string =>
  JSON.stringify({ notice: DATA_NOTICE, record: shorten(record, charactersMax - NOTICE_CHARACTERS) });
const NOTICE_CHARACTERS = 500;

const RESOURCE_ADVICE =
  'Use the tool get_entity, which pays for a search, or ask the person for an API key (WEB3_BI_API_KEY).';

/** Converts an error outside tools to a protocol error with the same complete message. */
export const toProtocolError = ({ text, ...error }: ToolError): ProtocolError =>
  new ProtocolError(rpcCodeOf(ERRORS[error.code].status), text, error);

/** Statuses that concern the caller's credential, quota or payment rather than the requested resource. */
const OF_THE_CALLER: readonly number[] = [401, 402, 403, 429];

function rpcCodeOf(status: number): ProtocolErrorCode {
  if (status >= 500) return ProtocolErrorCode.InternalError;
  return OF_THE_CALLER.includes(status) ? ProtocolErrorCode.InvalidRequest : ProtocolErrorCode.InvalidParams;
}
