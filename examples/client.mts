/** Reports on a company: its largest rounds, who invests most often with its investors, and when companies like it raised. */
import { createClient, keyAccess, ServiceError } from 'web3-bi-mcp/client';

const { WEB3_BI_BASE_URL = 'http://127.0.0.1:4020', WEB3_BI_API_KEY = '' } = process.env;
const slug = process.argv[2] ?? 'uniswap';
const client = createClient(WEB3_BI_BASE_URL, keyAccess(WEB3_BI_API_KEY));

try {
  // Each type of record has its own fields: `company` has `tags`, a round has `amount_usd`.
  const company = await client.get('companies', slug);
  console.log(`${company.name}: ${company.tagline ?? 'no tagline'} (${company.tags.join(', ')})`);

  const { results } = await client.search({ type: 'rounds', company: slug, sort: '-amount_usd', limit: 3 });
  for (const round of results) {
    // A search returns records of any type; `type` tells them apart.
    if (round.type === 'rounds') console.log(`${round.announced_date}  ${round.amount_usd ?? 'undisclosed'} USD`);
  }

  const similar = await client.related('companies', slug, 'similar', { limit: 3 });
  console.log(`Similar: ${similar.results.map(({ name }) => name).join(', ')}`);

  const { rows } = await client.aggregate({
    of: 'rounds',
    group_by: ['year'],
    measure: ['count', 'sum'],
    order: '-year',
  });
  for (const [year, rounds, amount] of rows.slice(0, 3)) console.log(`${year}: ${rounds} rounds, ${amount} USD`);
} catch (error) {
  if (!(error instanceof ServiceError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}
