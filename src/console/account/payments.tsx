import type { ComponentChildren } from 'preact';
import { ServiceError } from '../../contract/errors.ts';
import { parseNumber } from '../../contract/fields.ts';
import { once } from '../../contract/lazy.ts';
import { NETWORKS, type NetworkId } from '../../contract/networks.ts';
import { toUsd } from '../../contract/usd.ts';
import { countText } from '../../contract/value-text.ts';
import { PRICE_USD } from '../../contract/x402.ts';
import { refusalMessage } from '../../service/refusal-reasons.ts';
import {
  type PaymentRecord,
  type PaymentTotal,
  SETTLEMENT_STATES,
  type SettlementState,
} from '../../store/port/payments.ts';
import {
  Badge,
  Card,
  Copyable,
  EmptyCard,
  FactList,
  Link,
  Notice,
  PageHead,
  row,
  Table,
  Time,
  type Tone,
  usePage,
  WhereSold,
} from '../components.tsx';
import { beforeOf, Figures, Older, SelectForm } from '../lists.tsx';
import { forMember, pageReply, type SignedInRequest } from '../page-route.ts';
import { DayChart, daysBack } from './usage-charts.tsx';

const DAYS = 30;
const PAGE_SIZE = 50;

/** Payments are visible to the operator only: the account of the first owner. */
export const paymentRoutes = [
  forMember('get', '/account/payments', async (pageRequest) =>
    (await isOfOperator(pageRequest))
      ? pageReply('Payments', <Payments {...(await readPayments(pageRequest))} />)
      : pageReply('Payments', <NotYours />, { status: 403 }),
  ),
  forMember('get', '/account/payments/:id', showPayment),
];

const isOfOperator = ({ deps, member }: SignedInRequest): Promise<boolean> =>
  deps.store.members.isOperator(member.account);

async function readPayments({ deps, query, now }: SignedInRequest) {
  const state = SETTLEMENT_STATES.find((one) => one === query['state']);
  const before = beforeOf(query);
  const days = daysBack(now, DAYS);
  const [found, totals] = await Promise.all([
    deps.store.payments.list({ state, before, limit: PAGE_SIZE + 1 }),
    deps.store.payments.totals({ from: days[0] }),
  ]);
  const isOnLocalChain = deps.paymentGate?.isOnLocalChain ?? false;
  const listed = { payments: found.slice(0, PAGE_SIZE), hasMore: found.length > PAGE_SIZE, state };
  return { ...listed, totals, days, isOnLocalChain, url: deps.publicUrl };
}

type PaymentsProps = Awaited<ReturnType<typeof readPayments>>;

const LOCAL_CHAIN =
  'These payments are made on a copy of the chain on this machine. Public explorers do not show them.';

const LEAD = (
  <>
    Requests that a wallet paid for with x402, without a key.
    <WhereSold>
      {' '}
      Each costs {PRICE_USD} USD: <Link to="/docs/x402">Pay per request</Link> says what is sold, and how.
    </WhereSold>
  </>
);

const NOTHING_SOLD = (
  <>
    Nothing is sold at the moment. Set <code>WEB3_BI_PAY_TO</code> to the address that is to be paid.
  </>
);

function NotYours() {
  return (
    <>
      <PageHead title="Payments" lead={LEAD} />
      <EmptyCard title="For the operator of this service">
        <p>Payments belong to no account. The account that set the service up sees them.</p>
      </EmptyCard>
    </>
  );
}

function Payments(props: PaymentsProps) {
  const { payments, hasMore, state, totals, isOnLocalChain } = props;
  const { isSelling } = usePage();
  const next = new URLSearchParams({ state: state ?? '', before: String(payments.at(-1)?.id ?? '') });
  return (
    <>
      <PageHead title="Payments" lead={LEAD} />
      {isOnLocalChain ? <Notice tone="info">{LOCAL_CHAIN}</Notice> : null}
      {isSelling || payments.length === 0 ? null : <Notice tone="info">{NOTHING_SOLD}</Notice>}
      {totals.length === 0 ? null : <Totals {...props} />}
      {payments.length === 0 && state === undefined ? null : (
        <SelectForm
          label="State"
          name="state"
          all="All"
          options={SETTLEMENT_STATES.map((one) => [one, one])}
          chosen={state}
        />
      )}
      {payments.length === 0 ? (
        <NoPayment {...props} />
      ) : (
        <PaymentTable payments={payments} isOnLocalChain={isOnLocalChain} />
      )}
      <Older what="payments" to={`/account/payments?${next}`} hasMore={hasMore} />
    </>
  );
}

