import { Link, Submit, ThemeSwitch, usePage } from '../components.tsx';
import { SearchInput } from '../data/name-completion.tsx';
import { ALL, GRANTS, KINDS, kindPath } from '../data/parsed-search.ts';
import { Logo } from '../icons.tsx';
import type { Frame } from '../layout.tsx';
import { Ignored, KeptFields } from '../lists.tsx';

export function LinkPreview({ title, description, canonical }: Frame) {
  if (canonical === undefined) return <meta name="robots" content="noindex" />;
  return (
    <>
      <link rel="canonical" href={canonical} />
      <meta name="description" content={description} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="web3-bi" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={canonical} />
      <meta name="twitter:card" content="summary" />
    </>
  );
}

/** A public page with a search box, without script. */
export function PublicFrame({ body, path, searched, kept, ignored = [] }: Frame) {
  return (
    <>
      <header class="top">
        <Link to="/" class="brand">
          <Logo /> <span>web3-bi</span>
        </Link>
        {path === '/' || searched === undefined ? (
          <span class="top-space" />
        ) : (
          <SearchBox text={searched} kept={kept} />
        )}
        <details class="site">
          <summary>Menu</summary>
          <SiteLinks hasRecords={searched !== undefined} />
        </details>
      </header>
      <main id="main" class="public" tabIndex={-1}>
        <Ignored parameters={ignored} />
        {body}
      </main>
      <footer class="foot">
        <p>
          Facts with their sources, for agents and people. <Link to="/docs">Documentation</Link> ·{' '}
          <Link to="/docs/reference">API</Link> · <Link to="/llms.txt">llms.txt</Link>
        </p>
        <ThemeSwitch />
      </footer>
    </>
  );
}

/** The pages of this site: a line of links on a wide screen, and otherwise what the menu opens. */
function SiteLinks({ hasRecords }: { hasRecords: boolean }) {
  return (
    <nav aria-label="Site">
      {hasRecords ? (
        <>
          {KINDS.filter((kind) => kind.type !== ALL && kind !== GRANTS).map((kind) => (
            <Link key={kind.label} to={kindPath(kind)}>
              {kind.label}
            </Link>
          ))}
          <Link to="/search/aggregate">Aggregate</Link>
          <Link to="/search/connections">Connections</Link>
          <Link to="/coverage">Coverage</Link>
        </>
      ) : null}
      <Link to="/docs">Docs</Link>
      <Link to="/account">Account</Link>
    </nav>
  );
}

interface SearchBoxProps {
  readonly text: string;
  readonly kept?: string | undefined;
  readonly isLarge?: boolean;
}

export function SearchBox({ text, kept = '', isLarge = false }: SearchBoxProps) {
  return (
    <search>
      <form method="get" action={`${usePage().base}/search`} class={isLarge ? 'ask large' : 'ask'}>
        <SearchInput id="ask" text={text} />
        <KeptFields search={kept} />
        <Submit>Search</Submit>
      </form>
    </search>
  );
}
