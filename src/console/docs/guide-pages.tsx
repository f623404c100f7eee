import { Link, PageHead, usePage } from '../components.tsx';
import { OnThisPage } from './doc-page.tsx';
import type { Guide } from './guide-list.ts';

/** The documents of the product, for who installs it, runs it or builds on it. */
export function GuideList({ guides }: { guides: readonly Guide[] }) {
  return (
    <div class="doc">
      <PageHead title="Guides" lead="The manual of web3-bi, for whoever installs it, runs it, or builds on it." />
      <NothingSold />
      {guides.map(({ name, title, parts }) => (
        <section key={name}>
          <h2>
            <Link to={`/docs/guides/${name}`}>{title}</Link>
          </h2>
          <p class="muted">{parts.map((part) => part.title).join(' · ')}</p>
        </section>
      ))}
    </div>
  );
}

/** Of an instance that sells nothing: the manual is of every instance. */
function NothingSold() {
  if (usePage().isSelling) return null;
  return <p class="hint">This service takes no payments: what is said of them here is for services that do.</p>;
}

export function GuidePage({ guide: { title, parts, html } }: { guide: Guide }) {
  return (
    <div class="doc">
      <PageHead title={title} lead={<Link to="/docs/guides">All guides</Link>} />
      {parts.length === 0 ? null : <OnThisPage parts={parts} />}
      <NothingSold />
      <div class="guide" dangerouslySetInnerHTML={{ __html: html }} />
    </div>
  );
}
