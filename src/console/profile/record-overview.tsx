import type { VNode } from 'preact';
import type { RecordData } from '../../contract/entities/index.ts';
import { Card } from '../components.tsx';

export function Overview({ record }: { record: RecordData }): VNode | null {
  const text = overviewOf(record);
  if (text === '') return null;
  return (
    <Card title="Overview">
      <p class="prose">{text}</p>
    </Card>
  );
}

/** An overview with fewer words of its own only repeats facts. */
const REST_MIN = 60;
const SENTENCES = /(?<=\.) /;

/** The overview of a record, unless it says little more than the line below its name. */
function overviewOf({ name, overview, tagline, headline, tags }: RecordData): string {
  const text = String(overview ?? '');
  const said = wordsOf(`${name} ${tagline ?? headline ?? ''} ${tags ?? ''} is a an the for of also listed under`);
  const rest = text.split(SENTENCES).filter((sentence) => [...wordsOf(sentence)].some((word) => !said.has(word)));
  return rest.length < text.split(SENTENCES).length && rest.join(' ').length < REST_MIN ? '' : text;
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
