import { isNamed } from '../../contract/named-records.ts';
import { Link } from '../components.tsx';
import type { SearchOutcome } from '../data/search.ts';

/** A link to the documentation for a search about this service and its words; nothing for one that names a record. */
export function DocsLine({ parsed: { query, page }, found, results }: SearchOutcome) {
  const isOfRecord = results.some((record) => isNamed(record, query, ['name', 'alias', 'domain', 'token']));
  const isFiltered = Object.keys(found.understood?.filters ?? {}).length > 0;
  if (page > 1 || isOfRecord || !(asksForMeaning(query) || (isAboutService(query) && !isFiltered))) return null;
  return (
    <p class="hint">
      About this service, not its records?{' '}
      <Link to={`/docs/find?${new URLSearchParams({ query })}`}>Search the documentation for “{query.trim()}”</Link>
    </p>
  );
}

/** Whether what a word of the glossary means is asked for: `what is a unicorn`, `what counts as VC`. */
const asksForMeaning = (query: string): boolean => OF_MEANING.test(query.trim());

const OF_MEANING = new RegExp(
  `^what(?: is|['’]?s| are| does| do| counts as| qualifies as) (?:an? )?(?:${[
    'unicorn|vc|venture capital firm|fund|investor|backer|lead|lead investor|deal|round|grant|focus|portfolio',
    'known funding|total funding|unsourced|†',
  ].join('|')})s?(?: mean| here)*\\s*\\?*$`,
  'i',
);

/** Whether a query has no words but those of the service: one that says little alone, such as `key`, needs another or a question. */
function isAboutService(query: string): boolean {
  const words = query
    .toLowerCase()
    .replaceAll(ENTRY, '$1$2')
    .split(/[^\p{L}\p{N}]+/u);
  const telling = words.filter((word) => word !== '' && !OF_QUESTIONS.has(word));
  if (telling.length === 0 || !telling.every((word) => TOPICS.has(word) || BESIDE_OTHERS.has(word))) return false;
  return telling.length > 1 || TOPICS.has(telling[0] ?? '') || ASKING.test(query.trim());
}

/** Ways to write `login` and `signup`. */
const ENTRY = /\b(log|sign)[ -](in|up)\b/g;

const wordSet = (...lines: readonly string[]): ReadonlySet<string> => new Set(lines.flatMap((line) => line.split(' ')));

const TOPICS = wordSet(
  'api csv docker docs documentation faq help howto json login logout mcp npm openapi pricing quota quotas sdk signin signup swagger',
);
const BESIDE_OTHERS = wordSet(
  'access account chatgpt claude connect contact cost costs cursor data download export free fee fees guide host hosting',
  'import install key keys limit limits manual password pay plan plans price prices rate reference rest self',
  'selfhost server service subscription terms tutorial use',
);
const OF_QUESTIONS = wordSet(
  'a an the i my me you your we it its this that is are do does can could should to in on of for with from by and or any',
  'how what where when much many get have need there here',
);
const ASKING = /^(?:how|can|do|does|is|are|where|what)\b/i;
