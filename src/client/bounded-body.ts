import { ServiceError } from '../contract/errors.ts';

const MEGABYTE = 1024 * 1024;

/**
 * Reads a body as text; a server could stream without end.
 * @throws ServiceError `unreachable` beyond `bytesMax`
 */
export async function readBounded(response: Response, bytesMax: number): Promise<string> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    bytes += part.value.byteLength;
    if (bytes > bytesMax) {
      await reader.cancel();
      throw new ServiceError('unreachable', `The response exceeds ${Math.ceil(bytesMax / MEGABYTE)} MiB.`);
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}
