import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Member } from '../store/port/members.ts';
import type { SiteContext } from './assets.ts';
import { ButtonLink, Link, PageContextProvider, PostForm, PrimaryLink, ThemeSwitch } from './components.tsx';
import { DocSearchBox } from './docs/found-parts.tsx';
import { Icon, type IconName, Logo } from './icons.tsx';
import type { PageError } from './page-errors.ts';
import { LinkPreview, PublicFrame } from './public/frame.tsx';

export interface Frame extends SiteContext {
  readonly title: string;
  readonly body: VNode;
  readonly formToken: string;
  /** Path of the page below the base, to highlight the menu entry. */
  readonly path: string;
  readonly member?: Member | undefined;
  /** Whether the member sees the payments of this service. */
  readonly seesPayments?: boolean;
  readonly scripts?: readonly string[];
  readonly styles?: readonly string[];
  /** Sidebar menu; `none` before sign-in. */
  readonly menu: 'account' | 'docs' | 'none' | 'public';
  readonly description?: string | undefined;
  /** Canonical URL; public pages only. */
  readonly canonical?: string | undefined;
  /** Whether a page of the documentation has its search box above it. */
  readonly hasSearch?: boolean;
  /** Content of the search box on public pages. */
  readonly searched?: string | undefined;
  readonly kept?: string | undefined;
  /** Parameters of the address that a public page does not have. */
  readonly ignored?: readonly string[];
}

/** No injected styles, which the content security policy forbids. */
const HTMX_CONFIG = JSON.stringify({ includeIndicatorCSS: false, history: true });

export function renderPage(frame: Frame): string {
  const { base, formToken, isSelling, contact, program, menu } = frame;
  const [recordsAt, searchAt] = menu === 'public' ? ['', '/search'] : ['/account/data', '/account/data'];
  const html = renderToString(
    <PageContextProvider value={{ base, hasPages: true, formToken, isSelling, contact, program, recordsAt, searchAt }}>
      <Document {...frame} />
    </PageContextProvider>,
  );
  return `<!doctype html>${html.replace(MISLEADING, '')}`;
}

/** Control characters, and those with which the text of a record could reverse what follows it on the page. */
const MISLEADING = /(?![\t\n\r])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

function Document(frame: Frame) {
  const { title, assets, base, scripts = [], styles = [], menu } = frame;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {scripts.length === 0 ? null : <meta name="htmx-config" content={HTMX_CONFIG} />}
        <title>{`${title} · web3-bi`}</title>
        <LinkPreview {...frame} />
        <link rel="icon" href={`${base}/favicon.ico`} type="image/svg+xml" />
        <link rel="preload" href={assets.href('inter.woff2')} as="font" type="font/woff2" crossOrigin="anonymous" />
        {['pages.css', ...styles].map((name) => (
          <link key={name} rel="stylesheet" href={assets.href(name)} />
        ))}
        {/* Not deferred, so that the chosen theme applies to the first paint. */}
        <script src={assets.href('pages.js')} />
        {scripts.map((name) => (
          <script key={name} src={assets.href(name)} defer />
        ))}
      </head>
      <body class={`with-${menu}`}>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <Body {...frame} />
      </body>
    </html>
  );
}

function Body(frame: Frame) {
  switch (frame.menu) {
    case 'none':
      return <Alone {...frame} />;
    case 'public':
      return <PublicFrame {...frame} />;
    default:
      return <Framed {...frame} />;
  }
}

/** A page before sign-in. */
function Alone({ body }: Frame) {
  return (
    <>
      <header class="alone-head">
        <Link to="/" class="brand">
          <Logo /> web3-bi
        </Link>
        <Link to="/docs">Docs</Link>
      </header>
      <main id="main" class="alone" tabIndex={-1}>
        {body}
      </main>
    </>
  );
}

function Framed({ body, path, member, menu, isSelling, hasSearch = true, seesPayments = false }: Frame) {
  const groups = menu === 'account' ? ACCOUNT_MENU : DOCS_MENU;
  return (
    <div class="frame">
      <header class="side">
        <Link to={menu === 'account' ? '/account' : '/docs'} class="brand">
          <Logo /> web3-bi{menu === 'docs' ? <span class="muted"> docs</span> : null}
        </Link>
        {member === undefined ? null : (
          <p class="who">
            <strong>{member.account}</strong>
            <span>{member.email}</span>
          </p>
        )}
        <details class="menu" open>
          <summary>Menu</summary>
          <Menu
            groups={groups}
            path={path}
            label={menu === 'account' ? 'Account' : 'Documentation'}
            hasPaid={menu === 'account' ? seesPayments : isSelling}
          />
          {member === undefined ? (
            <p class="sign">
              <Link to="/">Start page</Link> · <Link to="/account">Account</Link>
            </p>
          ) : (
            <PostForm to="/account/sign-out" class="sign">
              <button class="button plain small" type="submit">
                Sign out
              </button>
            </PostForm>
          )}
          <ThemeSwitch />
        </details>
      </header>
      <main id="main" tabIndex={-1}>
        {menu === 'docs' && hasSearch ? <DocSearchBox /> : null}
        {body}
      </main>
    </div>
  );
}

