/** The environment variable with the key that samples read. */
export const KEY_VARIABLE = 'WEB3_BI_API_KEY';

export interface CurlCall {
  readonly method?: string;
  /** Below the URL of the service. */
  readonly path: string;
  readonly body?: string;
  readonly url: string;
  /** The key; by default that of the variable. */
  readonly key?: string;
}

/** The command for a call with a key. The address has a line of its own, without an indent: on a phone it would take a line. */
export function curlCommand({ method = 'GET', path, body, url, key = `$${KEY_VARIABLE}` }: CurlCall): string {
  const verb = method === 'GET' ? '' : ` -X ${method}`;
  const data = body === undefined ? '' : ` \\\n  -H "Content-Type: application/json" \\\n  -d '${body}'`;
  return `curl${verb} -H "Authorization: Bearer ${key}"${data} \\\n"${url}${path}"`;
}
