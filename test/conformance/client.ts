import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { MODERN_REVISION } from '../../src/contract/mcp.ts';
import { Provider } from '../support/oauth-provider.ts';

/** The client that the suite starts for each scenario: the SDK's, as the interoperability tests have it sign in. */

/** What the suite wants to be given as the address of a metadata document. */
const DOCUMENT = 'https://conformance-test.local/client-metadata.json';
const REDIRECT = 'http://localhost:3000/callback';
/** A person is asked for each step up, and gives up when that never ends. */
const SIGN_INS_MAX = 3;

const { MCP_CONFORMANCE_CONTEXT: context = '{}', MCP_CONFORMANCE_PROTOCOL_VERSION: revision } = process.env;
const { client_id, client_secret, issuer } = JSON.parse(context) as Record<string, string | undefined>;
const registered =
  client_id === undefined
    ? undefined
    : { client_id, ...(client_secret && { client_secret }), ...(issuer && { issuer }) };
const provider = new Provider({ redirectUrl: REDIRECT, client: registered, document: DOCUMENT });
const address = new URL(process.argv.at(-1) ?? '');

let signIns = 0;
while (signIns < SIGN_INS_MAX && !(await use())) signIns += 1;
// Connections that are kept would keep the process.
process.exit(0);

/** Calls each tool; reports whether no sign-in was needed. */
async function use(): Promise<boolean> {
  const client = new Client(
    { name: 'test', version: '0' },
    revision === MODERN_REVISION ? { versionNegotiation: { mode: { pin: MODERN_REVISION } } } : {},
  );
  const transport = new StreamableHTTPClientTransport(address, { authProvider: provider as never });
  try {
    await client.connect(transport);
    const { tools } = await client.listTools();
    for (const { name } of tools) await client.callTool({ name, arguments: {} });
    await client.close();
    return true;
  } catch (error) {
    if (!(error instanceof UnauthorizedError) || provider.asked === undefined) throw error;
    // The suite's authorization server consents automatically.
    const { headers } = await fetch(provider.asked, { redirect: 'manual' });
    await transport.finishAuth(new URL(headers.get('location') ?? '').searchParams);
    return false;
  }
}
