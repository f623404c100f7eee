import { endpoints, isPriced } from '../../contract/endpoints.ts';
import { PLANS, PUBLIC_PAGES_MAX } from '../../contract/plans.ts';
import { countText, withOr } from '../../contract/value-text.ts';
import { PRICE_USD } from '../../contract/x402.ts';
import { Copyable, Link, Operator, Table, usePage } from '../components.tsx';
import { curlCommand } from '../curl.ts';
import { TOOLS } from '../docs/guides.tsx';
import { mcpJson } from '../docs/quick-start.tsx';
import { Unpublished, useCommand, useProgram } from '../program.tsx';

/** The tools that find records come first. */
const SHOWN_TOOLS = 4;
/** What a person at a terminal starts, and may be asked by. */
const NPX = 'npx web3-bi-mcp';

export function WaysIn({ url }: { url: string }) {
  const { isSelling } = usePage();
  return (
    <section>
      <h2>Three ways in</h2>
      <div class="ways">
        <article class="card">
          <h3>An agent, over MCP</h3>
          <p class="muted">
            For Claude, Cursor, VS Code, Codex and others. Put this into mcp.json; without the two settings it uses its
            own data set, free and offline.
          </p>
          <Copyable id="way-mcp" label="mcp.json" text={mcpJson(useProgram(), url)} />
          <dl class="tools">
            {TOOLS.slice(0, SHOWN_TOOLS).map(([name, about]) => (
              <div key={name}>
                <dt>
                  <code>{name}</code>
                </dt>
                <dd>{about}</dd>
              </div>
            ))}
          </dl>
          <Unpublished />
          <p>
            <Link to="/docs/mcp">Set up your host</Link>
          </p>
        </article>
        <article class="card">
          <h3>A program, with a key</h3>
          <p class="muted">JSON over REST, described by OpenAPI 3.1.</p>
          <Copyable
            id="way-rest"
            label="curl command"
            text={curlCommand({ url, path: '/api/v1/search?type=companies&query=defi' })}
          />
          <p>
            <Link to="/account/keys/new">Create a key</Link> in your account. No account yet? Ask <Operator />.
          </p>
        </article>
        {isSelling ? (
          <article class="card">
            <h3>A wallet, with nothing else</h3>
            <p class="muted">{PRICE_USD} USD a request in USDC, through x402. No account, no key.</p>
            <Copyable
              id="way-wallet"
              label="curl command"
              text={`curl -i "${url}/api/v1/x402/search?q=defi&type=companies"\n# 402: the price, and how to pay it`}
            />
            <p>
              <Link to="/docs/x402">Pay per request</Link>
            </p>
          </article>
        ) : (
          <article class="card">
            <h3>A person, at a terminal</h3>
            <p class="muted">Search, records, totals and connections as tables, JSON or CSV.</p>
            <Copyable
              id="way-terminal"
              label="commands"
              text={`export WEB3_BI_BASE_URL=${url}\nexport WEB3_BI_API_KEY=mk_...\n${useCommand(NPX)} search defi --type companies`}
            />
            <Unpublished command={NPX} />
          </article>
        )}
      </div>
    </section>
  );
}

/** What each way in allows and costs on this instance: only requests are sold, plans are given by the operator. */
export function Costs({ hasPages }: { hasPages: boolean }) {
  const { api_access: plan, enterprise } = PLANS;
  const priced = endpoints.filter(isPriced).map(({ path }) => path.split('/').at(-1) ?? '');
  return (
    <section>
      <h2>What it costs</h2>
      <p class="muted">
        All of it is free{usePage().isSelling ? ', but for what a wallet asks' : ''}. A key has quotas by day and month:{' '}
        <Link to="/docs/limits">how requests are counted</Link>.
      </p>
      <Table label="What it costs" head={['Access', 'Includes', 'How to get it']}>
        {hasPages ? (
          <tr>
            <td>These pages</td>
            <td>Search, profiles, aggregates and CSV, {PUBLIC_PAGES_MAX} pages a minute</td>
            <td>Open to everybody</td>
          </tr>
        ) : null}
        <tr>
          <td>On your machine</td>
          <td>The shipped data for one agent, without a key; open source</td>
          <td>
            <code>{useCommand(NPX)} mcp</code>
            <Unpublished command={NPX} />
          </td>
        </tr>
        <tr>
          <td>{plan.label}, with a key</td>
          <td>
            REST, MCP and import; {countText(plan.daily)} requests a day and {countText(plan.monthly)} a month for each
            key
          </td>
          <td>
            Ask <Operator />
          </td>
        </tr>
        <tr>
          <td>{enterprise.label}, with a key</td>
          <td>The same with limits of your own, or none</td>
          <td>Agreed with the operator</td>
        </tr>
        {usePage().isSelling ? (
          <tr>
            <td>A wallet</td>
            <td>Requests of {withOr(priced)}, without an account; events are not sold</td>
            <td>{PRICE_USD} USD a request, in USDC</td>
          </tr>
        ) : null}
      </Table>
    </section>
  );
}
