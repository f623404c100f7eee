import type { VNode } from 'preact';
import type { Endpoint } from '../../contract/endpoints.ts';
import { groupBy } from '../../contract/group-by.ts';
import { ENDPOINT_GROUPS, groupOf, offeredEndpoints } from '../../service/offered-endpoints.ts';
import { Badge, Link, PageHead, usePage } from '../components.tsx';

/** The API reference: a list of the endpoints, which Swagger UI replaces once it has read the OpenAPI document. */
export function Reference(): VNode {
  const { base, isSelling } = usePage();
  const groups = groupBy(offeredEndpoints(isSelling), groupOf);
  return (
    <div class="doc">
      <PageHead
        title="API reference"
        lead={
          <>
            Generated from the definitions of the service. Authorize with a key, and try every call here. For programs:{' '}
            <Link to="/api/v1/openapi.json">OpenAPI 3.1</Link>.
          </>
        }
      />
      <div id="endpoints">
        {[...groups].map(([group, endpoints]) => (
          <section key={group}>
            <h2>{group}</h2>
            <p class="muted">{ENDPOINT_GROUPS[group]}</p>
            {endpoints.map((endpoint) => (
              <EndpointLine key={endpoint.name} {...endpoint} />
            ))}
          </section>
        ))}
      </div>
      <div id="reference" data-openapi={`${base}/api/v1/openapi.json`} />
    </div>
  );
}

function EndpointLine({ name, method, path, summary, access }: Endpoint): VNode {
  return (
    <p class="endpoint" id={name} data-operation={`${method} ${path}`}>
      <span class={`method ${method.toLowerCase()}`}>{method}</span> <code>{path}</code>{' '}
      <span class="muted">{summary}</span>{' '}
      {access === 'nothing' ? null : <Badge>{access === 'payment' ? 'payment' : `${access} key`}</Badge>}
    </p>
  );
}
