import type { KeyLevel } from '../../contract/keys.ts';
import { countText } from '../../contract/value-text.ts';
import type { ListedKey, MadeKey } from '../../store/port/access.ts';
import type { RequestEntry } from '../../store/port/request-log.ts';
import { newToken } from '../../store/tokens.ts';
import { Card, Copyable, FactList, Link, Notice, PageHead, PostForm, SmallLink, Submit, Time } from '../components.tsx';
import { curlCommand } from '../curl.ts';
import { mcpJson } from '../docs/quick-start.tsx';
import { Choices, ConfirmField, FormFaults, Select, TextArea, TextField } from '../fields.tsx';
import type { Faults } from '../form.ts';
import { Unpublished, useProgram } from '../program.tsx';
import { LevelBadge, Status, works } from './key-list.tsx';
import { RequestTable } from './requests.tsx';

export const EXPIRIES = [
  { value: 'never', label: 'Never', days: null },
  { value: '30', label: 'In 30 days', days: 30 },
  { value: '90', label: 'In 90 days', days: 90 },
  { value: '365', label: 'In a year', days: 365 },
] as const;

export const LEVELS: Readonly<Record<KeyLevel, { label: string; hint: string }>> = {
  read: { label: 'Read', hint: 'Search, list and get records. Right for agents and most programs.' },
  write: { label: 'Write', hint: 'Read, and create and change records.' },
  delete: { label: 'Delete', hint: 'Write, and delete and restore records.' },
};

const OVERLAP_OPTIONS = [
  { value: '24h', label: '24 hours' },
  { value: '0', label: 'Ends at once' },
  { value: '1h', label: '1 hour' },
  { value: '7d', label: '7 days' },
];

interface NewKeyProps {
  readonly values: Readonly<Record<string, string>>;
  readonly faults: Faults | undefined;
  readonly levels: readonly KeyLevel[];
}

export function NewKeyPage({ values, faults, levels }: NewKeyProps) {
  return (
    <>
      <PageHead title="Create key" lead="The secret is shown once, on the next page." />
      <FormFaults faults={faults} fields={['name', 'addresses', 'level']} />
      <Card>
        <PostForm to="/account/keys" class="stack">
          <input type="hidden" name="once" value={newToken()} />
          <TextField
            label="Name"
            name="name"
            value={values['name'] ?? ''}
            faults={faults}
            required
            maxlength={50}
            autocomplete="off"
            hint="Where it will be used, such as research-agent or staging."
          />
          <Choices
            legend="Level"
            name="level"
            chosen={values['level'] ?? 'read'}
            options={levels.map((level) => ({ value: level, ...LEVELS[level] }))}
          />
          {faults?.['level'] ? <p class="fault">{faults['level']}</p> : null}
          <Select label="Expires" name="expires" chosen={values['expires'] ?? 'never'} options={EXPIRIES} />
          <TextArea
            label="Allowed addresses"
            name="addresses"
            text={values['addresses'] ?? ''}
            rows={3}
            faults={faults}
            spellcheck={false}
            hint="Addresses or ranges, one per line, such as 192.0.2.7 or 10.0.0.0/8. Leave it empty to allow all."
          />
          <div class="actions">
            <Submit>Create key</Submit>
            <Link to="/account/keys" class="button plain">
              Cancel
            </Link>
          </div>
        </PostForm>
      </Card>
    </>
  );
}

interface MadeProps {
  readonly made: MadeKey;
  readonly rotated: ListedKey | undefined;
  readonly publicUrl: string;
}

/** The only page that shows a secret. It is the response to a form, is never stored and cannot be repeated. */
export function MadeKeyPage({ made, rotated, publicUrl }: MadeProps) {
  const { name, secret, id } = made;
  const path = '/api/v1/search?type=companies&query=zero+knowledge';
  const curl = curlCommand({ url: publicUrl, path, key: secret });
  return (
    <>
      <PageHead title={rotated === undefined ? 'Key created' : 'Key rotated'} lead={<strong>{name}</strong>} />
      <Notice tone="warn">
        Copy the secret now: this is the only time it is shown. Keep it where your program reads it, not in a page or a
        repository.
      </Notice>
      {rotated === undefined ? null : (
        <Notice tone="info">The old key works on for the time you chose. Both share one quota.</Notice>
      )}
      <Card title="Secret">
        <Copyable id="secret" text={secret} label="secret" />
        <p class="saved">
          <Link to={`/account/keys/${id}`} class="button primary" data-saved>
            I have saved it
          </Link>
        </p>
      </Card>
      <Card title="Try it">
        <Copyable id="curl" text={curl} label="curl command" />
      </Card>
      <Card title="Give it to an agent">
        <p>
          For Claude, Cursor and other MCP hosts, in their <code>mcp.json</code> (in VS Code, <code>servers</code>{' '}
          stands for <code>mcpServers</code>):
        </p>
        <Copyable id="mcp" text={mcpJson(useProgram(), publicUrl, { WEB3_BI_API_KEY: secret })} label="mcp.json" />
        <Unpublished />
      </Card>
    </>
  );
}