type ErrorBodyProps = Pick<PageError, 'status' | 'title' | 'message'> & Partial<PageError>;

/** What went wrong, why, and what to do next: to ask again where waiting helps, or else `children`. */
export function ErrorBody(props: ErrorBodyProps & { children: ComponentChildren }) {
  const { status, title, message, advice, wait, again, children } = props;
  return (
    <div class="error-page">
      <p class="error-status">{status}</p>
      <h1>{title}</h1>
      <p>{message}</p>
      {advice === undefined ? null : <p class="muted">{advice}</p>}
      {wait === undefined ? null : (
        <p>
          {status === 429 ? 'It works again in ' : 'It may work again in '}
          <strong>{wait === 1 ? 'a second' : `${wait} seconds`}</strong>
          {again === undefined ? '.' : '; this page is then asked for by itself.'}
        </p>
      )}
      {again === undefined ? (
        children
      ) : (
        <p class="actions">
          <PrimaryLink to={again}>Try again</PrimaryLink>
          {status === 429 ? <ButtonLink to="/docs/limits">The limits</ButtonLink> : null}
        </p>
      )}
    </div>
  );
}

interface MenuItem {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
  /** Shown only to whom payments concern, and on the page itself. */
  readonly isPaid?: boolean;
}

interface MenuGroup {
  readonly label?: string;
  readonly items: readonly MenuItem[];
}

interface MenuProps {
  readonly groups: readonly MenuGroup[];
  readonly path: string;
  readonly label: string;
  /** Whether its entries of payments are shown. */
  readonly hasPaid: boolean;
}

function Menu({ groups, path, label, hasPaid }: MenuProps) {
  const all = groups.flatMap(({ items }) => items.map(({ to }) => to));
  // The current entry is the longest prefix of the path; the overview of an account has no pages below it.
  const place = all
    .filter((to) => path === to || (to !== '/account' && path.startsWith(`${to}/`)))
    .sort((a, b) => b.length - a.length)[0];
  return (
    <nav aria-label={label}>
      {groups.map((group, index) => (
        <div key={group.label ?? index}>
          {group.label === undefined ? null : <p class="menu-label">{group.label}</p>}
          <ul>
            {group.items
              .filter(({ to, isPaid = false }) => hasPaid || !isPaid || to === place)
              .map(({ to, label: text, icon }) => (
                <li key={to}>
                  <Link to={to} aria-current={to === place ? 'page' : undefined}>
                    <Icon name={icon} />
                    {text}
                  </Link>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

const ACCOUNT_MENU: readonly MenuGroup[] = [
  {
    items: [
      { to: '/account', label: 'Overview', icon: 'home' },
      { to: '/account/keys', label: 'API keys', icon: 'key' },
      { to: '/account/usage', label: 'Usage', icon: 'chart' },
      { to: '/account/requests', label: 'Requests', icon: 'list' },
      { to: '/account/payments', label: 'Payments', icon: 'coins', isPaid: true },
    ],
  },
  {
    label: 'Data',
    items: [
      { to: '/account/data', label: 'Browse', icon: 'search' },
      { to: '/account/data/aggregate', label: 'Aggregate', icon: 'chart' },
      { to: '/account/data/connections', label: 'Connections', icon: 'path' },
      { to: '/account/import', label: 'Import', icon: 'upload' },
      { to: '/account/duplicates', label: 'Duplicates', icon: 'copy' },
    ],
  },
  {
    label: 'Account',
    items: [
      { to: '/account/plan', label: 'Plan', icon: 'card' },
      { to: '/account/members', label: 'Members', icon: 'people' },
      { to: '/account/audit', label: 'Audit log', icon: 'shield' },
      { to: '/account/health', label: 'Health', icon: 'pulse' },
      { to: '/account/profile', label: 'Your profile', icon: 'person' },
      { to: '/docs', label: 'Docs', icon: 'book' },
    ],
  },
];

const DOCS_MENU: readonly MenuGroup[] = [
  {
    items: [
      { to: '/docs', label: 'Quick start', icon: 'bolt' },
      { to: '/docs/search', label: 'Search and records', icon: 'search' },
      { to: '/docs/mcp', label: 'MCP for agents', icon: 'code' },
      { to: '/docs/x402', label: 'Pay per request', icon: 'coins', isPaid: true },
    ],
  },
  {
    label: 'Reference',
    items: [
      { to: '/docs/reference', label: 'API reference', icon: 'book' },
      { to: '/docs/limits', label: 'Limits and counting', icon: 'chart' },
      { to: '/docs/errors', label: 'Errors', icon: 'alert' },
      { to: '/docs/guides', label: 'Guides', icon: 'copy' },
      { to: '/docs/changes', label: 'Versions', icon: 'list' },
    ],
  },
];
