import { entityOf, RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import { allows, type KeyLevel } from '../../contract/keys.ts';
import { PLANS } from '../../contract/plans.ts';
import type { Member } from '../../store/port/members.ts';
import { Card, Link, Notice, PageHead, WhereSold } from '../components.tsx';
import { auditRefusal } from '../page-limits.ts';
import {
  forMember,
  type PageHandler,
  type PageRequest,
  type PageRoute,
  pageReply,
  type SignedInRequest,
} from '../page-route.ts';

/** A record page. Requires a plan and the person's level, as the API does for keys. */
export const forReader = (path: string, run: PageHandler) => ({
  ...forMember('get', path, run),
  checkAccess: requireLevel('read'),
});

export const forEditor = (method: PageRoute['method'], path: string, run: PageHandler) => ({
  ...forMember(method, path, run),
  checkAccess: requireLevel('write'),
});

export const forRemover = (path: string, run: PageHandler, method: PageRoute['method'] = 'post') => ({
  ...forMember(method, path, run),
  checkAccess: requireLevel('delete'),
});

const requireLevel = (level: KeyLevel) => async (pageRequest: PageRequest) => {
  const { deps, session } = pageRequest;
  // The route requires sign-in.
  const member = session?.member as Member;
  const account = await deps.store.accounts.find(member.account);
  if (account === undefined || !PLANS[account.plan].hasApi) return noPlan();
  if (allows(member.level, level)) return undefined;
  await auditRefusal(pageRequest, 'record.refused', member.id);
  throw new ServiceError('forbidden', `Your level is ${member.level}; this needs ${level}. An owner can change it.`);
};

const noPlan = () =>
  pageReply(
    'Data',
    <>
      <PageHead title="Data" />
      <Card>
        <Notice tone="warn">
          Browsing the records needs the API Access or Enterprise plan, like the API itself.{' '}
          <Link to="/account/plan">See plans</Link>
          <WhereSold>
            , or <Link to="/docs/x402">pay per search</Link>
          </WhereSold>
          .
        </Notice>
      </Card>
    </>,
    { status: 403 },
  );

export function typeOf({ params }: SignedInRequest): RecordType {
  const type = RECORD_TYPES.find((one) => one === params['type']);
  if (type === undefined)
    throw new ServiceError('not_found', `There are records of these types: ${RECORD_TYPES.join(', ')}.`);
  return type;
}

export const noSuchRecord = (type: RecordType): ServiceError =>
  new ServiceError('not_found', `There is no ${entityOf(type).noun} at this address.`);
