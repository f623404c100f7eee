import { allLists, type Steps, type Value } from '../../sql/steps.ts';

/** A statement of a search. */
export interface Asked {
  readonly sql: string;
  readonly parameters: readonly Value[];
}

/** Answers that are there already, or come soon. */
export interface Answers {
  /** The rows of a statement. */
  rows<Row>(sql: string, ...parameters: readonly Value[]): Row[];
  /** Does all of some works; what they lack is asked for together. */
  each<Result>(works: readonly (() => Result)[]): Result[];
  /** Says that these will be asked for soon, so that they come together with what is lacking now. */
  expect(asked: readonly Asked[]): void;
}

/** Turns in which a search asks; it has far fewer stages. */
const TURNS_MAX = 500;

/** Thrown where work cannot go on without an answer. */
class Lacking {}

/**
 * Lets the rules of search, which are written for answers at once, run where answers come later: work that lacks one
 * ends, the answer is fetched, and the work begins again with it. It asks the same each time, because it depends on
 * nothing but answers.
 */
export function* withAnswers<Result>(work: (answers: Answers) => Result): Steps<Result> {
  const known = new Map<string, readonly unknown[]>();
  for (let turn = 0; turn < TURNS_MAX; turn += 1) {
    const lacking = new Map<string, Asked>();
    try {
      return work(createAnswers(known, lacking));
    } catch (thrown) {
      if (!(thrown instanceof Lacking)) throw thrown;
    }
    const parts = yield* answersOf([...lacking.values()]);
    for (const [index, key] of [...lacking.keys()].entries()) known.set(key, parts[index] ?? []);
  }
  throw new Error('A search asks for more and more');
}

/** Statements asked together go as one, each a column of its only row: each that goes alone costs both sides as much. */
function* answersOf(asked: readonly Asked[]): Steps<(readonly unknown[])[]> {
  const columns = asked.map(({ sql }) => `(SELECT json_agg(part) FROM (${sql}) AS part)`);
  const parameters = asked.flatMap((each) => each.parameters);
  const [row] = yield* allLists<readonly (string | null)[]>(`SELECT ${columns.join(', ')}`, ...parameters);
  return (row ?? []).map((rows) => (rows === null ? [] : JSON.parse(rows)));
}

const keyOf = ({ sql, parameters }: Asked): string => `${sql}\n${JSON.stringify(parameters)}`;

function createAnswers(known: ReadonlyMap<string, readonly unknown[]>, lacking: Map<string, Asked>): Answers {
  const lack = (asked: Asked): void => {
    const key = keyOf(asked);
    if (!known.has(key)) lacking.set(key, asked);
  };
  return {
    rows: <Row>(sql: string, ...parameters: readonly Value[]) => {
      const rows = known.get(keyOf({ sql, parameters }));
      if (rows !== undefined) return [...rows] as Row[];
      lack({ sql, parameters });
      throw new Lacking();
    },
    each: (works) => {
      let isLacking = false;
      const done = works.flatMap((each) => {
        try {
          return [each()];
        } catch (thrown) {
          if (!(thrown instanceof Lacking)) throw thrown;
          isLacking = true;
          return [];
        }
      });
      if (isLacking) throw new Lacking();
      return done;
    },
    expect: (asked) => {
      for (const each of asked) lack(each);
    },
  };
}
