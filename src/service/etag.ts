import type { ApiResponse } from './call.ts';

/** Conditional requests (RFC 9110, 13). `etagOf` of the contract makes the ETag of a record. */

/** Whether If-None-Match matches a version, by weak comparison (RFC 9110, 13.1.2). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}

export const notModified = (etag: string): ApiResponse => ({
  status: 304,
  data: '',
  message: null,
  headers: { ETag: etag },
});

/** The versions in If-Match; undefined if any is allowed. Weak ETags never match (RFC 9110, 13.1.1). */
export function expectedVersions(header: string | undefined): number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  return header.split(',').flatMap((tag) => {
    const version = /^"r(\d{1,15})"$/.exec(tag.trim())?.[1];
    return version === undefined ? [] : [Number(version)];
  });
}
