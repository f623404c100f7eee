import { Client } from 'pg';
import { expect, test } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { aCompany } from '../support/builders.ts';
import { newPostgres } from '../support/databases.ts';

/** What versions before wrote: a term was one lexeme, wherever it stood. */
const AS_BEFORE = `UPDATE companies_search
  SET terms = ts_delete(terms, ARRAY(SELECT lexeme FROM unnest(terms) WHERE left(lexeme, 1) IN ('A', 'B', 'C')));
  UPDATE schema_version SET version = 5`;
const TERMS = 'SELECT ordinal, CAST(terms AS TEXT) AS terms FROM companies_search ORDER BY ordinal';

test('the index of an earlier version becomes what would be written now', async () => {
  const database = await newPostgres();
  const store = await openStore(database.url);
  await store.records.putAll([
    aCompany({
      name: "O'Neill \\ Söhne",
      tags: ['DeFi', 'It\'s "quoted"'],
      tagline: 'Keys: kept',
      overview: 'And more.',
    }),
    aCompany({ name: 'Beta' }),
  ]);
  await store.close();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const written = (await client.query(TERMS)).rows;
  await client.query(AS_BEFORE);
  expect((await client.query(TERMS)).rows).not.toEqual(written);

  await (await openStore(database.url)).close();
  expect((await client.query(TERMS)).rows).toEqual(written);
  await client.end();
});
