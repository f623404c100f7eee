import { foldName } from '../../contract/names.ts';

/** Synonyms of vocabulary values, folded. */
const SYNONYMS: Readonly<Record<string, string>> = {
  ico: 'initial_coin_offering',
  ma: 'm_and_a',
  acquisition: 'm_and_a',
  mergersandacquisitions: 'm_and_a',
  grants: 'grant',
  debt: 'debt_financing',
  convertiblenoteissuance: 'convertible_note',
  seriesprea: 'pre_series_a',
  vc: 'venture_capital',
  venturecapitalfirm: 'venture_capital',
  venturefund: 'venture_capital',
  cvc: 'corporate_venture_capital',
  corporatevc: 'corporate_venture_capital',
  angelinvestor: 'angel',
  cofounder: 'founder',
  boardmember: 'board',
  adviser: 'advisor',
  physical: 'in_person',
  offline: 'in_person',
  onsite: 'in_person',
  virtual: 'online',
};

/** Returns a function that maps text to a vocabulary value, or undefined. */
export function labelReader(vocabulary: readonly string[]): (text: unknown) => string | undefined {
  const byFold = new Map(vocabulary.map((label) => [foldName(label), label]));
  for (const [word, label] of Object.entries(SYNONYMS)) if (vocabulary.includes(label)) byFold.set(word, label);
  return (text) => {
    // "Series A+" is not Series A.
    if (String(text).includes('+')) return undefined;
    const folded = foldName(String(text));
    return byFold.get(folded) ?? byFold.get(folded.replace(/round$/, ''));
  };
}
