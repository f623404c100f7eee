/** Reports on a company: its largest rounds, the companies most like it, and what all rounds on record raised by year. */
import { createClient, keyAccess, ServiceError } from 'web3-bi-mcp/client';

const { WEB3_BI_BASE_URL = 'http://127.0.0.1:4020', WEB3_BI_API_KEY } = process.env;
if (WEB3_BI_API_KEY === undefined) {
  console.error('Set WEB3_BI_API_KEY to a key of the service, such as the one that `web3-bi sandbox` prints.');
  process.exit(2);
}
const slug = process.argv[2] ?? 'uniswap';
const client = createClient(WEB3_BI_BASE_URL, keyAccess(WEB3_BI_API_KEY));
/** Amounts are decimal text, exact to the cent; null if no source states one. */
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', notation: 'compact' });
const amount = (text: unknown): string => (text === null ? 'undisclosed' : dollars.format(Number(text)));

try {
  // Each type of record has its own fields: `company` has `tags`, a round has `amount_usd`.
  const company = await client.get('companies', slug);
  console.log(`${company.name}: ${company.tagline ?? 'no tagline'} (${company.tags.join(', ')})`);

  const { results } = await client.search({ type: 'rounds', company: slug, sort: '-amount_usd', limit: 3 });
  for (const round of results) {
    // A search returns records of any type; `type` tells them apart.
    if (round.type === 'rounds') console.log(`${round.announced_date}  ${amount(round.amount_usd)}`);
  }

  const similar = await client.related('companies', slug, 'similar', { limit: 3 });
  console.log(`Similar: ${similar.results.map(({ name }) => name).join(', ')}`);

  const { rows } = await client.aggregate({
    of: 'rounds',
    group_by: ['year'],
    measure: ['count', 'sum'],
    // Grants are rounds too, and most of them.
    funding_stage: 'except:grant',
    order: '-year',
  });
  for (const [year, rounds, sum] of rows.slice(0, 3)) console.log(`${year}: ${rounds} rounds, ${amount(sum)}`);
} catch (error) {
  if (!(error instanceof ServiceError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}