function NoPayment({ state, isOnLocalChain, url }: PaymentsProps) {
  if (state !== undefined)
    return (
      <EmptyCard title={`No payment is ${state}`}>
        <p>
          <Link to="/account/payments">Show all</Link>
        </p>
      </EmptyCard>
    );
  if (!usePage().isSelling)
    return (
      <EmptyCard title="No payment yet">
        <p>{NOTHING_SOLD}</p>
        <p>
          Try it on your machine first: <code>web3-bi sandbox</code> brings a chain, a facilitator and a wallet.
        </p>
      </EmptyCard>
    );
  return (
    <Card title="No payment yet">
      <p>
        Ask for something that is sold. The response is 402, with the price and the address to pay
        {isOnLocalChain ? '; the terminal in which this service runs shows the same request with a payment.' : '.'}
      </p>
      <Copyable id="unpaid" text={`curl -i "${url}/api/v1/x402/search?q=uniswap"`} label="curl command" />
    </Card>
  );
}

const dollarsOf = (network: NetworkId, amount: string | bigint): number => Number(toUsd(BigInt(amount), network));

/** With as many digits as the token has: a search costs a fraction of a cent. */
const dollarText = (value: number): string => dollars().format(value);
const dollars = once(
  () => new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 6 }),
);

function Totals({ totals, days }: PaymentsProps) {
  const number = totals.reduce((sum, { payments }) => sum + payments, 0);
  const undelivered = totals.reduce((sum, total) => sum + total.undelivered, 0);
  const networks = [...new Set(totals.map(({ network }) => network))];
  const earned = networks
    .map((network) => dollarsOf(network, amountOf(totals.filter((total) => total.network === network))))
    .reduce((sum, dollars) => sum + dollars, 0);
  const figures = [
    { label: `Received, ${DAYS} days`, value: dollarText(earned) },
    { label: `Payments, ${DAYS} days`, value: countText(number) },
    { label: 'Answers not fetched yet', value: countText(undelivered), note: 'The same payment fetches them' },
  ];
  const series = networks.map((network, index) => ({
    label: NETWORKS[network].label,
    colour: `key-${index}`,
    values: dollarsByDay(
      totals.filter((total) => total.network === network),
      network,
    ),
  }));
  return (
    <>
      <Figures figures={figures} />
      <Card title={`US dollars a day, last ${DAYS} days`}>
        <DayChart
          id="payment-chart"
          label={`Received on ${series.map(({ label }) => label).join(', ')}`}
          days={days}
          series={series}
          format={dollarText}
        />
      </Card>
    </>
  );
}

const amountOf = (totals: readonly PaymentTotal[]): bigint =>
  totals.reduce((sum, { amount }) => sum + BigInt(amount), 0n);

const dollarsByDay = (totals: readonly PaymentTotal[], network: NetworkId): Map<string, number> =>
  new Map(
    totals.map(({ day }) => [day, dollarsOf(network, amountOf(totals.filter((total) => total.day === day)))] as const),
  );

const TONES: Readonly<Record<SettlementState, Tone>> = {
  open: 'plain',
  settling: 'info',
  unknown: 'warn',
  settled: 'good',
  failed: 'bad',
};

function PaymentTable({ payments, isOnLocalChain }: Pick<PaymentsProps, 'payments' | 'isOnLocalChain'>) {
  return (
    <Table
      label="Payments"
      head={['Time', 'State', 'Amount', 'Network', 'Payer', 'Transaction', 'Request']}
      numbers={['Amount']}
    >
      {payments.map(({ id, created_at, state, reason, amount, network, payer, transaction, item }) =>
        row(
          id,
          <Link to={`/account/payments/${id}`}>
            <Time at={created_at} hasSeconds />
          </Link>,
          <>
            <Badge tone={TONES[state]}>{state}</Badge>
            {reason === null ? null : <small class="muted error-code">{reasonText(reason)}</small>}
          </>,
          <td class="number main">{dollarText(dollarsOf(network, amount))}</td>,
          <td class="nowrap">{NETWORKS[network].label}</td>,
          <OnChain {...{ isOnLocalChain, network }} kind="address" text={payer} />,
          transaction && <OnChain {...{ isOnLocalChain, network }} kind="tx" text={transaction} />,
          <span class="long-item" title={item}>
            {itemText(item)}
          </span>,
        ),
      )}
    </Table>
  );
}

/** A facilitator's code, without the part that all codes share. */
const reasonText = (reason: string): string =>
  reason.replace(/^invalid_exact_evm_(payload_)?/, '').replaceAll('_', ' ');

