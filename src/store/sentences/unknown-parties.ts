import { isContent } from './chunks.ts';
import type { ParseState } from './parse-state.ts';

interface UnknownParty {
  readonly name: string;
  readonly filter: 'investor' | 'founder' | 'company';
  readonly isLead: boolean;
}

/** The parties of a sentence whose names no record has. */
export interface UnknownParties {
  /** Who led, backed or founded. */
  readonly unknownParty?: UnknownParty | undefined;
  /** What may be the party of a list; if nothing has these words, a misspelt name. */
  readonly unnamedParty?: UnknownParty | undefined;
}

export const unknownParties = (state: ParseState): UnknownParties => ({
  unknownParty: state.unknownParty.length > 0 ? unknownPartyOf(state) : undefined,
  unnamedParty: unnamedPartyOf(state),
});

const unknownPartyOf = ({ role, unknownParty }: ParseState): UnknownParty => ({
  name: unknownParty.join(' '),
  filter: role === 'foundedBy' ? 'founder' : 'investor',
  isLead: role === 'led',
});

/** The words that stand where a list names a company or investor: `Zorblned rounds`. */
function unnamedPartyOf({ type, filters, text, chunks, role }: ParseState): UnknownParty | undefined {
  const isOfInvestor = type === 'companies' && (role === 'backed' || role === 'led');
  const isOfCompany = type === 'rounds' || type === 'investors' || type === 'people';
  const words = chunks.filter(isContent).flatMap(({ tokens }) => tokens.map(({ raw }) => raw));
  const name = words.filter((word) => text.includes(word)).join(' ');
  if (name === '' || filters.has('investor') || filters.has('company') || filters.has('event')) return undefined;
  if (!isOfInvestor && !isOfCompany) return undefined;
  return { name, filter: isOfInvestor ? 'investor' : 'company', isLead: role === 'led' };
}
