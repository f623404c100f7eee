import { countryCode, countryNames, englishCountry } from '../../contract/countries.ts';
import { CHAIN_NAMES, facets } from '../../contract/facets.ts';
import { foldName } from '../../contract/names.ts';
import { cached, createCache } from '../cached.ts';
import { type LabelSpeller, labelsSpelt } from '../records/label-spelling.ts';
import { editDistancesTo } from '../search/typos.ts';
import type { Note } from './report.ts';

/** Notes values that filters by their right spelling do not find, and countries that are stored by another name. */
export function noteUnknown(fields: Readonly<Record<string, unknown>>, note: Note): void {
  const { country } = (fields['location_json'] ?? {}) as { country?: unknown };
  if (typeof country === 'string' && countryCode(country) === undefined) {
    const meant = (): string | undefined => nearest(country, countryNames('en'));
    note({ field: 'country', value: country, message: 'is not a known country; kept as written', meant });
  }
  if (
    typeof country === 'string' &&
    country.length > CODE_LENGTH_MAX &&
    foldName(englishCountry(country)) !== foldName(country)
  )
    note({ field: 'country', value: country, message: 'is stored by its usual name in English' });
  const { chains } = fields;
  for (const chain of Array.isArray(chains) ? chains.map(String) : []) {
    // New chains are usual; those spelt almost like a known one are not.
    const meant = facets.chain.isKnown(facets.chain.key(chain))
      ? ''
      : cached(chainsMeant, chain, () => nearest(chain, CHAIN_NAMES) ?? '');
    if (meant !== '')
      note({
        field: 'chains',
        value: chain,
        message: 'is spelt almost like a known one; kept as written',
        meant: () => meant,
      });
  }
}

/** Spells tags and chains as records do, and notes those that were written otherwise. */
export function spellLabels(fields: Record<string, unknown>, spell: LabelSpeller, note: Note): void {
  for (const { field, written, spelt } of labelsSpelt(fields, spell)) {
    const place = written.findIndex((tag, index) => tag !== spelt[index]);
    const message = `is stored as ${spelt[place]}, as other records spell it`;
    note({ field, value: String(written[place]), message });
    fields[field] = [...new Set(spelt)];
  }
}

/** A longer one is a name, which its author may look for. */
const CODE_LENGTH_MAX = 3;

const CHAINS_REMEMBERED = 1_000;
const chainsMeant = createCache<string, string>(CHAINS_REMEMBERED);
/** With more typos, or in a shorter name, it is another name. */
const LETTERS_PER_TYPO = 4;

function nearest(value: string, names: readonly string[]): string | undefined {
  const folded = foldName(value);
  const typosOf = editDistancesTo(folded, Math.min(2, Math.floor((folded.length - 1) / LETTERS_PER_TYPO)));
  const ranked = names.map((name) => ({ name, typos: typosOf(foldName(name)).whole }));
  return ranked.filter(({ typos }) => typos < Infinity).sort((one, other) => one.typos - other.typos)[0]?.name;
}
