import type { VNode } from 'preact';
import { endpoints, isPriced } from '../../contract/endpoints.ts';
import { PLANS, PUBLIC_PAGES_MAX } from '../../contract/plans.ts';
import { PRICE_USD } from '../../contract/price.ts';
import { countText, Link, Table } from '../components.tsx';
import { usePage } from '../context.ts';

/** What each way in allows and costs on this instance: only requests are sold, plans are given by the operator. */
export function Costs({ hasPages }: { hasPages: boolean }): VNode {
  const { api_access: plan, enterprise } = PLANS;
  const priced = endpoints.filter(isPriced).map(({ path }) => path.split('/').at(-1));
  return (
    <section>
      <h2>What it costs</h2>
      <p class="muted">
        A key has quotas by day and month: <Link to="/docs/limits">how requests are counted</Link>.
      </p>
      <Table label="What it costs" head={['Access', 'Includes', 'Price']}>
        {hasPages ? (
          <tr>
            <td>These pages</td>
            <td>Search, profiles, aggregates and CSV, {PUBLIC_PAGES_MAX} pages a minute</td>
            <td>Free</td>
          </tr>
        ) : null}
        <tr>
          <td>On your machine</td>
          <td>
            <code>npx web3-bi-mcp mcp</code>: the shipped data for one agent, without a key
          </td>
          <td>Free, open source</td>
        </tr>
        <tr>
          <td>{plan.label}, with a key</td>
          <td>
            REST, MCP and import; {countText(plan.daily)} requests a day and {countText(plan.monthly)} a month for each
            key
          </td>
          <td>Free; the operator of this site gives out keys</td>
        </tr>
        <tr>
          <td>{enterprise.label}, with a key</td>
          <td>The same with limits of your own, or none</td>
          <td>Free; agreed with the operator of this site</td>
        </tr>
        {usePage().isSelling ? (
          <tr>
            <td>A wallet</td>
            <td>Each {priced.join(', ')}, without an account; events are not sold</td>
            <td>{PRICE_USD} USD a request, in USDC</td>
          </tr>
        ) : null}
      </Table>
    </section>
  );
}
