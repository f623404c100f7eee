import { Link, Notice, PageHead, PostForm, Submit } from '../components.tsx';
import type { Form } from '../form.ts';

interface LaterProps {
  readonly values: Form['values'];
  readonly why: string;
}

/** An import that has to wait: the same form with the same rows and choices, to be sent again. */
export function Later({ values, why }: LaterProps) {
  const kept = Object.entries(values).filter(([name]) => name !== 'form_token' && name !== 'text');
  return (
    <>
      <PageHead title="Import" lead="Nothing is written yet." />
      <Notice tone="warn">{why} Your rows are kept in this page.</Notice>
      <PostForm to="/account/import" enctype="multipart/form-data" class="stack">
        {kept.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <HeldRows />
        <div class="actions">
          <Submit>Try again</Submit>
          <StartOver />
        </div>
      </PostForm>
    </>
  );
}

/** Placeholder of the rows in a preview, inserted unrendered because they can be many megabytes. */
export const ROWS_PLACE = '<!-- rows -->';

/** The rows of an import, which its page keeps unseen. */
export const HeldRows = () => (
  <textarea name="text" hidden aria-label="Rows" dangerouslySetInnerHTML={{ __html: ROWS_PLACE }} />
);

export const StartOver = () => (
  <Link to="/account/import" class="button plain">
    Start over
  </Link>
);
