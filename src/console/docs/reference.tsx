import type { VNode } from 'preact';
import * as z from 'zod';
import type { Endpoint } from '../../contract/endpoints.ts';
import { offeredEndpoints } from '../../service/offered.ts';
import { Badge, Link, PageHead, Table } from '../components.tsx';
import { usePage } from '../context.ts';
import { labelOf } from '../data/values.tsx';
import type { DocProps } from './docs.ts';
import { Samples } from './samples.tsx';

/** Every endpoint, made of its definition. */
export function Reference({ url }: DocProps): VNode {
  const groups = new Map<string, Endpoint[]>();
  for (const endpoint of offeredEndpoints(usePage().isSelling)) {
    const group = endpoint.type ?? 'general';
    groups.set(group, [...(groups.get(group) ?? []), endpoint]);
  }
  return (
    <div class="doc">
      <PageHead
        title="API reference"
        lead={
          <>
            Made of the definitions that the service runs on. For programs:{' '}
            <Link to="/api/v1/openapi.json">OpenAPI 3.1</Link>. To try calls here:{' '}
            <Link to="/docs/try">the console of Swagger UI</Link>.
          </>
        }
      />
      {[...groups].map(([group, some]) => (
        <section key={group} aria-label={labelOf(group)}>
          <h2 id={group}>{labelOf(group)}</h2>
          {some.map((endpoint) => (
            <EndpointEntry key={endpoint.name} endpoint={endpoint} url={url} />
          ))}
        </section>
      ))}
    </div>
  );
}

function EndpointEntry({ endpoint, url }: { endpoint: Endpoint; url: string }): VNode {
  const { name, method, path, summary, access, query, body } = endpoint;
  return (
    <details class="endpoint" id={name}>
      <summary>
        <span class="method">{method}</span> <code>{path}</code> <span class="muted">{summary}</span>
      </summary>
      <div>
        <p>Needs {needOf(access)}.</p>
        <Fields label={`Parameters of ${name}`} title="Parameters" schema={query} />
        {body === undefined ? null : <Fields label={`Body of ${name}`} title="Body" schema={body} />}
        {access === 'nothing' || access === 'payment' ? null : <Samples call={sampleOf(endpoint, url)} />}
      </div>
    </details>
  );
}

/** What a request must bring. */
function needOf(access: Endpoint['access']): VNode {
  if (access === 'nothing') return <>nothing</>;
  if (access === 'payment') return <Link to="/docs/x402">a payment</Link>;
  return (
    <>
      a key with the level <Badge>{access}</Badge>
    </>
  );
}

function sampleOf({ name, method, path, body, operation }: Endpoint, url: string) {
  const query = operation === 'search' ? '?type=companies&query=defi' : '';
  const sample = { id: `${name}-sample`, method, path: path.replace('{idOrSlug}', '1') + query, url };
  return body === undefined ? sample : { ...sample, body: '{"name": "Acme"}' };
}

interface Property {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Property[];
  readonly default?: unknown;
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
}

function Fields({ label, title, schema }: { label: string; title: string; schema: z.ZodObject }): VNode | null {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  }) as ObjectSchema;
  if (Object.keys(properties).length === 0) return null;
  return (
    <>
      <p class="sample">{title}</p>
      <Table label={label} head={['Name', 'Type', 'Meaning']}>
        {Object.entries(properties).map(([name, property]) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
              {required.includes(name) ? (
                <>
                  {' '}
                  <Badge tone="info">required</Badge>
                </>
              ) : null}
            </th>
            <td>{typeText(property)}</td>
            <td>{meaningOf(property)}</td>
          </tr>
        ))}
      </Table>
    </>
  );
}

function typeText({ type, enum: values, anyOf }: Property): string {
  if (values !== undefined) return 'one of';
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeText))].filter((text) => text !== 'null').join(' or ');
  return [type ?? 'text']
    .flat()
    .filter((text) => text !== 'null')
    .join(' or ');
}

function meaningOf({ description = '', enum: values, default: usual }: Property): string {
  const choices = values === undefined ? '' : ` One of ${values.join(', ')}.`;
  return `${description}${choices}${usual === undefined || usual === '' ? '' : ` Default: ${String(usual)}.`}`;
}