/** The purchased item without the parameters that most requests share. */
function itemText(item: string): string {
  const [path = '', query = ''] = item.split('?');
  const asked = [...new URLSearchParams(query)].filter(
    ([name, value]) => !['limit', 'page'].includes(name) && value !== 'all',
  );
  return [path.split('/').at(-1), ...asked.map(([, value]) => value)].join(' · ');
}

interface OnChainProps {
  readonly network: NetworkId;
  readonly kind: 'tx' | 'address';
  readonly text: string;
  readonly isOnLocalChain: boolean;
  readonly isWhole?: boolean;
}

/** An address or transaction, linked to the explorer of a public chain without a referrer. On a local chain it is copied in full. */
function OnChain({ network, kind, text, isOnLocalChain, isWhole = false }: OnChainProps) {
  const code = (
    <code class={isOnLocalChain && !isWhole ? 'long-id' : undefined} title={text}>
      {isWhole || isOnLocalChain ? text : `${text.slice(0, 8)}…${text.slice(-4)}`}
    </code>
  );
  if (isOnLocalChain) return code;
  return (
    <a href={`${NETWORKS[network].explorer}/${kind}/${text}`} rel="noreferrer noopener" target="_blank">
      {code}
    </a>
  );
}

async function showPayment(pageRequest: SignedInRequest) {
  const { deps, params } = pageRequest;
  const id = parseNumber(params['id']);
  const isShown = id !== undefined && (await isOfOperator(pageRequest));
  const found = isShown ? await deps.store.payments.lookUp(String(id)) : [];
  const payment = found.find((one) => one.id === id);
  if (payment === undefined) throw new ServiceError('not_found', 'There is no payment of this number.');
  const isOnLocalChain = deps.paymentGate?.isOnLocalChain ?? false;
  return pageReply(`Payment ${id}`, <Payment payment={payment} isOnLocalChain={isOnLocalChain} />);
}

const MEANING: Readonly<Record<PaymentRecord['state'], string>> = {
  open: 'Being verified; nothing is charged.',
  settling: 'Sent to the facilitator; the outcome is pending.',
  unknown: 'Submitted to the facilitator; the outcome is not known yet and is being checked on the chain.',
  settled: 'Paid on the chain.',
  failed: 'Refused; nothing was charged.',
};

function Payment({ payment, isOnLocalChain }: { payment: PaymentRecord; isOnLocalChain: boolean }) {
  const { state, network, item } = payment;
  const [path = '', query = ''] = item.split('?');
  const none = state === 'failed' ? 'No' : 'Not yet';
  const onChain = (kind: OnChainProps['kind'], text: string | null) =>
    text === null ? null : <OnChain {...{ network, isOnLocalChain, kind, text }} isWhole />;
  const cards: readonly (readonly [string, readonly (readonly [string, ComponentChildren])[]])[] = [
    [
      'Payment',
      [
        ['Amount', dollarText(dollarsOf(network, payment.amount))],
        [
          'Reason',
          payment.reason && (state === 'failed' ? refusalMessage(payment.reason) : reasonText(payment.reason)),
        ],
        ['Network', `${NETWORKS[network].label} (${network})`],
        ['Payer', onChain('address', payment.payer)],
        ['Paid to', onChain('address', payment.pay_to)],
        ['Transaction', onChain('tx', payment.transaction)],
        ['Nonce', <code>{payment.nonce}</code>],
        ['Identifier', payment.identifier && <code>{payment.identifier}</code>],
      ],
    ],
    [
      'Request',
      [
        ['Path', <code>{path}</code>],
        ...[...new URLSearchParams(query)].map(([name, value]) => [`Parameter ${name}`, value] as const),
        ['Request id', <code>{payment.request_id}</code>],
      ],
    ],
    [
      'Times',
      [
        ['Asked', <Time at={payment.created_at} hasSeconds />],
        ['Settled', <Time at={payment.settled_at} empty={none} hasSeconds />],
        ['Answer fetched', <Time at={payment.delivered_at} empty={none} hasSeconds />],
        ['Valid until', <Time at={new Date(payment.valid_before * 1_000)} hasSeconds />],
      ],
    ],
  ];
  return (
    <>
      <p class="crumbs">
        <Link to="/account/payments">Payments</Link>
      </p>
      <PageHead
        title={`Payment ${payment.id}`}
        lead={
          <>
            <Badge tone={TONES[state]}>{state}</Badge> {MEANING[state]}
          </>
        }
      />
      {isOnLocalChain ? <Notice tone="info">{LOCAL_CHAIN}</Notice> : null}
      {cards.map(([title, facts]) => (
        <Card key={title} title={title}>
          <FactList facts={facts} isBeside />
        </Card>
      ))}
    </>
  );
}
