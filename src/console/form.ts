import { timingSafeEqual } from 'node:crypto';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import express, { type Response as ExpressResponse, type Request, type RequestHandler } from 'express';
import type * as z from 'zod';
import { type ErrorCode, ServiceError } from '../contract/errors.ts';
import { passing } from '../service/middleware/request-group.ts';

export type FormKind = 'open' | 'signed' | 'upload';

const OPEN_BYTES_MAX = 16 * 1024;
const SIGNED_BYTES_MAX = 512 * 1024;
const FILE_BYTES_MAX = 20 * 1024 * 1024;
/** Browsers encode each line break of resubmitted rows as two bytes. */
const UPLOAD_BYTES_MAX = 2 * FILE_BYTES_MAX + SIGNED_BYTES_MAX;
const FIELDS_MAX = 1_000;

export interface Form {
  readonly values: Readonly<Record<string, string>>;
  /** Its bytes in blocks of shared memory, which another thread reads without a copy. */
  readonly file: readonly Uint8Array[] | undefined;
}

export const NO_FORM: Form = { values: {}, file: undefined };

const urlencoded = (limit: number): RequestHandler =>
  express.urlencoded({ limit, extended: false, parameterLimit: FIELDS_MAX, inflate: false });
const readOpen = urlencoded(OPEN_BYTES_MAX);
const readSigned = urlencoded(SIGNED_BYTES_MAX);

/** Parses the form of a request. Size and number of fields are bounded before parsing. */
export async function receiveForm(kind: FormKind, request: Request, response: ExpressResponse): Promise<Form> {
  if (kind === 'upload' && request.is('multipart/form-data')) return receiveMultipart(request);
  await passing(kind === 'open' ? readOpen : readSigned, request, response);
  const fields = request.body as Readonly<Record<string, string | string[]>> | undefined;
  if (fields === undefined) throw new ServiceError('unsupported_media_type', 'Send the form as a browser does.');
  const values: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(fields)) values[name] = String(value);
  return { values, file: undefined };
}

/** False if Sec-Fetch-Site shows that another site sent the form; browsers without the header pass. */
export function isSentFromHere(request: Request): boolean {
  const site = request.get('sec-fetch-site');
  return site === undefined || site === 'same-origin' || site === 'none';
}

/** Validates the CSRF token. */
export function hasToken(form: Form, token: string): boolean {
  const given = Buffer.from(form.values['form_token'] ?? '');
  const wanted = Buffer.from(token);
  return wanted.length > 0 && given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** Error messages by field. */
export type Faults = Readonly<Record<string, string>>;

/** Refuses a form for what is wrong with some of its fields. */
export function refusedForm(faults: Faults): ServiceError {
  const errors = Object.entries(faults).map(([field, message]) => ({ location: `form.${field}`, message }));
  return new ServiceError('invalid_parameter', 'The form has faults.', { errors });
}

/** Parses form values with a schema. Throws the first fault of each field. */
export function readForm<Schema extends z.ZodType>(schema: Schema, { values }: Form): z.output<Schema> {
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  const faults: Record<string, string> = {};
  for (const { path, message } of parsed.error.issues) faults[String(path[0] ?? '')] ??= message;
  throw refusedForm(faults);
}

const OF_FIELDS: readonly ErrorCode[] = ['invalid_parameter', 'missing_parameter'];

/** Converts a store error to errors by field; rethrows other errors. */
export function faultsOf(error: unknown): Faults {
  if (!(error instanceof ServiceError) || !OF_FIELDS.includes(error.code)) throw error;
  const found = error.errors.map(({ location, message }) => [location.replace(/^\w+\./, ''), message] as const);
  if (found.length > 0) return Object.fromEntries(found);
  const [, field, message] = /^(\w+): (.*)$/s.exec(error.message) ?? [];
  return field === undefined ? { '': error.message } : { [field]: message ?? '' };
}

/** Name of the text area for pasted rows, streamed like a file. */
const PASTED = 'text';

/** Parses a multipart form as a stream. A file takes precedence over pasted text. Throws for a large, compressed or malformed form. */
function receiveMultipart(request: Request): Promise<Form> {
  const { 'content-length': length, 'content-encoding': encoding } = request.headers;
  if (Number(length ?? 0) > UPLOAD_BYTES_MAX) throw tooLarge();
  if (encoding !== undefined) throw new ServiceError('unsupported_media_type', 'Send the form without compressing it.');
  return readParts(request);
}

function readParts(request: Request): Promise<Form> {
  const reader = newReader(request);
  const values: Record<string, string> = Object.create(null);
  const files = new Map<string, readonly Uint8Array[]>();
  return new Promise((resolve, reject) => {
    const refuse = (error: ServiceError): void => {
      request.unpipe(reader);
      // Drain the rest, so that the client reads the response.
      request.resume();
      reject(error);
    };
    let bytes = 0;
    request.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > UPLOAD_BYTES_MAX) refuse(tooLarge());
    });
    request.once('close', () => {
      if (!request.complete) reject(malformed());
    });
    reader.on('field', (name, value) => {
      values[name] = name in values ? `${values[name]},${value}` : value;
    });
    reader.on('file', (part, stream) => {
      const { add, blocks } = collectBlocks();
      stream.on('data', add);
      stream.once('end', () => {
        if (blocks().length > 0) files.set(part, blocks());
      });
    });
    for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const)
      reader.once(limit, () => refuse(malformed()));
    reader.once('error', (cause: unknown) => refuse(malformed(cause)));
    reader.once('finish', () => {
      const pasted = files.get(PASTED);
      files.delete(PASTED);
      const [chosen] = files.values();
      if (chosen !== undefined && chosen.reduce((sum, { length }) => sum + length, 0) > FILE_BYTES_MAX)
        return reject(tooLarge());
      resolve({ values, file: chosen ?? pasted });
    });
    request.pipe(reader);
  });
}

const BLOCK_BYTES = 1 << 16;

/** Copies each piece as it arrives: to join 20 MB takes a tenth of a second, for which everybody would wait. */
function collectBlocks() {
  const blocks: Uint8Array[] = [];
  let used = BLOCK_BYTES;
  return {
    add: (piece: Buffer): void => {
      for (let start = 0; start < piece.length; ) {
        if (used === BLOCK_BYTES) {
          blocks.push(new Uint8Array(new SharedArrayBuffer(BLOCK_BYTES)));
          used = 0;
        }
        const copied = piece.subarray(start, start + BLOCK_BYTES - used);
        blocks.at(-1)?.set(copied, used);
        used += copied.length;
        start += copied.length;
      }
    },
    blocks: () => blocks.map((block, index) => (index === blocks.length - 1 ? block.subarray(0, used) : block)),
  };
}

/** One file, and one text treated as a file. */
const FILES_MAX = 2;

function newReader({ headers }: Request): BusboyInstance {
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      limits: {
        fields: FIELDS_MAX,
        parts: FIELDS_MAX,
        files: FILES_MAX,
        fieldSize: UPLOAD_BYTES_MAX,
        fileSize: UPLOAD_BYTES_MAX,
      },
      isPartAFile: (field, _type, file) => file !== undefined || field === PASTED,
    });
  } catch (cause) {
    throw malformed(cause);
  }
}

const tooLarge = (): ServiceError => new ServiceError('payload_too_large', 'The form is larger than is accepted.');
const malformed = (cause?: unknown): ServiceError =>
  new ServiceError('malformed_request', 'The form could not be read.', { cause });
