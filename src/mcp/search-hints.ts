import { MEASURED_FIELD, type Measure } from '../contract/aggregate.ts';
import { likesList } from '../contract/likeness.ts';
import type { SearchData } from '../contract/record-answers.ts';

/** The parts of a search answer that its hints depend on. */
interface Answer {
  readonly understood?: object | undefined;
  readonly results: readonly { readonly type?: unknown; readonly slug?: unknown }[];
}

const MEASURES: readonly (readonly [RegExp, Measure])[] = [
  [/^(?:average|mean|promedio|durchschnitt|moyen|平均)/i, 'average'],
  [/^(?:median|mediana|médian|中位数)/i, 'median'],
  [/^(?:total|sum|总)/i, 'sum'],
];

/** The calls that answer what a sentence asked for beyond a list: likes, co-investors, totals. Empty if nothing. */
export function hintsOf({ understood, results: [first] }: Answer): string {
  const { ignored = [], type } = (understood ?? {}) as Partial<NonNullable<SearchData['understood']>>;
  return `${similarHint(ignored, first)}${totalsHint(ignored, type)}`;
}

function similarHint(ignored: readonly string[], first: Answer['results'][number] | undefined): string {
  if (likesList(ignored) === undefined || (first?.type !== 'companies' && first?.type !== 'investors')) return '';
  const isCompany = first.type === 'companies';
  const like = { type: first.type, id: first.slug, include: [isCompany ? 'similar' : 'co_investors'] };
  return ` ${isCompany ? 'Companies like the first' : 'Co-investors of the first'}: get_entity ${JSON.stringify(like)}.`;
}

function totalsHint(
  ignored: readonly string[],
  type: NonNullable<SearchData['understood']>['type'] | undefined,
): string {
  const measure = MEASURES.find(([form]) => ignored.some((word) => form.test(word)))?.[1];
  if (measure === undefined || type === undefined || MEASURED_FIELD[type] === undefined) return '';
  const group = type === 'rounds' ? 'year' : 'country';
  const call = { of: type, group_by: [group], measure: [measure] };
  return ` For the ${measure} with the same filters: aggregate ${JSON.stringify(call)}.`;
}
