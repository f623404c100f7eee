import { RESOURCE_PATHS, type ResourcePath } from '../../contract/oauth.ts';

const PROTECTED_RESOURCE = '/.well-known/oauth-protected-resource';

/** URLs of the authorization server and its protected resources, derived from the public URL. */
export type OAuthAddresses = ReturnType<typeof oauthAddresses>;

export function oauthAddresses(publicUrl: string) {
  const { origin, pathname } = new URL(publicUrl);
  const base = pathname.replace(/\/$/, '');
  const issuer = origin + base;
  const resources = RESOURCE_PATHS.map((path) => issuer + path);
  return {
    /** Issuer identifier (RFC 8414, 2). */
    issuer,
    /** Path of the public URL, without a trailing slash. */
    base,
    resourceOf: (path: ResourcePath): string => issuer + path,
    /** Metadata URL of a resource: its path follows the well-known one (RFC 9728, 3.1). */
    metadataOf: (path: ResourcePath): string => `${origin}${PROTECTED_RESOURCE}${base}${path}`,
    /** The canonical URL of a resource; undefined if it is not one of this service (RFC 8707, 2). */
    canonical: (resource: string): string | undefined => {
      const href = URL.canParse(resource) ? new URL(resource).href.replace(/\/$/, '') : undefined;
      return resources.find((known) => known === href);
    },
  };
}

/** Paths of a well-known document: as standardized, and as requested by a proxy that strips the base path. */
export const wellKnownPaths = (name: string, base: string, path: string): string[] => [
  ...new Set([`/.well-known/${name}${base}${path}`, `/.well-known/${name}${path}`]),
];
