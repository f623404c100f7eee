import { timingSafeEqual } from 'node:crypto';
import express, { type Request, type RequestHandler } from 'express';
import type * as z from 'zod';
import { type ErrorCode, ServiceError } from '../../contract/errors.ts';

const FORM_BYTES_MAX = 512 * 1024;
const UPLOAD_BYTES_MAX = 20 * 1024 * 1024;

/** What a form said. */
export interface Form {
  readonly values: Readonly<Record<string, string>>;
  readonly file: { readonly name: string; readonly content: Buffer } | undefined;
}

export const NO_FORM: Form = { values: {}, file: undefined };

/** Reads the bytes of a form; they are taken apart when it is known that the form is ours to read. */
export const readFormBytes: RequestHandler = (request, response, next) => {
  const isUpload = request.is('multipart/form-data') !== false && request.is('multipart/form-data') !== null;
  const limit = isUpload ? UPLOAD_BYTES_MAX : FORM_BYTES_MAX;
  const type = ['application/x-www-form-urlencoded', 'multipart/form-data'];
  express.raw({ limit, type, inflate: false })(request, response, next);
};

/** Takes a form apart. The platform's own reader does it, for both ways that browsers send forms. */
export async function parseForm(request: Request): Promise<Form> {
  if (!Buffer.isBuffer(request.body)) {
    throw new ServiceError('unsupported_media_type', 'Send the form as a browser does.');
  }
  const headers = { 'Content-Type': request.get('content-type') ?? '' };
  let data: FormData;
  try {
    data = await new Response(new Uint8Array(request.body), { headers }).formData();
  } catch (cause) {
    throw new ServiceError('malformed_request', 'The form could not be read.', { cause });
  }
  const values: Record<string, string> = Object.create(null);
  let file: Form['file'];
  for (const [name, value] of data) {
    if (typeof value === 'string') values[name] = name in values ? `${values[name]},${value}` : value;
    else if (value.size > 0) file = { name: value.name, content: Buffer.from(await value.arrayBuffer()) };
  }
  return { values, file };
}

/** Whether a form comes from a page of ours: the browser says so, and it carries the token that only our pages know. */
export function isOurs(request: Request, form: Form, token: string): boolean {
  const site = request.get('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const given = Buffer.from(form.values['form_token'] ?? '');
  const wanted = Buffer.from(token);
  return wanted.length > 0 && given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** What is wrong with a form, by its fields. */
export type Faults = Readonly<Record<string, string>>;

type Read<Schema extends z.ZodType> =
  | { values: z.output<Schema>; faults?: undefined }
  | { faults: Faults; values?: undefined };

/** Reads the values of a form by a schema, or says of each field what is wrong with it. */
export function readForm<Schema extends z.ZodType>(schema: Schema, form: Form): Read<Schema> {
  const parsed = schema.safeParse(form.values);
  if (parsed.success) return { values: parsed.data };
  const faults: Record<string, string> = {};
  for (const { path, message } of parsed.error.issues) faults[String(path[0] ?? '')] ??= message;
  return { faults };
}

const OF_FIELDS: readonly ErrorCode[] = ['invalid_parameter', 'missing_parameter'];

/** The faults of an error of the store, by field; throws what is no fault of the form. */
export function faultsOf(error: unknown): Faults {
  if (!(error instanceof ServiceError) || !OF_FIELDS.includes(error.code)) throw error;
  const found = error.errors.map(({ location, message }) => [location.replace(/^\w+\./, ''), message] as const);
  if (found.length > 0) return Object.fromEntries(found);
  const [, field, message] = /^(\w+): (.*)$/s.exec(error.message) ?? [];
  return field === undefined ? { '': error.message } : { [field]: message ?? '' };
}
