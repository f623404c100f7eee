import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Person } from '../store/port/people.ts';
import { Link, PostForm } from './components.tsx';
import { PageContextProvider, usePage } from './context.ts';
import { Icon, type IconName, Logo } from './icons.tsx';
import type { Site } from './site.ts';

/** What goes around the body of a page. */
export interface Frame extends Site {
  readonly title: string;
  readonly body: VNode;
  readonly formToken: string;
  /** Address of the page below the base, to mark the place in the menu. */
  readonly path: string;
  /** Of the person who is signed in; the menu is theirs. */
  readonly person?: Person | undefined;
  readonly scripts?: readonly string[];
  /** Which menu stands beside the page; none is for pages before one is signed in. */
  readonly menu: 'account' | 'docs' | 'none';
}

/** No evaluated text, and no styles of the library's own: the policy of the page allows neither. */
const HTMX_CONFIG = JSON.stringify({ includeIndicatorCSS: false, history: true });

/** A whole page as HTML. */
export function renderPage(frame: Frame): string {
  const { base, formToken, isSelling } = frame;
  return `<!doctype html>${renderToString(
    <PageContextProvider value={{ base, formToken, isSelling }}>
      <Document {...frame} />
    </PageContextProvider>,
  )}`;
}

function Document(frame: Frame): VNode {
  const { title, assets, scripts = [], menu } = frame;
  const needsCharts = scripts.includes('uplot.js');
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="htmx-config" content={HTMX_CONFIG} />
        <title>{`${title} · web3-bi`}</title>
        <link rel="icon" href="data:," />
        <link rel="preload" href={assets.href('inter.woff2')} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="stylesheet" href={assets.href('pages.css')} />
        {needsCharts ? <link rel="stylesheet" href={assets.href('uplot.css')} /> : null}
        {[...scripts, 'pages.js'].map((name) => (
          <script key={name} src={assets.href(name)} defer />
        ))}
      </head>
      <body class={`with-${menu}`}>
        <a class="skip" href="#main">
          Skip to content
        </a>
        {menu === 'none' ? <Alone {...frame} /> : <Framed {...frame} />}
      </body>
    </html>
  );
}

/** A page before anybody is signed in. */
function Alone({ body }: Frame): VNode {
  return (
    <>
      <header class="alone-head">
        <Link to="/account" class="brand">
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

function Framed({ body, path, person, menu }: Frame): VNode {
  const groups = menu === 'account' ? ACCOUNT_MENU : DOCS_MENU;
  return (
    <div class="frame">
      <header class="side">
        <Link to={menu === 'account' ? '/account' : '/docs'} class="brand">
          <Logo /> web3-bi{menu === 'docs' ? <span class="muted"> docs</span> : null}
        </Link>
        {person === undefined ? null : (
          <p class="who">
            <strong>{person.account}</strong>
            <span>{person.email}</span>
          </p>
        )}
        <details class="menu" open>
          <summary>Menu</summary>
          <Menu groups={groups} path={path} label={menu === 'account' ? 'Account' : 'Documentation'} />
          {person === undefined ? (
            <p class="sign">
              <Link to="/account">Open your account</Link>
            </p>
          ) : (
            <PostForm to="/account/sign-out" class="sign">
              <button class="button plain small" type="submit">
                Sign out
              </button>
            </PostForm>
          )}
        </details>
      </header>
      <main id="main" tabIndex={-1}>
        {body}
      </main>
    </div>
  );
}

interface MenuItem {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
  /** Shown only where searches can be paid for. */
  readonly isOfSelling?: boolean;
}

interface MenuGroup {
  readonly label?: string;
  readonly items: readonly MenuItem[];
}

function Menu({ groups, path, label }: { groups: readonly MenuGroup[]; path: string; label: string }): VNode {
  const { isSelling } = usePage();
  const all = groups.flatMap(({ items }) => items.map(({ to }) => to));
  // The longest address that the page lies below is its place.
  const place = all.filter((to) => path === to || path.startsWith(`${to}/`)).sort((a, b) => b.length - a.length)[0];
  return (
    <nav aria-label={label}>
      {groups.map((group, index) => (
        <div key={group.label ?? index}>
          {group.label === undefined ? null : <p class="menu-label">{group.label}</p>}
          <ul>
            {group.items
              .filter(({ isOfSelling = false }) => isSelling || !isOfSelling)
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
      { to: '/account/payments', label: 'Payments', icon: 'coins' },
    ],
  },
  {
    label: 'Data',
    items: [
      { to: '/account/data', label: 'Browse', icon: 'search' },
      { to: '/account/import', label: 'Import', icon: 'upload' },
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
      { to: '/docs/x402', label: 'Pay per request', icon: 'coins', isOfSelling: true },
    ],
  },
  {
    label: 'Reference',
    items: [
      { to: '/docs/reference', label: 'API reference', icon: 'book' },
      { to: '/docs/limits', label: 'Limits and counting', icon: 'chart' },
      { to: '/docs/errors', label: 'Errors', icon: 'alert' },
      { to: '/docs/changes', label: 'Versions', icon: 'list' },
    ],
  },
];

/** A page that says why there is none, for a person. */
export function ErrorBody({
  status,
  title,
  children,
}: {
  status: number;
  title: string;
  children: ComponentChildren;
}): VNode {
  return (
    <div class="error-page">
      <p class="error-status">{status}</p>
      <h1>{title}</h1>
      {children}
      <p>
        <Link to="/account" class="button">
          To your account
        </Link>
      </p>
    </div>
  );
}
