import { Fragment } from 'preact';
import { GROUPS, MEASURED_FIELD } from '../../contract/aggregate.ts';
import { MEASURES } from '../../contract/aggregate-rows.ts';
import { capitalize } from '../../contract/capitalize.ts';
import { CONNECTION_KINDS, connectionsQuery } from '../../contract/connections.ts';
import { RECORD_TYPES } from '../../contract/entities/index.ts';
import { FILTER_HELP } from '../../contract/filter-help.ts';
import { type FilterName, facetOf, filterOf, hasFilter } from '../../contract/filters.ts';
import { isLoopback } from '../../contract/oauth.ts';
import { PAGES_MAX, PLANS, PUBLIC_PAGES_MAX } from '../../contract/plans.ts';
import { SORTED_FIELDS } from '../../contract/sorts.ts';
import { countText } from '../../contract/value-text.ts';
import { NO_GRANTS } from '../../contract/vocabulary.ts';
import { CallText, Copyable, FactList, Link, namedRow, Table, usePage, WhereSold } from '../components.tsx';
import { Unpublished, useProgram } from '../program.tsx';
import { DocPage, type DocProps, NamedTable } from './doc-page.tsx';
import { hostFile, mcpJson, SAMPLE_FIELDS, SAMPLE_SEARCH } from './quick-start.tsx';
import { Response, Samples } from './samples.tsx';

/** How pages differ from the API, which counts every round. */
export const GRANTS_ASIDE = 'Unlike the API, pages list grants apart from rounds.';

export function SearchGuide({ url, hasPublicPages }: DocProps) {
  return (
    <DocPage title="Search and records" lead="One search over everything, lists by type, records by number or slug.">
      <h2>Examples</h2>
      <p>
        Call them under <code>{url}/api/v1</code> with a key.{' '}
        {hasPublicPages ? `The links open them as pages without one. ${GRANTS_ASIDE}` : ''}
      </p>
      <Table label="Examples" head={['Question', 'Call']}>
        {QUESTIONS.map(([name, path]) => {
          const question = <Link to={path.replace('/aggregate', '/search/aggregate')}>{name}</Link>;
          return namedRow(path, hasPublicPages ? question : name, <CallText>{path}</CallText>);
        })}
      </Table>
      <h2>Search</h2>
      <Samples call={{ id: 'all', path: SAMPLE_SEARCH, url }} />
      <Response of="search" fields={SAMPLE_FIELDS} />
      <NamedTable label="Search" head={['Parameter', 'Meaning']} rows={SEARCH_PARAMETERS} />
      <p>
        Of a question, types, places, dates and names become filters: <code>understood</code> says which, and{' '}
        <code>answer</code> has the figures of a total or ranking.
      </p>
      <h2>Filters</h2>
      <p>
        They narrow a search, a list or an aggregate. <code>tag=DeFi|Gaming</code> finds records with either value,{' '}
        <code>tag=all:DeFi|DEX</code> those with both, and <code>tag=not:NFT</code> those with other values only.{' '}
        <code>tag=except:NFT</code> finds those of no known value as well.{' '}
        {hasPublicPages ? (
          <>
            Of a type whose records state no such value, a filter finds none; <Link to="/coverage">coverage</Link>{' '}
            counts them.
          </>
        ) : null}
      </p>
      {Object.entries(FILTER_HELP).map(([subject, filters]) => (
        <Fragment key={subject}>
          <h3>{capitalize(subject)}</h3>
          <FilterTable label={capitalize(subject)} filters={filters} />
        </Fragment>
      ))}
      <h2>Aggregates</h2>
      <p>
        Figures by one or two groups, with the same filters:{' '}
        <CallText>/aggregate?of=rounds&group_by=year|stage&measure=sum|median</CallText>. Measures are{' '}
        {MEASURES.join(', ')}; all but count are over the field below.
      </p>
      <Table label="Aggregates" head={['of', 'group_by', 'Measured']}>
        {RECORD_TYPES.map((type) =>
          namedRow(
            type,
            <code>{type}</code>,
            Object.keys(GROUPS[type]).join(', '),
            MEASURED_FIELD[type] ?? 'count only',
          ),
        )}
      </Table>
      <h2>Connections</h2>
      <p>
        How two records are connected, with the record that proves each step:{' '}
        <CallText>/connections?from=investors/paradigm&to=people/hayden-adams</CallText>.
      </p>
      <NamedTable label="Connections" head={['Parameter', 'Meaning']} rows={CONNECTION_PARAMETERS} />
      <h2>Records</h2>
      <p>
        A record has a number and a slug; both work in its address. Its related records have lists of their own, such as{' '}
        <code>/companies/uniswap/investors</code>. Every record names the sources of its facts, and their dates where
        they state one.
      </p>
      <Samples call={{ id: 'record', path: `/api/v1/companies/uniswap?fields=${RECORD_FIELDS}`, url }} />
      <Response of="detail" fields={RECORD_FIELDS} />
      <h2>Writing</h2>
      <p>
        A key with the level <code>write</code> creates and changes, one with <code>delete</code> also deletes and
        restores. Send <code>If-Match</code> with the <code>ETag</code> of what you read, and no concurrent change is
        lost; send <code>Idempotency-Key</code> with a <code>POST</code>, and retries are idempotent.
      </p>
      <Samples
        call={{
          id: 'create',
          method: 'POST',
          path: '/api/v1/companies',
          body: '{"name": "Acme", "tags": ["DeFi"]}',
          url,
        }}
      />
    </DocPage>
  );
}

