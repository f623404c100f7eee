import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import type { Request } from 'express';
import { ServiceError } from '../contract/errors.ts';
import type { Form } from './form.ts';

export interface MultipartLimits {
  readonly bytesMax: number;
  readonly fileBytesMax: number;
  readonly fieldsMax: number;
  /** Name of the text area for pasted rows, streamed like a file. */
  readonly pasted: string;
}

/**
 * Parses a multipart form as a stream, so that large files do not block other requests. A file takes precedence over pasted text.
 * @throws ServiceError `payload_too_large`, `unsupported_media_type` for a compressed form, `malformed_request` otherwise
 */
export function receiveMultipart(request: Request, limits: MultipartLimits): Promise<Form> {
  const { 'content-length': length, 'content-encoding': encoding } = request.headers;
  if (Number(length ?? 0) > limits.bytesMax) throw tooLarge();
  if (encoding !== undefined) throw new ServiceError('unsupported_media_type', 'Send the form without compressing it.');
  return readParts(request, limits);
}

function readParts(request: Request, limits: MultipartLimits): Promise<Form> {
  const reader = newReader(request, limits);
  const values: Record<string, string> = Object.create(null);
  const files = new Map<string, NonNullable<Form['file']>>();
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
      if (bytes > limits.bytesMax) refuse(tooLarge());
    });
    request.once('close', () => {
      if (!request.complete) reject(malformed());
    });
    reader.on('field', (name, value) => {
      values[name] = name in values ? `${values[name]},${value}` : value;
    });
    reader.on('file', (part, stream, name) => {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.once('end', () => {
        if (pieces.length > 0) files.set(part, { name: name ?? '', content: Buffer.concat(pieces) });
      });
    });
    for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const)
      reader.once(limit, () => refuse(malformed()));
    reader.once('error', (cause: unknown) => refuse(malformed(cause)));
    reader.once('finish', () => {
      const pasted = files.get(limits.pasted);
      files.delete(limits.pasted);
      const [chosen] = files.values();
      if (chosen !== undefined && chosen.content.length > limits.fileBytesMax) return reject(tooLarge());
      resolve({ values, file: chosen ?? pasted });
    });
    request.pipe(reader);
  });
}

/** One file, and one text treated as a file. */
const FILES_MAX = 2;

function newReader({ headers }: Request, { bytesMax, fieldsMax, pasted }: MultipartLimits): BusboyInstance {
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      limits: { fields: fieldsMax, parts: fieldsMax, files: FILES_MAX, fieldSize: bytesMax, fileSize: bytesMax },
      isPartAFile: (field, _type, file) => file !== undefined || field === pasted,
    });
  } catch (cause) {
    throw malformed(cause);
  }
}

const tooLarge = (): ServiceError => new ServiceError('payload_too_large', 'The form is larger than is accepted.');
const malformed = (cause?: unknown): ServiceError =>
  new ServiceError('malformed_request', 'The form could not be read.', { cause });
