import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkLines, type Line, type Lines } from './build/check.ts';
import { companiesFrom, companyLine } from './build/companies.ts';
import { COMMON_NAMES } from './build/decisions.ts';
import { countsTable, sourcesDocument } from './build/documents.ts';
import { eventLine, eventsFrom } from './build/events.ts';
import { type Facts, isUnnamedAlone, readFacts } from './build/facts.ts';
import { investorLine, investorsFrom } from './build/investors.ts';
import { createLinks } from './build/links.ts';
import { peopleFrom, personLine } from './build/people.ts';
import { roundLine, roundsByCompany } from './build/rounds.ts';
import { createTally, type Tally } from './build/tally.ts';
import { nameKey } from './build/text.ts';

/** Builds the shipped data set from the facts folder: `npx tsx data/build.ts FACTS_FOLDER`. */

const MINIMUM = { companies: 400, investors: 150, people: 200, series: 80, rounds: 800 };

main(process.argv[2]);

function main(folder: string | undefined): void {
  try {
    const tally = createTally();
    const lines = linesFrom(readFacts(folder ?? '.'), tally);
    checkLines(lines);
    const counts = checkCounts(lines);
    for (const [type, records] of Object.entries(lines)) writeFileSync(pathOf(`${type}.ndjson`), ndjson(records));
    writeFileSync(pathOf('SOURCES.md'), sourcesDocument(lines));
    writeReadme(countsTable(lines));
    console.log([counts, ...tally.lines()].join('\n'));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

/** The lines of every file, in the order in which records get their numbers. */
function linesFrom(facts: Facts, tally: Tally): Lines {
  countUnused(facts, tally);
  const companies = companiesFrom(facts.companies, roundsByCompany(facts.companies, tally), tally);
  const investors = investorsFrom(facts.investors, new Set(companies.map((company) => nameKey(company.name))));
  const people = peopleFrom(facts.people, tally);
  const events = eventsFrom(facts.events, tally);
  const commonWords = new Set([
    ...COMMON_NAMES,
    ...companies.filter((company) => company.isAmbiguous).map((company) => company.slug),
  ]);
  const links = createLinks({ companies, investors, people }, new Set());
  const guardedLinks = createLinks({ companies, investors, people }, commonWords);
  const backers = new Map(
    companies
      .filter((company) => company.isAmbiguous)
      .map(({ slug, rounds }) => [slug, new Set(rounds.flatMap((round) => round.investors.map(nameKey)))]),
  );
  const eventNames = new Map(events.map((event) => [event.slug, event.name]));
  const line = (record: { name: string; slug: string }) => record as Line;
  return {
    companies: companies.map((company) => line(companyLine(company, links, people))),
    investors: investors.map((investor) => line(investorLine(investor, { links, people, backers }))),
    people: people.map((person) => line(personLine(person, links, eventNames))),
    events: events.map((event) => line(eventLine(event, guardedLinks, people))),
    rounds: companies.flatMap(({ name, slug, rounds }) =>
      rounds.map((round) => line(roundLine(round, { name, slug }, guardedLinks))),
    ),
  };
}

function countUnused(facts: Facts, tally: Tally): void {
  for (const fact of Object.values(facts)
    .flat()
    .flatMap((subject) => subject.facts)) {
    if (fact.confidence === 'low') tally.leaveOut('facts', 'low confidence');
    else if (isUnnamedAlone(fact)) tally.leaveOut('facts', 'one unnamed file as only source');
  }
}

function checkCounts(lines: Lines): string {
  const series = new Set(lines.events.map((event) => event['series_slug'])).size;
  const { companies, investors, people, events, rounds } = lines;
  const counts = {
    companies: companies.length,
    investors: investors.length,
    people: people.length,
    series,
    rounds: rounds.length,
  };
  for (const [kind, minimum] of Object.entries(MINIMUM)) {
    const count = counts[kind as keyof typeof counts];
    if (count < minimum) throw new Error(`Only ${count} ${kind}: at least ${minimum} must remain.`);
  }
  return `${Object.entries(counts)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ')}, ${events.length} events`;
}

function ndjson(records: readonly Line[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

function writeReadme(table: string): void {
  const text = readFileSync(pathOf('README.md'), 'utf8');
  writeFileSync(
    pathOf('README.md'),
    text.replace(/(<!-- counts -->\n)[\s\S]*(<!-- \/counts -->)/, `$1\n${table}\n\n$2`),
  );
}

function pathOf(file: string): string {
  return join(import.meta.dirname, file);
}