function FilterTable({ label, filters }: { label: string; filters: Partial<Record<FilterName, string>> }) {
  return (
    <Table label={label} head={['Filter', 'Meaning', 'For']}>
      {Object.entries(filters).map(([filter, meaning]) => {
        const name = filter as FilterName;
        const types = RECORD_TYPES.filter((type) => hasFilter(type, name));
        return namedRow(
          name,
          <code>
            {name}=<i>{EXAMPLES[name] ?? '…'}</i>
          </code>,
          `${meaning} ${valueText(name, meaning)}`,
          types.length === RECORD_TYPES.length ? 'all types' : types.join(', '),
        );
      })}
    </Table>
  );
}

/** Fields that show what a record is, with where its facts are from. */
const RECORD_FIELDS = ['tagline', 'tags', 'location_json', 'total_funding_usd', 'sources'];

const EXAMPLES: Partial<Readonly<Record<FilterName, string>>> = {
  ...{ country: 'Germany', city: 'Lisbon', tag: 'DeFi|Gaming', chain: 'Solana', company: 'uniswap' },
  ...{ investor: 'paradigm', event: 'devcon-6', founder: 'vitalik-buterin', led: 'true', funding_stage: 'series_a' },
  ...{ funding_min: '1000000', funding_max: '50000000', from: '2024', to: '2024-06-30' },
  ...{ last_round_after: '2024-01-01', last_round_before: '2024-12-31', founded_from: '2021', founded_to: '2022' },
  ...{ employees_min: '50', employees_max: '200', investments_min: '10', investments_max: '99' },
  ...{ valuation_min: '1000000000', valuation_max: '5000000000' },
  ...{ rounds_min: '3', rounds_max: '9', led_min: '5', led_max: '50' },
  ...{ acquirer: 'coinbase', status_from: '2022', status_to: '2022' },
  ...{ investor_type: 'venture_capital', status: 'acquired', event_type: 'hackathon', starts_after: '2026-01-01' },
  ...{ starts_before: '2026-12-31', updated_since: '2025-01-01', stale: 'false', verified: 'true' },
  sourced: 'true',
};

/** What a filter takes besides what is said of it. */
function valueText(name: FilterName, said: string): string {
  const filter = filterOf(name);
  const { closed = [] } = filter.test === 'facet' ? facetOf(filter) : {};
  return closed.every((value) => said.includes(value)) ? '' : `One of: ${closed.join(', ')}.`;
}

