import { isNamedType, type NamedType, type RecordType } from '../../contract/entities/index.ts';
import type { CandidatePair } from '../port/duplicates.ts';
import type { Store } from '../store.ts';
import { type Like, readKnown } from './known-records.ts';
import { ADDED, type Decisions, decide, LEFT_OUT, type RowMatcher } from './proposals.ts';
import { createRoundMatcher } from './round-matching.ts';
import { derivedSlug } from './slugs.ts';

/** With more records of a type, comparing a file with all of them takes too much memory and time. */
const COMPARED_MAX = 200_000;

/** Finds the records that rows of a type are about. Undefined if there are too many, unless all are to be compared. */
export async function createRowMatcher(
  store: Pick<Store, 'records' | 'duplicates'>,
  type: RecordType,
  { comparesAll = false, ...decisions }: Decisions & { readonly comparesAll?: boolean } = {},
): Promise<RowMatcher | undefined> {
  if (!comparesAll && (await store.records.count(type)) > COMPARED_MAX) return undefined;
  return isNamedType(type) ? createNamedMatcher(store, type, decisions) : createRoundMatcher(store, decisions);
}

/** Matches rows to records with names by the identity rules. Of uncertain rows that are added, pairs wait for a decision. */
async function createNamedMatcher(
  { records, duplicates }: Pick<Store, 'records' | 'duplicates'>,
  type: NamedType,
  decisions: Decisions,
): Promise<RowMatcher> {
  const known = await readKnown(records, type);
  return {
    match: ({ fields, id, row, line, record }) => {
      const stated = fields['slug'] as string | undefined;
      const name = fields['name'];
      if ((stated !== undefined && known.has(stated)) || typeof name !== 'string')
        return { written: { input: fields } };
      const own = (stated === undefined ? known.ofId(id, fields) : undefined) ?? known.sameAs(fields);
      if (own !== undefined && stated === undefined && !known.isOfFile(own))
        return { written: { input: { ...fields, slug: own } } };
      const { isSure, options: found } = own === undefined ? known.like(fields) : onlyRecord(own);
      const proposal = decide(decisions, {
        ...{ row, line, ...(record !== undefined && { record }) },
        name,
        stated: fields,
        isSure,
        options: found.map(({ ref, rule, score }) => ({
          ...{ choice: `join:${ref}`, slug: ref, rule, score },
          isOfFile: known.isOfFile(ref),
        })),
        unsure: ADDED,
      });
      if (proposal?.choice === LEFT_OUT) return { written: undefined, proposal };
      const joined = proposal?.options.find(({ choice }) => choice === proposal.choice)?.slug;
      if (joined !== undefined) {
        const isOfName = known.nameOf(joined) === name;
        const input = { ...fields, slug: joined };
        return { written: { input, ...(isOfName ? {} : { joined: 'changes' }) }, ...(proposal && { proposal }) };
      }
      const slug = stated ?? known.freeSlug(derivedSlug(type, fields) ?? '', fields);
      // Rows that state slugs are told apart by them.
      if (stated === undefined) known.add(slug, fields, 0);
      return { written: { input: { ...fields, slug } }, ...(proposal && { proposal }) };
    },
    noteKept: async (rows) => {
      for (const { slug, id } of rows) known.written(slug, id);
      const doubts = rows.flatMap(({ id: right, change, proposal }) =>
        change !== 'created' || proposal === undefined || proposal.isChosen
          ? []
          : proposal.options.flatMap(({ slug, rule, score }) => {
              const left = known.idOf(slug);
              const pair = { type, left, right, rule, score } as CandidatePair;
              return left === 0 || left === right ? [] : { proposal, pair };
            }),
      );
      if (doubts.length === 0) return;
      const ids = await duplicates.add(doubts.map(({ pair }) => pair));
      for (const [index, { proposal }] of doubts.entries()) proposal.pair ??= ids[index];
    },
  };
}

const onlyRecord = (ref: string): Like => ({ isSure: true, options: [{ ref, rule: 'name', score: 100 }] });
