import type { VNode } from 'preact';
import { Link } from './components.tsx';
import { usePage } from './context.ts';
import { Icon, type IconName } from './icons.tsx';

interface MenuItem {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
  /** Shown only if searches are sold, and on the page itself. */
  readonly isOfSelling?: boolean;
}

interface MenuGroup {
  readonly label?: string;
  readonly items: readonly MenuItem[];
}

export function Menu({ groups, path, label }: { groups: readonly MenuGroup[]; path: string; label: string }): VNode {
  const { isSelling } = usePage();
  const all = groups.flatMap(({ items }) => items.map(({ to }) => to));
  // The current entry is the longest prefix of the path.
  const place = all.filter((to) => path === to || path.startsWith(`${to}/`)).sort((a, b) => b.length - a.length)[0];
  return (
    <nav aria-label={label}>
      {groups.map((group, index) => (
        <div key={group.label ?? index}>
          {group.label === undefined ? null : <p class="menu-label">{group.label}</p>}
          <ul>
            {group.items
              .filter(({ to, isOfSelling = false }) => isSelling || !isOfSelling || to === place)
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

export const ACCOUNT_MENU: readonly MenuGroup[] = [
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
      { to: '/account/data/aggregate', label: 'Aggregate', icon: 'chart' },
      { to: '/account/import', label: 'Import', icon: 'upload' },
      { to: '/account/duplicates', label: 'Duplicates', icon: 'people' },
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

export const DOCS_MENU: readonly MenuGroup[] = [
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
