import { isNamedType, NAMED_TYPES, type RecordData, recordNoun } from '../../contract/entities/index.ts';
import { isNearMiss } from '../../contract/name-similarity.ts';
import { foldName } from '../../contract/names.ts';
import { QUERY_LENGTH_MAX } from '../../contract/queries.ts';
import type { Records } from '../../store/port/records.ts';
import { usePage } from '../components.tsx';
import { readFirst } from './read-records.ts';

const OFFERED_MAX = 8;
/** Records that are compared with what is typed: others than of this name may rank before. */
const COMPARED_MAX = 50;
/** Letters from which names are offered; fewer begin too many. */
const TYPED_MIN = 2;

/** The names of records that a text begins; `at` is where their pages are, with the base. */
export async function completeName(records: Records, typed: string, at: string) {
  const like = await recordsLike(records, typed);
  return like.map((record) => ({
    name: record.name,
    // With the first tag, because names of several companies may be the same.
    kind: [recordNoun(record), ...((record['tags'] ?? []) as readonly string[]).slice(0, 1)].join(' · '),
    path: `${at}/${record.type}/${record.slug}`,
  }));
}

/** The records of this name, then those whose names begin with it, of which another word or name does, and with names like it; of each, first those that most sources list. */
export async function recordsLike(records: Records, typed: string): Promise<readonly RecordData[]> {
  const text = typed.trim().slice(0, QUERY_LENGTH_MAX);
  const folded = foldName(text);
  if (folded.length < TYPED_MIN) return [];
  const { found } = await readFirst(records, COMPARED_MAX, { types: NAMED_TYPES, text });
  const tests: readonly ((record: RecordData) => boolean)[] = [
    ({ name }) => foldName(name) === folded,
    ({ name }) => foldName(name).startsWith(folded),
    (record) => namesOf(record).some((name) => beginsWord(name, folded)),
    ({ name }) => isNearMiss(name, text),
  ];
  // A sentence may be of another type than those searched.
  const likeness = (record: RecordData): number =>
    isNamedType(record.type) ? tests.findIndex((test) => test(record)) : -1;
  return found
    .map((record) => ({ record, place: likeness(record) }))
    .filter(({ place }) => place >= 0)
    .sort((one, other) => one.place - other.place || sourcesOf(other.record) - sourcesOf(one.record))
    .slice(0, OFFERED_MAX)
    .map(({ record }) => record);
}

const sourcesOf = ({ sources }: RecordData): number => (sources as readonly unknown[] | null)?.length ?? 0;

const namesOf = ({ name, aliases, former_names: former }: RecordData): readonly string[] =>
  [name, aliases ?? [], former ?? []].flat().map(String);

/** Whether a folded text begins at a word of a name. */
export const beginsWord = (name: string, folded: string): boolean => {
  const words = name.split(/\s+/);
  return words.some((_, place) => foldName(words.slice(place).join(' ')).startsWith(folded));
};

/** The box of a search, below which a script offers the names of records while somebody types. */
export const SearchInput = ({ id, text }: { readonly id: string; readonly text: string }) => {
  const { base, searchAt } = usePage();
  return (
    <>
      <label for={id} class="sr">
        Search
      </label>
      <input
        id={id}
        name="query"
        type="search"
        value={text}
        maxlength={QUERY_LENGTH_MAX}
        placeholder="Name, topic or question…"
        autocomplete="off"
        spellcheck={false}
        data-names={`${base}${searchAt}/names`}
      />
    </>
  );
};
