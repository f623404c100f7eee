/** An agent that pays for what it reads: it looks names up until its budget ends, and accounts for every payment. */
import { createWalletClient, ServiceError } from 'web3-bi-mcp/client';

const { WEB3_BI_BASE_URL = 'http://127.0.0.1:4020', WEB3_BI_WALLET_KEY } = process.env;
const names = process.argv.slice(2);
if (WEB3_BI_WALLET_KEY === undefined || names.length === 0) {
  console.error('Set WEB3_BI_WALLET_KEY to the private key of a wallet with USDC of Base Sepolia, and give names:');
  console.error('node examples/agent.mts Uniswap Aave');
  process.exit(2);
}

const agent = createWalletClient(WEB3_BI_BASE_URL, {
  privateKey: WEB3_BI_WALLET_KEY,
  network: 'eip155:84532',
  budgets: { perCallUsd: '0.01', perSessionUsd: '0.02', perDayUsd: '1' },
  // Every process with this file shares the budgets, and none pays twice for the same request within an hour.
  ledgerFile: 'agent-wallet.db',
});

for (const query of names) {
  const client = agent.withBudget({ maxPriceUsd: '0.01' });
  try {
    const { results } = await client.search({ type: 'companies', query, limit: 1 });
    const [receipt] = client.receipts;
    const cost = receipt?.cached ? 'paid before' : `${receipt?.amountUsd} USD, ${receipt?.transaction}`;
    console.log(`${query}: ${results[0]?.name ?? 'nothing found'} (${cost})`);
  } catch (error) {
    // `budget_exceeded` among others: the message says whether money moved, and how much is left.
    if (!(error instanceof ServiceError)) throw error;
    console.log(`${query}: ${error.code}: ${error.message}`);
  }
}

const { budgets } = await agent.status(10);
console.log(`Left: ${budgets.session.leftUsd} USD in this session, ${budgets.day.leftUsd} USD today`);
await agent.close();
