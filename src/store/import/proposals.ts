import { ServiceError } from '../../contract/errors.ts';
import type { RowInput, Upserted } from '../port/records.ts';
import type { RowPlace } from './read-json.ts';

/** What becomes of a row: it is added, or as a round of a company on record, left out, or joined to a record. */
export type RowChoice = 'add' | `add:${string}` | 'leave-out' | `join:${string}`;
export const ADDED: RowChoice = 'add';
export const LEFT_OUT: RowChoice = 'leave-out';
export const isJoined = (choice: RowChoice): boolean => choice.startsWith('join:');

interface RowOption {
  readonly choice: RowChoice;
  /** Slug of the record that the row joins, or of the company of a new round. */
  readonly slug: string;
  /** Whether the record is one of an earlier row. */
  readonly isOfFile?: boolean;
  /** Why the row may be about the record. */
  readonly rule: string;
  /** Of rounds: how far apart they are. */
  readonly detail?: string;
  /** In percent. */
  readonly score: number;
}

/** A row that is or may be about a record that it does not name by slug. */
export interface Proposal extends RowPlace {
  /** Number of the row in the file, from 1. */
  readonly row: number;
  /** What the row is about, in its own words. */
  readonly name: string;
  /** What it states of the record, or of a round's company. */
  readonly stated: Readonly<Record<string, unknown>>;
  /** Whether the first option is certain. */
  readonly isSure: boolean;
  /** The likeliest first. */
  readonly options: readonly RowOption[];
  readonly choice: RowChoice;
  /** Whether a person made the choice. */
  readonly isChosen: boolean;
  /** The pair of records that waits for a decision, after an import. */
  pair?: number | undefined;
}

export const UNSURE_CHOICES = ['add', 'join', 'leave-out'] as const;

export interface Decisions {
  /** The choice of a person for a row. */
  readonly chosen?: (place: Pick<Proposal, 'row' | 'line' | 'record'>) => string | undefined;
  /** What becomes of the other rows that may be about a record; by default, rounds are left out and others added. */
  readonly unsure?: (typeof UNSURE_CHOICES)[number] | undefined;
}

type Undecided = Omit<Proposal, 'choice' | 'isChosen'> & { readonly unsure: RowChoice };

/**
 * The choice for a row: that of a person, the certain one, or that for unsure rows. Undefined if there is none to make.
 * @throws ServiceError `invalid_parameter` for a choice that the row does not have
 */
export function decide(decisions: Decisions, { unsure, ...undecided }: Undecided): Proposal | undefined {
  const { isSure, options } = undecided;
  const [first] = options;
  if (first === undefined) return undefined;
  const chosen = decisions.chosen?.(undecided);
  const otherwise = { add: ADDED, join: first.choice, 'leave-out': LEFT_OUT };
  const preset = isSure ? first.choice : decisions.unsure === undefined ? unsure : otherwise[decisions.unsure];
  if (chosen === undefined) return { ...undecided, choice: preset, isChosen: false };
  const choices = [...options.map(({ choice }) => choice), ADDED, LEFT_OUT];
  const choice = choices.find((each) => each === chosen);
  if (choice !== undefined) return { ...undecided, choice, isChosen: true };
  throw new ServiceError('invalid_parameter', `the choice for this row is one of ${choices.join(', ')}`);
}

/** Finds the records that rows of one type are about. What is not certain is proposed. */
export interface RowMatcher {
  /** Matches a row and adds it for later rows. A slug in the row that a record has takes precedence. */
  match(row: GivenRow): MatchedRow;
  /** Stores the duplicate candidates of imported rows. */
  noteKept?(rows: readonly KeptRow[]): Promise<void>;
}

export interface GivenRow extends Pick<Proposal, 'row' | 'line' | 'record'> {
  readonly fields: Readonly<Record<string, unknown>>;
  /** The id of the exporter. */
  readonly id: number | undefined;
  /** Of a round: the website of its company. */
  readonly companySite?: unknown;
}

export interface MatchedRow {
  /** The row to write; undefined if it is left out. */
  readonly written: Pick<RowInput, 'input' | 'joined' | 'nameWhenNew'> | undefined;
  readonly proposal?: Proposal;
  /** Whether it is a record of its own beside one from an earlier row, with its slug numbered. */
  readonly isRepeated?: boolean;
}

interface KeptRow extends Pick<Upserted, 'id' | 'slug' | 'change'> {
  readonly proposal: Proposal | undefined;
}
