import { Link } from '../components.tsx';
import { DocPage, type DocProps } from './doc-page.tsx';

export function ChangesGuide({ version }: DocProps) {
  return (
    <DocPage title="Versions" lead={`This is version ${version} of the service; the API is v1.`}>
      <h2>What may change</h2>
      <p>
        Within v1 we only add: endpoints, parameters, fields, values of error codes. Read what you know and ignore the
        rest. Nothing is removed or changes its meaning.
      </p>
      <h2>What would be a new version</h2>
      <p>
        A removal or a new meaning comes under <code>/api/v2/</code>. The old one then remains for at least twelve
        months and says so in every answer, with <code>Deprecation</code>, <code>Sunset</code> and <code>Link</code>{' '}
        (RFC 9745, RFC 8594).
      </p>
      <h2>Changes</h2>
      <ul>
        <li>
          <strong>0.1.0</strong>: search, records, writing, keys and plans, x402, MCP, the console and these pages.
        </li>
      </ul>
      <p>
        For programs: <Link to="/api/v1/openapi.json">OpenAPI 3.1</Link> and <Link to="/llms.txt">llms.txt</Link>.
      </p>
    </DocPage>
  );
}
