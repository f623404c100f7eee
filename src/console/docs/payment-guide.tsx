import { endpoints, isPriced } from '../../contract/endpoints.ts';
import { NETWORKS, type NetworkId } from '../../contract/networks.ts';
import { withAnd } from '../../contract/value-text.ts';
import {
  PAYMENT_SECONDS_MAX,
  type PaymentRequired,
  PRICE_USD,
  priceOn,
  SOLD_TYPES,
  X402_VERSION,
} from '../../contract/x402.ts';
import { Badge, Copyable, Link, Notice, row, Table, usePage } from '../components.tsx';
import { DocPage, type DocProps, NamedTable } from './doc-page.tsx';

export function PaymentGuide(props: DocProps) {
  return usePage().isSelling ? <Selling {...props} /> : <NotSelling />;
}

function NotSelling() {
  return (
    <DocPage title="Pay per request" lead="This service takes no payments. Read its records with an API key.">
      <h2>Use a key instead</h2>
      <p>
        An API key has a daily and a monthly quota. The <Link to="/docs">quick start</Link> shows the first request, and{' '}
        <Link to="/docs/limits">Limits and counting</Link> what each plan includes.
      </p>
      <h2>What paying per request is</h2>
      <p>
        Where it is switched on, a program without an account pays a fraction of a dollar in USDC for one search, by the
        x402 protocol: the service states the price in an HTTP response, and the next request brings the payment. Here,
        the paid endpoints respond with <code>404</code>.
      </p>
      <p>
        To try it without money, run <code>web3-bi sandbox</code> on your machine: it brings a chain, a wallet and a
        service that sells.
      </p>
      <h2>For the operator of this service</h2>
      <p>
        Set <code>WEB3_BI_PAY_TO</code> to the address that is to be paid, and start the service again.
      </p>
    </DocPage>
  );
}

function Selling({ url, network: here = 'eip155:8453' }: DocProps) {
  const { label: name, isTest } = NETWORKS[here];
  return (
    <DocPage
      title="Pay per request"
      lead="x402: the price in an HTTP response, the payment in the next request. No account, no key."
    >
      <Notice tone="info">
        This instance: {name}, {isTest ? 'test money without value' : 'real money'}.
      </Notice>
      <h2>What it is</h2>
      <p>
        A request costs {PRICE_USD} US dollars in USDC. Records of {withAnd(SOLD_TYPES)} are sold; others need a key. An
        invalid request gets <code>400</code> before payment is requested, so it is never charged for a mistake.
      </p>
      <NamedTable
        label="Paid endpoints"
        head={['Endpoint', 'For']}
        rows={endpoints.filter(isPriced).map(({ method, path, summary }) => [`${method} ${path}`, summary] as const)}
      />
      <p>
        A wallet can fetch its purchases again with only a signature: <code>GET /api/v1/x402/purchases</code>.
      </p>
      <h2>Step by step</h2>
      <h3>1. Ask</h3>
      <Copyable
        id="ask"
        label="first request"
        text={`curl -i "${url}/api/v1/x402/search?q=zero+knowledge&type=companies"`}
      />
      <h3>2. Read the price</h3>
      <p>
        The response is <code>402</code>. Its header <code>PAYMENT-REQUIRED</code> has the requirements as base64 JSON;
        the body says the same.
      </p>
      <Copyable id="required" label="402 body" text={required(url, here)} />
      <h3>3. Sign</h3>
      <p>
        The wallet signs an EIP-3009 authorization: this amount, to this address, within this time. Signing costs no gas
        and moves nothing yet.
      </p>
      <h3>4. Ask again</h3>
      <p>
        Send the same request with the header <code>PAYMENT-SIGNATURE</code>. The service has the facilitator verify it,
        runs the search, and has the payment settled on the chain.
      </p>
      <h3>5. Read the response</h3>
      <p>
        <code>200</code> with the results. The header <code>PAYMENT-RESPONSE</code> and <code>meta</code> name the
        transaction, the payer and the price. If the search fails, nothing is settled. If the facilitator cannot be
        reached, the response is <code>503</code>, the authorization is not used up, and the same request can be sent
        again.
      </p>
      <h2>Networks</h2>
      <Table label="Networks" head={['Network', 'Chain', 'USDC']}>
        {Object.entries(NETWORKS).map(([id, { label, token }]) =>
          row(
            id,
            <>
              {label} {id === here ? <Badge tone="good">this instance</Badge> : null}
            </>,
            <code>{id}</code>,
            <code>{token.address}</code>,
          ),
        )}
      </Table>
      <h2>In Python</h2>
      <Copyable
        id="x402-python"
        label="Python with x402"
        text={`import os
from eth_account import Account
from x402 import x402ClientSync
from x402.http.clients import x402_requests
from x402.mechanisms.evm import EthAccountSigner
from x402.mechanisms.evm.exact.register import register_exact_evm_client

client = x402ClientSync()
register_exact_evm_client(client, EthAccountSigner(Account.from_key(os.environ["WALLET_KEY"])))
with x402_requests(client) as session:
    response = session.get(
        "${url}/api/v1/x402/search",
        params={"q": "zero knowledge", "type": "companies"},
    )`}
      />
    </DocPage>
  );
}

/** An example 402 body, equal to the service's but for the payee. */
function required(url: string, network: NetworkId): string {
  const { token } = NETWORKS[network];
  const amount = priceOn(network);
  const description = 'One search';
  const body: PaymentRequired = {
    x402Version: X402_VERSION,
    error: 'Payment required',
    resource: {
      url: `${url}/api/v1/x402/search?q=zero+knowledge&type=companies`,
      description,
      mimeType: 'application/json',
    },
    accepts: [
      {
        scheme: 'exact',
        network,
        amount,
        maxAmountRequired: amount,
        payTo: '0x...',
        asset: token.address,
        maxTimeoutSeconds: PAYMENT_SECONDS_MAX,
        description,
        extra: { ...token.domain },
      },
    ],
  };
  return JSON.stringify(body, null, 2);
}
