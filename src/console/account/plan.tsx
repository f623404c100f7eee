import { endpoints, isPriced } from '../../contract/endpoints.ts';
import { PLAN_NAMES, PLANS, type PlanName } from '../../contract/plans.ts';
import { shellWord } from '../../contract/shell-word.ts';
import { countText, withOr } from '../../contract/value-text.ts';
import { PRICE_USD } from '../../contract/x402.ts';
import type { Account } from '../../store/port/access.ts';
import { Badge, Card, Copyable, Link, Notice, Operator, PageHead, WhereSold } from '../components.tsx';
import { forMember, pageReply } from '../page-route.ts';
import { Unpublished, useCommand } from '../program.tsx';

export const planRoutes = [
  forMember('get', '/account/plan', async ({ deps, member }) => {
    const account = (await deps.store.accounts.find(member.account)) as Account;
    const isOperator = await deps.store.members.isOperator(member.account);
    return pageReply('Plan', <Plan account={account} isOperator={isOperator} />);
  }),
];

const ALLOWS: Readonly<Record<PlanName, readonly string[]>> = {
  none: ['Health check and documentation'],
  api_access: [
    'Everything without a plan',
    'Search, lists and records with a key',
    'Create, change and delete records, by the level of the key',
    'MCP for agents, this console, import',
  ],
  enterprise: ['Everything of API Access', 'Limits of your own, or none'],
};

const limitText = (limit: number | null, period: string): string =>
  limit === null ? `No limit a ${period}` : `${countText(limit)} requests a ${period} for each key`;

/** Limits: the account's own on its current plan, the standard ones on others. */
function Limits({ plan, own }: { plan: PlanName; own: Account['limits'] | undefined }) {
  if (!PLANS[plan].hasApi) return null;
  if (own === undefined && PLANS[plan].daily === null) return <p class="limits">Limits by agreement</p>;
  const limits = own ?? PLANS[plan];
  return (
    <ul class="limits">
      <li>{limitText(limits.daily, 'day')}</li>
      <li>{limitText(limits.monthly, 'month')}</li>
    </ul>
  );
}

function Plan({ account, isOperator }: { account: Account; isOperator: boolean }) {
  const { plan, name } = account;
  return (
    <>
      <PageHead title="Plan" lead={`Features and limits of ${name}.`} />
      {PLANS[plan].hasApi ? null : (
        <Notice tone="warn">
          Requests with a key are answered with <code>403 plan_required</code>. Keys are kept, and work again with a
          plan.
        </Notice>
      )}
      <div class="plans">
        {PLAN_NAMES.map((one) => {
          const isCurrent = one === plan;
          return (
            <section class={isCurrent ? 'card plan current' : 'card plan'} key={one} aria-label={PLANS[one].label}>
              <h2>
                {PLANS[one].label} {isCurrent ? <Badge tone="good">Your plan</Badge> : null}
              </h2>
              <Limits plan={one} own={isCurrent ? account.limits : undefined} />
              <ul class="ticks">
                {ALLOWS[one].map((text) => (
                  <li key={text}>{text}</li>
                ))}
                {one === 'none' ? (
                  <WhereSold>
                    <li>
                      Pay per request with x402, no key: {PRICE_USD} USD for a request of{' '}
                      {withOr(endpoints.filter(isPriced).map(({ path }) => path.split('/').at(-1) ?? path))}
                    </li>
                  </WhereSold>
                ) : null}
              </ul>
            </section>
          );
        })}
      </div>
      <Card title="Change the plan">
        <p>
          {isOperator ? (
            'You operate this service. A plan applies at once and to all keys of an account. On its machine, with its settings:'
          ) : (
            <>
              Ask <Operator />, and name the account {name}. A new plan applies at once and to all your keys.
            </>
          )}
        </p>
        {isOperator ? (
          <>
            <Copyable
              id="set-plan"
              label="command"
              text={`${useCommand('web3-bi')} account set-plan ${shellWord(name)} enterprise --daily 50000`}
            />
            <Unpublished command="web3-bi" />
          </>
        ) : null}
        <WhereSold>
          <p>
            Without a plan, a wallet pays {PRICE_USD} USD a request: <Link to="/docs/x402">Pay per request</Link>.
          </p>
        </WhereSold>
        <p class="hint">
          <Link to="/docs/limits">Limits and counting</Link> says which requests count.
        </p>
      </Card>
    </>
  );
}
