import { RESOURCE_PATHS, type ResourcePath } from '../../contract/oauth.ts';

const PROTECTED_RESOURCE = '/.well-known/oauth-protected-resource';

/** Where the authorization server and the resources that it protects are, by the public address of the service. */
export interface OAuthAddresses {
  /** Identifies the authorization server (RFC 8414, 2). */
  readonly issuer: string;
  /** Path of the public address, without a slash at its end. */
  readonly base: string;
  resourceOf(path: ResourcePath): string;
  /** Where the metadata of a resource is: its path comes after the well-known one (RFC 9728, 3.1). */
  metadataOf(path: ResourcePath): string;
  /** The canonical address of a resource of ours; undefined for any other (RFC 8707, 2). */
  canonical(resource: string): string | undefined;
}

export function oauthAddresses(publicUrl: string): OAuthAddresses {
  const { origin, pathname } = new URL(publicUrl);
  const base = pathname.replace(/\/$/, '');
  const issuer = origin + base;
  const resources = RESOURCE_PATHS.map((path) => issuer + path);
  return {
    issuer,
    base,
    resourceOf: (path) => issuer + path,
    metadataOf: (path) => `${origin}${PROTECTED_RESOURCE}${base}${path}`,
    canonical: (resource) => {
      const given = URL.canParse(resource) ? new URL(resource).href.replace(/\/$/, '') : undefined;
      return resources.find((known) => known === given);
    },
  };
}

/** Paths of a document that is well-known: as the standards have it, and as a proxy may ask that strips the base. */
export const wellKnownPaths = (name: string, base: string, path: string): string[] => [
  ...new Set([`/.well-known/${name}${base}${path}`, `/.well-known/${name}${path}`]),
];