const WITHOUT_GRANTS = `funding_stage=${NO_GRANTS}`;

const QUESTIONS = [
  [
    'DeFi companies on Arbitrum that raised a Series A',
    '/search?type=companies&tag=DeFi&chain=Arbitrum&funding_stage=series_a',
  ],
  ['The largest rounds of 2025', `/search?type=rounds&from=2025&to=2025&sort=-amount_usd&${WITHOUT_GRANTS}`],
  ['What Paradigm led since 2024', `/search?type=rounds&investor=paradigm&led=true&from=2024&${WITHOUT_GRANTS}`],
  ['Funding by year', `/aggregate?of=rounds&group_by=year&measure=sum&${WITHOUT_GRANTS}`],
  ['Who led most Series A rounds', '/aggregate?of=rounds&group_by=lead_investor&funding_stage=series_a'],
  ['All of a company, with its sources', '/companies/uniswap'],
] as const;

const SEARCH_PARAMETERS = [
  ['type', `${RECORD_TYPES.join(', ')}, or all for the first four: rounds have a search of their own.`],
  ['query', 'A name, a ticker, a topic or a whole question. Punctuation is part of it, and typos are corrected.'],
  ['page', 'Page of the results, from 1.'],
  ['limit', 'Results per page: 10, at most 50.'],
  [
    'sort',
    `${SORTED_FIELDS.join(', ')}. A minus in front, as in -amount_usd, begins with the largest; without sort, the best match is first.`,
  ],
  ['fields', 'The fields of each result, such as name,website.'],
] as const;

const CONNECTION_PARAMETERS = [
  ['from, to', 'Each a type and a slug or id, as companies/uniswap, or an exact name.'],
  ['hops_max', connectionsQuery.shape.hops_max.description],
  ['limit', connectionsQuery.shape.limit.description],
  ['kinds', `${CONNECTION_KINDS.join(', ')}, with | between several; all without it.`],
] as const;

export function McpGuide({ url }: DocProps) {
  const program = useProgram();
  return (
    <DocPage title="MCP for agents" lead="The Model Context Protocol gives an agent this service as tools.">
      <h2>Set it up</h2>
      <p>Without any settings the program serves its own data set on your machine: nothing leaves it, at no cost.</p>
      <h3>With a key</h3>
      <p>
        An agent reads what your plan allows. Claude Desktop, Claude Code, Cursor and others read a file like this one;
        in VS Code, <code>servers</code> stands for <code>mcpServers</code>.
      </p>
      <Copyable id="mcp-key" label="mcp.json with a key" text={mcpJson(program, url)} />
      <h3>With a key, over HTTP</h3>
      <p>Nothing is installed, for hosts that take an address:</p>
      <Copyable id="mcp-http" label="mcp.json over HTTP" text={httpJson(url)} />
      <Copyable id="mcp-claude" label="command of Claude Code" text={claudeCommand(url)} />
      <h3>claude.ai and ChatGPT</h3>
      <ol>
        <li>Open Settings, Connectors at claude.ai, or Settings, Apps, developer mode in ChatGPT.</li>
        <li>
          Add the address <code>{url}/mcp/account</code> and nothing else.
        </li>
        <li>Sign in here and choose what the program may do.</li>
      </ol>
      {isLoopback(new URL(url)) ? (
        <p class="hint">
          They run elsewhere, so they reach this service only at a public address, not at <code>{url}</code>.
        </p>
      ) : null}
      <p>
        The program is then listed among your <Link to="/account/keys">API keys</Link>, where you can revoke it.
      </p>
      <WhereSold>
        <h3>With a wallet</h3>
        <p>It pays for each search, within budgets that only you can raise:</p>
        <Copyable
          id="mcp-wallet"
          label="mcp.json with a wallet"
          text={mcpJson(program, url, {
            WEB3_BI_WALLET_KEY_FILE: '/path/to/wallet-key',
            WEB3_BI_MAX_USD_PER_DAY: '1.00',
          })}
        />
      </WhereSold>
      <Unpublished />
      <h2>Tools</h2>
      <NamedTable
        label="Tools"
        head={['Tool', 'Meaning']}
        rows={usePage().isSelling ? [...TOOLS, WALLET_TOOL] : TOOLS}
      />
      <p>A tool call counts as one request.</p>
      <h2>Resources and prompts</h2>
      <p>
        <code>web3-bi://companies/uniswap</code> is a whole record as a resource; hosts complete types and slugs. The
        prompts <code>company_brief</code>, <code>compare_companies</code>, <code>investor_brief</code> and{' '}
        <code>event_prep</code> come with the records they are about; <code>round_table</code> and{' '}
        <code>warm_intro</code> say which tools to call.
      </p>
      <h2>Safety</h2>
      <p>
        Texts in records come from the web. An agent should treat them as data, never as instructions; the server says
        so in each answer.
      </p>
    </DocPage>
  );
}

