import type { ComponentChildren, VNode } from 'preact';
import { ServiceError } from '../../contract/errors.ts';
import { NETWORKS } from '../../contract/networks.ts';
import type { PaymentRecord } from '../../store/port/payments.ts';
import { Badge, Card, FactList, Link, Notice, PageHead, Time } from '../components.tsx';
import { forMember, type PageAnswer, type PageRoute, pageReply, type SignedInRequest } from '../page-route.ts';
import { dollarsOf, dollarText, LOCAL_CHAIN, OnChain, TONES } from './payments.tsx';

export const paymentRoute: PageRoute = forMember('get', '/account/payments/:id', showPayment);

/** The detail page of a payment, for the operator. */
async function showPayment({ deps, member, params }: SignedInRequest): Promise<PageAnswer> {
  const id = /^\d{1,15}$/.test(params['id'] ?? '') ? Number(params['id']) : undefined;
  const isOperator = await deps.store.members.isOperator(member.account);
  const found = isOperator && id !== undefined ? await deps.store.payments.lookUp(String(id)) : [];
  const payment = found.find((one) => one.id === id);
  if (payment === undefined) throw new ServiceError('not_found', 'There is no payment of this number.');
  const isOnLocalChain = deps.paymentGate?.isOnLocalChain ?? false;
  return pageReply(`Payment ${id}`, <Payment payment={payment} isOnLocalChain={isOnLocalChain} />);
}

const MEANING: Readonly<Record<PaymentRecord['state'], string>> = {
  open: 'Being verified; nothing is charged.',
  settling: 'Sent to the facilitator; the outcome is pending.',
  unknown: 'Submitted to the facilitator; the outcome is not known yet and is being checked on the chain.',
  settled: 'Paid.',
  failed: 'Refused; nothing was charged.',
};

function Payment({ payment, isOnLocalChain }: { payment: PaymentRecord; isOnLocalChain: boolean }): VNode {
  const { state, network, item } = payment;
  const [path = '', query = ''] = item.split('?');
  const facts: readonly (readonly [string, ComponentChildren])[] = [
    ['State', <Badge tone={TONES[state]}>{state}</Badge>],
    ['Meaning', MEANING[state]],
    ['Reason', payment.reason],
    ['Amount', dollarText(dollarsOf(network, payment.amount))],
    ['Network', `${NETWORKS[network].label} (${network})`],
    ['Payer', <OnChain {...{ network, isOnLocalChain }} kind="address" text={payment.payer} isWhole />],
    ['Paid to', <OnChain {...{ network, isOnLocalChain }} kind="address" text={payment.pay_to} isWhole />],
    [
      'Transaction',
      payment.transaction && <OnChain {...{ network, isOnLocalChain }} kind="tx" text={payment.transaction} isWhole />,
    ],
    ['Request', <code>{path}</code>],
    ...[...new URLSearchParams(query)].map(([name, value]) => [`Parameter ${name}`, value] as const),
    ['Asked', <Time at={payment.created_at} />],
    ['Settled', <Time at={payment.settled_at} empty="Not yet" />],
    ['Answer fetched', <Time at={payment.delivered_at} empty="Not yet" />],
    ['Valid until', <Time at={new Date(payment.valid_before * 1_000)} />],
    ['Nonce', <code>{payment.nonce}</code>],
    ['Identifier', payment.identifier && <code>{payment.identifier}</code>],
    ['Request id', <code>{payment.request_id}</code>],
  ];
  return (
    <>
      <p class="crumbs">
        <Link to="/account/payments">Payments</Link>
      </p>
      <PageHead title={`Payment ${payment.id}`} />
      {isOnLocalChain ? <Notice tone="info">{LOCAL_CHAIN}</Notice> : null}
      <Card>
        <FactList facts={facts} isBeside />
      </Card>
    </>
  );
}
