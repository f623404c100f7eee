import type { RecordType } from '../../contract/entities/index.ts';
import type { ImportPart } from '../../contract/import-names.ts';
import { foldName } from '../../contract/names.ts';
import { FUNDING_STAGES, stageWords } from '../../contract/vocabulary.ts';
import { labelReader, noteSeparators } from './fields.ts';
import type { Note } from './report.ts';
import { readSlug } from './slugs.ts';
import { noteUnknown } from './unknown-values.ts';
import { readList, readUrl } from './values.ts';

/** Columns of a row that are parts of fields, or the currency of its amounts or of one of them. */
export type Parts = Partial<Record<ImportPart | `${string}.currency`, unknown>>;

type Fields = Record<string, unknown>;

/** As in the contract's shortText. */
const LINE_LENGTH_MAX = 500;

/** Combines parts into fields: location, website, stage with raw label, roles, and the name of a round. */
export function completeFields(type: RecordType, fields: Fields, parts: Parts, note: Note): void {
  if (parts.type !== undefined && parts.type !== type) note('type');
  completePlace(fields, parts);
  if (parts.domain !== undefined) fields['website'] ??= readUrl(parts.domain);
  shortenLine(fields, type === 'people' ? 'headline' : 'tagline', note);
  if (type === 'companies') completeCompany(fields, note);
  if (type === 'people' && parts.company_slugs !== undefined) addRoles(fields, parts.company_slugs, note);
  if (type === 'rounds') completeRound(fields, parts, note);
  if (type === 'events' && String(fields['end_date'] ?? '9') < String(fields['start_date'] ?? ''))
    note({ field: 'end_date', value: String(fields['end_date']), message: 'is before start_date; stored as written' });
  noteUnknown(fields, note);
}

function completePlace(fields: Fields, parts: Parts): void {
  const { 'location_json.city': city, 'location_json.country': country } = parts;
  if (fields['location_json'] !== undefined || (city ?? country) === undefined) return;
  fields['location_json'] = { ...(city === undefined ? {} : { city }), ...(country === undefined ? {} : { country }) };
}

/** Truncates an overlong line at a word boundary; without an overview, the text becomes one. */
function shortenLine(fields: Fields, field: string, note: Note): void {
  const text = fields[field];
  if (typeof text !== 'string' || text.length <= LINE_LENGTH_MAX) return;
  if (fields['overview'] !== undefined)
    note({ field, value: text, message: `is longer than ${LINE_LENGTH_MAX} characters; shortened` });
  fields['overview'] ??= text;
  fields[field] = `${text.slice(0, LINE_LENGTH_MAX - 1).replace(/\s+\S*$/, '')}…`;
}

function completeCompany(fields: Fields, note: Note): void {
  const founded = fields['founded_date'];
  const year = /^\s*(\d{4})\s*$/.exec(String(founded ?? ''))?.[1];
  if (year !== undefined) {
    fields['year_founded'] ??= Number(year);
    delete fields['founded_date'];
  }
  completeStage(fields, ['funding_stage', 'funding_stage_raw'], note);
}

const readStage = labelReader(FUNDING_STAGES);

/** A stage label outside the vocabulary is stored as raw text, with a null stage. */
function completeStage(fields: Fields, [field, rawField]: readonly [string, string], note: Note): void {
  const stated = fields[field] ?? fields[rawField];
  if (stated === undefined) return;
  const label = String(stated);
  const raw = String(fields[rawField] ?? label);
  const stage = readStage(label) ?? null;
  if (stage === null && fields[field] !== undefined)
    note({ field, value: label, message: 'is not a known stage; kept as text, which no filter finds' });
  fields[field] = stage;
  fields[rawField] = stage !== null && readStage(raw) === stage ? null : raw;
}

/** Adds organisations as roles, unless there is a role for them. */
function addRoles(fields: Fields, organizations: unknown, note: Note): void {
  noteSeparators('company_slugs', organizations, note);
  const roles = [...((fields['roles'] ?? []) as Fields[])];
  const known = new Set(
    roles
      .flatMap((role) => [role['organization'], role['organization_slug']])
      .map((name) => foldName(String(name ?? ''))),
  );
  for (const item of readList(organizations)) {
    const organization = String(item);
    if (known.has(foldName(organization))) continue;
    known.add(foldName(organization));
    roles.push({ organization });
  }
  fields['roles'] = roles;
}

function completeRound(fields: Fields, parts: Parts, note: Note): void {
  completeStage(fields, ['stage', 'stage_raw'], note);
  const date = fields['announced_date'];
  if (typeof date === 'string' && /^\d{4}-\d{2}$/.test(date))
    Object.assign(fields, { announced_date: `${date}-01`, month_only: ['announced_date'] });
  const slug = readSlug('companies', parts.company_slug);
  const company = fields['company'] as Fields | undefined;
  if (slug !== undefined && company?.['slug'] === undefined) fields['company'] = { ...company, slug };
}

/** Name of an unnamed round, such as "Acme Series A (2024)". Undefined without a company. */
export function roundName(fields: Fields): string | undefined {
  const { name, slug } = (fields['company'] ?? {}) as { name?: string; slug?: string };
  if (name === undefined && slug === undefined) return undefined;
  const year = String(fields['announced_date'] ?? '').slice(0, 4);
  return `${name ?? slug} ${stageWords(fields['stage'])}${year === '' ? '' : ` (${year})`}`;
}
