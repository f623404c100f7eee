import { endpoints, type Operation } from '../../contract/endpoints.ts';
import { responseExample } from '../../service/routes/openapi-examples.ts';
import { selectFields } from '../../service/routes/pagination.ts';
import { Copyable } from '../components.tsx';
import { type CurlCall, curlCommand, KEY_VARIABLE } from '../curl.ts';

export function Samples({ call }: { call: CurlCall & { id: string } }) {
  return (
    <>
      <p class="sample">curl</p>
      <Copyable id={`${call.id}-curl`} label={`curl, ${call.path}`} text={curlCommand(call)} />
      <details class="sample">
        <summary>JavaScript</summary>
        <Copyable id={`${call.id}-js`} label={`JavaScript, ${call.path}`} text={javascript(call)} />
      </details>
      <details class="sample">
        <summary>Python</summary>
        <Copyable id={`${call.id}-py`} label={`Python, ${call.path}`} text={python(call)} />
      </details>
    </>
  );
}

interface ResponseProps {
  readonly of: Operation;
  /** The fields of a call that asks for these only. */
  readonly fields?: readonly string[];
  readonly isOpen?: boolean;
}

export function Response({ of, fields, isOpen = false }: ResponseProps) {
  const endpoint = endpoints.find(({ operation }) => operation === of);
  if (endpoint === undefined) return null;
  const narrowed = (record: unknown): unknown => JSON.parse(selectFields(JSON.stringify(record), fields));
  const narrow = (key: string, value: unknown): unknown => {
    if (key === 'results' && Array.isArray(value)) return value.map(narrowed);
    return key === 'data' && Object.hasOwn(value as object, 'slug') ? narrowed(value) : value;
  };
  return (
    <details class="sample" open={isOpen}>
      <summary>Response, 200, with the shipped data</summary>
      <Copyable id={`${of}-response`} label="response" text={JSON.stringify(responseExample(endpoint), narrow, 2)} />
    </details>
  );
}

function javascript({ method = 'GET', path, body, url }: CurlCall): string {
  const lines = [
    `const url = '${url}${path}';`,
    'const response = await fetch(url, {',
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    '  headers: {',
    `    Authorization: \`Bearer \${process.env.${KEY_VARIABLE}}\`,`,
    ...(body === undefined ? [] : ["    'Content-Type': 'application/json',"]),
    '  },',
    ...(body === undefined ? [] : [`  body: JSON.stringify(${body}),`]),
    '});',
    'const { data } = await response.json();',
  ];
  return lines.join('\n');
}

function python({ method = 'GET', path, body, url }: CurlCall): string {
  const lines = [
    'import os, requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    "${url}${path}",`,
    `    headers={"Authorization": f"Bearer {os.environ['${KEY_VARIABLE}']}"},`,
    ...(body === undefined ? [] : [`    json=${body},`]),
    '    timeout=30,',
    ')',
    'response.raise_for_status()',
    'data = response.json()["data"]',
  ];
  return lines.join('\n');
}
