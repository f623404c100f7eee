import { ACTIVE_KEYS_MAX } from '../../contract/keys.ts';
import { DAY_MS } from '../../contract/periods.ts';
import { counted, countText } from '../../contract/value-text.ts';
import type { ListedKey } from '../../store/port/access.ts';
import {
  Badge,
  Day,
  EmptyCard,
  Link,
  Notice,
  namedRow,
  PageHead,
  PrimaryLink,
  Table,
  Time,
  type Tone,
} from '../components.tsx';

const UNUSED_DAYS = 30;

const LEVEL_TONES: Readonly<Record<string, Tone>> = { read: 'plain', write: 'info', delete: 'warn' };
export const LevelBadge = ({ level }: { level: string }) => <Badge tone={LEVEL_TONES[level] ?? 'plain'}>{level}</Badge>;

const STATUS_TONES: Readonly<Record<ListedKey['status'], Tone>> = {
  active: 'good',
  replaced: 'warn',
  expired: 'bad',
  revoked: 'bad',
};

/** Status of a key; a rotated one shows the end of its overlap. */
export function Status({ listed, now }: { listed: ListedKey; now: Date }) {
  const { status, overlap_ends_at } = listed;
  const left = overlap_ends_at === null ? 0 : new Date(overlap_ends_at).getTime() - now.getTime();
  if (status !== 'replaced') return <Badge tone={STATUS_TONES[status]}>{status}</Badge>;
  return (
    <>
      <Badge tone="warn">replaced</Badge>{' '}
      <span class="nowrap muted" data-until={overlap_ends_at}>
        works {duration(left)} more
      </span>
    </>
  );
}

function duration(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

export const works = ({ status }: ListedKey): boolean => status === 'active' || status === 'replaced';

const isUnused = (key: ListedKey, now: Date): boolean =>
  key.status === 'active' &&
  now.getTime() - new Date(key.last_used_at ?? key.created_at).getTime() > UNUSED_DAYS * DAY_MS;

function LastUsed({ listed, now }: { listed: ListedKey; now: Date }) {
  const { last_used_at } = listed;
  if (last_used_at === null) return <span class="muted">Never</span>;
  const days = (now.getTime() - new Date(last_used_at).getTime()) / DAY_MS;
  const age = days < 7 ? 'fresh' : days < UNUSED_DAYS ? 'aged' : 'old';
  return (
    <span class={`age ${age}`}>
      <Time at={last_used_at} />
    </span>
  );
}

interface KeyListProps {
  readonly keys: readonly ListedKey[];
  readonly now: Date;
  readonly hasApi: boolean;
  readonly done: string | undefined;
}

const DONE: Readonly<Record<string, string>> = {
  revoked: 'The key is revoked. Requests with it are refused from now on.',
  again:
    'This form was already submitted, so no second key was made. The secret of a key is shown only once; rotate the key if it is lost.',
};

export function KeyList({ keys, now, hasApi, done }: KeyListProps) {
  const good = keys.filter(works);
  const ended = keys.filter((key) => !works(key));
  const unused = keys.filter((key) => isUnused(key, now));
  return (
    <>
      <PageHead
        title="API keys"
        lead={`Keys for your programs and agents. Each has a quota of its own; up to ${ACTIVE_KEYS_MAX} can be active.`}
        action={good.length === 0 ? null : <PrimaryLink to="/account/keys/new">Create key</PrimaryLink>}
      />
      {DONE[done ?? ''] ? <Notice tone={done === 'again' ? 'warn' : 'good'}>{DONE[done ?? '']}</Notice> : null}
      {hasApi ? null : (
        <Notice tone="warn">
          Your account has no plan that includes the API, so keys are refused with 403.{' '}
          <Link to="/account/plan">See plans</Link>.
        </Notice>
      )}
      {unused.length > 0 ? (
        <Notice tone="info">
          {unused.length === 1 ? 'One key has' : `${unused.length} keys have`} not been used for {UNUSED_DAYS} days:{' '}
          {unused.map(({ id, name }, index) => [
            index === 0 ? '' : ', ',
            <Link to={`/account/keys/${id}`}>{name}</Link>,
          ])}
          . A key that nobody needs is best revoked.
        </Notice>
      ) : null}
      {good.length === 0 ? (
        <NoKey>Create a key, then search from a program, or give it to an agent over MCP.</NoKey>
      ) : (
        <KeyTable keys={good} now={now} label="Keys that work" />
      )}
      {ended.length > 0 ? (
        <details class="more">
          <summary>{counted(ended.length, 'revoked or expired keys')}</summary>
          <KeyTable keys={ended} now={now} label="Keys that no longer work" />
        </details>
      ) : null}
    </>
  );
}

function KeyTable({ keys, now, label }: { keys: readonly ListedKey[]; now: Date; label: string }) {
  return (
    <Table
      label={label}
      head={['Name', 'Key', 'Level', 'Today', 'Month', 'Last used', 'Expires', 'Status']}
      numbers={['Today', 'Month']}
    >
      {keys.map((key) =>
        namedRow(
          key.id,
          <>
            <Link to={`/account/keys/${key.id}`}>{key.name}</Link>{' '}
            {key.client_id === null ? null : <Badge tone="info">OAuth</Badge>}
          </>,
          <code class="nowrap">{key.display}</code>,
          <LevelBadge level={key.level} />,
          countText(key.requests_today),
          countText(key.requests_this_month),
          <LastUsed listed={key} now={now} />,
          <Day at={key.expires_at} />,
          <Status listed={key} now={now} />,
        ),
      )}
    </Table>
  );
}

export const NoKey = ({ children }: { readonly children: string }) => (
  <EmptyCard title="No key yet">
    <p>{children}</p>
    <p>
      <PrimaryLink to="/account/keys/new">Create key</PrimaryLink>
    </p>
  </EmptyCard>
);

/** Options of a key select; duplicate names get the key's number. */
export const keyOptions = (keys: readonly ListedKey[]): (readonly [string, string])[] =>
  keys.map(({ id, name, display }) => [String(id), `${name} (${display})`]);