interface KeyPageProps {
  readonly listed: ListedKey;
  /** Whether the member may change it: its level is not above theirs. */
  readonly isManaged: boolean;
  readonly now: Date;
  readonly faults: Faults | undefined;
  readonly requests: readonly RequestEntry[];
}

export function KeyPage({ listed, isManaged, now, faults, requests }: KeyPageProps) {
  return (
    <>
      <p class="crumbs">
        <Link to="/account/keys">API keys</Link>
      </p>
      <PageHead title={listed.name} lead={<code>{listed.display}</code>} />
      <FormFaults faults={faults} fields={['name']} />
      <Facts listed={listed} now={now} />
      <Card
        title="Latest requests"
        action={<SmallLink to={`/account/requests?key=${listed.id}`}>All requests</SmallLink>}
      >
        <RequestTable requests={requests} hasKey={false} />
      </Card>
      {isManaged && listed.status === 'active' && listed.client_id === null ? <Rotate listed={listed} /> : null}
      {isManaged && works(listed) ? <Revoke listed={listed} faults={faults} /> : null}
      {isManaged || !works(listed) ? null : (
        <Notice tone="info">This key may do more than you; an owner of the account rotates or revokes it.</Notice>
      )}
    </>
  );
}

function Facts({ listed, now }: Pick<KeyPageProps, 'listed' | 'now'>) {
  return (
    <Card title="Key">
      <FactList
        isBeside
        facts={[
          ['Status', <Status listed={listed} now={now} />],
          ['Client', listed.client_id && <code>{listed.client_id}</code>],
          ['Level', <LevelBadge level={listed.level} />],
          [
            'Requests',
            `${ofLimit(listed.requests_today, listed.limits.daily)} today, ${ofLimit(listed.requests_this_month, listed.limits.monthly)} this month`,
          ],
          [
            'Last used',
            <>
              <Time at={listed.last_used_at} />
              {listed.last_used_ip === null ? null : ` from ${listed.last_used_ip}`}
            </>,
          ],
          [
            'Created',
            <>
              <Time at={listed.created_at} />
              {listed.created_by === null ? null : ` by ${listed.created_by}`}
            </>,
          ],
          ['Expires', <Time at={listed.expires_at} />],
          ['Addresses', listed.allowed_cidrs.join(', ') || 'From everywhere'],
        ]}
      />
    </Card>
  );
}

const ofLimit = (used: number, limit: number | null): string =>
  limit === null ? countText(used) : `${countText(used)} of ${countText(limit)}`;

function Rotate({ listed }: Pick<KeyPageProps, 'listed'>) {
  return (
    <Card title="Rotate">
      <p>
        Makes a new secret with the same name, level and quota. The old one can remain valid while you change your
        programs.
      </p>
      <PostForm to={`/account/keys/${listed.id}/rotate`} class="row">
        <input type="hidden" name="once" value={newToken()} />
        <Select label="The old key" name="overlap" chosen="24h" options={OVERLAP_OPTIONS} />
        <Submit look="">Rotate key</Submit>
      </PostForm>
    </Card>
  );
}

function Revoke({ listed, faults }: Pick<KeyPageProps, 'listed' | 'faults'>) {
  return (
    <Card title="Revoke">
      <p>Requests with this key are refused at once. This cannot be undone.</p>
      <PostForm to={`/account/keys/${listed.id}/revoke`} class="row">
        <ConfirmField name="name" text={listed.name} faults={faults} />
        <Submit look="danger">Revoke key</Submit>
      </PostForm>
    </Card>
  );
}