const httpJson = (url: string): string =>
  hostFile({ type: 'http', url: `${url}/mcp`, headers: { Authorization: 'Bearer mk_...' } });

export const TOOLS = [
  ['search', 'Find records by text, type and filters.'],
  ['get_entity', 'One record or up to 20, by number, slug, name or web domain, with relations.'],
  ['aggregate', 'Counts and sums by group, such as rounds by year, with the filters of search.'],
  ['connect', 'How two records are connected, with the record that proves each step.'],
  ['health', 'Whether the service works.'],
  ['usage', 'With a key: the remaining quota.'],
] as const;

const WALLET_TOOL = [
  'wallet',
  'With a wallet: address, balance, budgets, receipts and the price of a search.',
] as const;

export function LimitsGuide() {
  const { api_access: plan } = PLANS;
  return (
    <DocPage title="Limits and counting" lead="What counts, when limits reset, and which headers tell you.">
      <h2>The rule</h2>
      <FactList
        isBeside
        facts={[
          ['Counted once', 'Every request with a valid key and plan, also if the response is a client error (4xx).'],
          [
            'Not counted',
            '401, 403 for the plan or the address, 429, 304, OPTIONS, /api/v1/usage and the health check.',
          ],
          ['Given back', 'Failures of ours (5xx).'],
        ]}
      />
      <Table label="Plans" head={['Plan', 'A day', 'A month']} numbers={['A day', 'A month']}>
        {namedRow(plan.label, plan.label, countText(plan.daily), countText(plan.monthly))}
        {namedRow(PLANS.enterprise.label, PLANS.enterprise.label, 'agreed', 'agreed')}
      </Table>
      <p>
        Limits are for each key. A day is a UTC day and ends at 00:00; a month ends with the last of its days. A rotated
        key continues the count of the one it replaces.
      </p>
      <h2>Headers</h2>
      <NamedTable label="Headers" head={['Header', 'Says']} rows={HEADERS} />
      <h2>Bursts</h2>
      <p>
        Besides the quota, a key may send about 20 requests per second. More get <code>429 burst_limit_exceeded</code>,
        and <code>Retry-After</code> says when to retry. Pages are for people: {PUBLIC_PAGES_MAX} public ones a minute
        from one address, and {PAGES_MAX} of the console for each person.
      </p>
    </DocPage>
  );
}

const HEADERS = [
  ['X-RateLimit-Daily-Limit', 'Requests the key may make a day.'],
  ['X-RateLimit-Daily-Remaining', 'Remaining requests of the day.'],
  ['X-RateLimit-Monthly-Limit', 'Requests the key may make a month.'],
  ['X-RateLimit-Monthly-Remaining', 'Remaining requests of the month.'],
  ['X-RateLimit-Reset', 'When the binding limit resets, ISO 8601, UTC.'],
  ['RateLimit, RateLimit-Policy', 'The same in the form of the IETF draft.'],
  ['Retry-After', 'With 429 and 503: seconds to wait.'],
] as const;

const claudeCommand = (url: string): string =>
  `claude mcp add --transport http web3-bi ${url}/mcp \\\n  --header "Authorization: Bearer mk_..."`;
