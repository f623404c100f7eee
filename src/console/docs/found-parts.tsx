import { counted, countText } from '../../contract/value-text.ts';
import { Link, PageHead, Submit, usePage } from '../components.tsx';
import { type DocIndex, findParts } from './doc-search.ts';

export const DOC_QUERY_LENGTH_MAX = 200;

/** A box that searches the documentation, without script. */
export function DocSearchBox({ text = '' }: { text?: string }) {
  return (
    <search>
      <form method="get" action={`${usePage().base}/docs/find`} class="search">
        <input
          type="search"
          name="query"
          value={text}
          maxLength={DOC_QUERY_LENGTH_MAX}
          placeholder="Search the documentation"
          aria-label="Search the documentation"
        />
        <Submit look="">Search</Submit>
      </form>
    </search>
  );
}

export function FoundParts({ index, query }: { index: DocIndex; query: string }) {
  const { found, total, isWhole } = findParts(index, query);
  const of = `“${query}”`;
  const having = `${counted(total, 'parts')} with ${isWhole ? of : `some words of ${of}`}`;
  const lead =
    query === ''
      ? 'Guides, endpoints, parameters and errors.'
      : found.length === 0
        ? `Nothing has ${of}.`
        : total > found.length
          ? `The best ${countText(found.length)} of ${having}.`
          : `${having}, the best first.`;
  return (
    <div class="doc">
      <PageHead title="Search the documentation" lead={lead} />
      <DocSearchBox text={query} />
      {found.map(({ to, title, page, excerpt }) => (
        <section key={to}>
          <h2>
            <Link to={to}>{title}</Link>
          </h2>
          <p class="muted">
            {page === title ? '' : `${page}: `}
            {excerpt}
          </p>
        </section>
      ))}
      {found.length > 0 ? null : (
        <p>
          The documentation begins with the <Link to="/docs">quick start</Link>; there are{' '}
          <Link to="/docs/guides">guides</Link>, <Link to="/docs/search">parameters</Link>,{' '}
          <Link to="/docs/reference">endpoints</Link> and <Link to="/docs/errors">errors</Link>.
        </p>
      )}
    </div>
  );
}
