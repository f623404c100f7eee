import { Copyable, Link, PageHead, WhereSold } from '../components.tsx';
import { type Program, Unpublished, useProgram } from '../program.tsx';
import type { DocProps } from './doc-page.tsx';
import { Response, Samples } from './samples.tsx';

export const SAMPLE_FIELDS = ['funding_stage', 'total_funding_usd'];
/** The call of the examples, and the fields that it asks for. */
export const SAMPLE_SEARCH = `/api/v1/search?type=companies&query=uniswap&tag=DEX&fields=${SAMPLE_FIELDS}`;

export function QuickStart({ url, hasPublicPages }: DocProps) {
  return (
    <div class="doc">
      <PageHead
        title="Quick start"
        lead={
          <>
            Companies, people, investors, events and funding rounds of Web3, for programs and agents, in two minutes.{' '}
            {hasPublicPages ? <Link to="/search">Without a key, look here.</Link> : null}
          </>
        }
      />
      <h2 id="key">Get an API key</h2>
      <ol>
        <li>
          <Link to="/account/keys/new">Create a key</Link> in your account and keep its secret, which is shown once. The
          operator of a new service opens the link that <code>web3-bi serve</code> prints.
        </li>
        <li>Send it as a Bearer token, never in an address or from a web page.</li>
      </ol>
      <Samples call={{ id: 'search', path: SAMPLE_SEARCH, url }} />
      <Response of="search" fields={SAMPLE_FIELDS} isOpen />
      <p>
        More: <Link to="/docs/search">example questions and all filters</Link>,{' '}
        <Link to="/docs/reference">every endpoint</Link>, <Link to="/docs/limits">limits</Link>,{' '}
        <Link to="/docs/errors">errors</Link>.
      </p>
      <WhereSold>
        <h2 id="wallet">With a wallet</h2>
        <p>
          Without credentials, the service responds with <code>402</code> and the price. A client that speaks x402 signs
          a transfer of USDC, costs you no gas, and asks again.
        </p>
        <Copyable
          id="x402-js"
          label="JavaScript with x402"
          text={`import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { registerExactEvmScheme } from "@x402/evm/exact/client";
import { privateKeyToAccount } from "viem/accounts";

const client = new x402Client();
registerExactEvmScheme(client, { signer: privateKeyToAccount(process.env.WALLET_KEY) });
const pay = wrapFetchWithPayment(fetch, client);
const url = '${url}/api/v1/x402/search?q=zero+knowledge&type=companies';
const { data, meta } = await (await pay(url)).json();`}
        />
        <p>
          Step by step: <Link to="/docs/x402">pay per request</Link>.
        </p>
      </WhereSold>
      <h2 id="mcp">Over MCP</h2>
      <p>
        Put this into the <code>mcp.json</code> of your host. With no settings at all, the program serves its own data
        set on your machine.
      </p>
      <Copyable id="mcp-json" label="mcp.json" text={mcpJson(useProgram(), url)} />
      <Unpublished />
      <p>
        More: <Link to="/docs/mcp">MCP for agents</Link>.
      </p>
    </div>
  );
}

/** A file that names this server to a host; each list on a line. */
export const hostFile = (server: object): string =>
  JSON.stringify({ mcpServers: { 'web3-bi': server } }, null, 2).replaceAll(/\[[^\]]*\]/g, (list) =>
    list.replaceAll(/(?<=\[)\s+|\s+(?=\])/g, '').replaceAll(/\s+/g, ' '),
  );

/** The same for what a host starts, with settings. */
export function mcpJson(program: Program, url: string, credential: object = { WEB3_BI_API_KEY: 'mk_...' }): string {
  const [command, ...first] = program;
  return hostFile({ command, args: [...first, 'mcp'], env: { WEB3_BI_BASE_URL: url, ...credential } });
}
