import { GROUPS } from '../../contract/aggregate.ts';
import type { RecordType } from '../../contract/entities/index.ts';
import { type Chunk, isContent, means } from './chunks.ts';
import { phraseOf } from './knowledge.ts';

/** Folded words for the groups of aggregates in English, Spanish, German and French. */
const WORDS: Readonly<Record<string, string>> = {
  year: 'year|ano|jahr|annee|an',
  quarter: 'quarter|trimestre|quartal',
  month: 'month|mes|monat|mois',
  country: 'country|countries|nation|pais|land|landern|pays',
  city: 'city|cities|ciudad|stadt|ville',
  stage: 'stage|stages|round type|etapa|phase|stade',
  tag: 'tag|tags|sector|sectors|category|categories|industry|vertical|categoria|sektor|branche|secteur|categorie',
  focus: 'focus|sector|sectors|sektor|secteur',
  chain: 'chain|chains|blockchain|blockchains|network|cadena|chaine',
  investor: 'investor|investors|fund|inversor|investoren|investisseur',
  lead_investor: 'lead investor|lead investors',
  company: 'company|companies|startup|project|empresa|unternehmen|entreprise',
  organization: 'organization|organisation|company|employer|firm',
  event_type: 'event type|kind of event',
  investor_type: 'investor type|kind of investor',
};
const GROUP_LENGTH_MAX = 2;

/** Words that name a type as well ask for groups only after `per`. */
const NAMES_TYPE: ReadonlySet<string> = new Set(['investor', 'company', 'lead_investor']);

/** The group of a type with some words: rounds have a stage, companies a funding_stage. */
function groupOf(type: RecordType, words: string): string | undefined {
  const named = Object.keys(WORDS).filter((group) => WORDS[group]?.split('|').includes(words));
  const groups = Object.keys(GROUPS[type]);
  return groups.find((group) => named.some((name) => group === name || group === `funding_${name}`));
}

/**
 * The group that `per country`, `by year` or `which sectors` names at an index, and its number of chunks; undefined for
 * none. Companies are grouped by a period through their rounds.
 */
export function groupAt(
  chunks: readonly Chunk[],
  index: number,
  type: RecordType | undefined,
): { readonly group: string; readonly length: number } | undefined {
  if (type === undefined || !means(chunks[index], 'per', 'question', 'largest')) return undefined;
  for (let length = GROUP_LENGTH_MAX; length > 0; length--) {
    const tokens = chunks.slice(index + 1, index + 1 + length).flatMap((chunk) => chunk.tokens);
    const words = tokens.map(({ text }) => text).join(' ');
    const group = groupOf(type, words) ?? (type === 'companies' ? groupOf('rounds', words) : undefined);
    if (group !== undefined && (means(chunks[index], 'per') || !NAMES_TYPE.has(group)))
      return { group, length: length + 1 };
  }
  return undefined;
}

/** The two names that `how are A and B connected` asks about; undefined for any other number. */
export function connectedNames(chunks: readonly Chunk[]): readonly [string, string] | undefined {
  if (!chunks.some((chunk) => means(chunk, 'connected'))) return undefined;
  const names: string[] = [];
  for (const [index, chunk] of chunks.entries()) {
    if (!isContent(chunk)) continue;
    const word = phraseOf(chunk.tokens);
    if (isContent(chunks[index - 1])) names.push(`${names.pop()} ${word}`);
    else names.push(word);
  }
  const [one, other, ...others] = names;
  return one !== undefined && other !== undefined && others.length === 0 ? [one, other] : undefined;
}
