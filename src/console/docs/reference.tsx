import type { VNode } from 'preact';
import { offeredEndpoints } from '../../service/offered.ts';
import { Link, PageHead, Table } from '../components.tsx';
import { usePage } from '../context.ts';

/** The API reference, rendered by Swagger UI from the OpenAPI document; without scripts as a list. */
export function Reference(): VNode {
  const { base, isSelling } = usePage();
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
      <div id="reference" data-openapi={`${base}/api/v1/openapi.json`}>
        <Table label="Endpoints" head={['Endpoint', 'For', 'Needs']}>
          {offeredEndpoints(isSelling).map(({ name, method, path, summary, access }) => (
            <tr key={name} id={name}>
              <td>
                <code>
                  {method} {path}
                </code>
              </td>
              <td>{summary}</td>
              <td>
                {access === 'payment' ? (
                  <Link to="/docs/x402">a payment</Link>
                ) : access === 'nothing' ? (
                  ''
                ) : (
                  `${access} key`
                )}
              </td>
            </tr>
          ))}
        </Table>
      </div>
    </div>
  );
}
