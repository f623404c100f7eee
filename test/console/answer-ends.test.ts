import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCompany, anInvestor, aPerson } from '../support/builders.ts';
import { answerTo, type Console, startConsole } from '../support/console.ts';

const EDITORS = {
  source: 'web3-bi editors@0.1.0:data/raw/editors.ndjson',
  as_of: '2025-06-01',
  fields: ['acquired_by', 'status', 'status_since'],
};

let service: Console;
beforeAll(async () => {
  service = await startConsole(
    [
      aCompany({ name: 'Buyer One' }),
      aCompany({
        ...{ name: 'Sold', tags: ['Wallets'], status: 'acquired', status_since: '2021-06' },
        ...{ acquired_by: 'Buyer One', sources: [EDITORS] },
      }),
      aCompany({
        ...{ name: 'Given', tags: ['DeFi'], status: 'acquired', status_since: '2021', acquired_by: 'Buyer One' },
      }),
      aCompany({ name: 'Taken', status: 'acquired', status_since: '2022-03-09', acquired_by: 'Nemo Holdings' }),
      aCompany({ name: 'Lost', status: 'acquired' }),
      aCompany({ name: 'Gone', status: 'closed', status_since: '2022-11', sources: [EDITORS] }),
      aCompany({ name: 'Ended', status: 'closed' }),
      aCompany({ name: 'Alive', status: 'active' }),
      anInvestor({ name: 'Fund One' }),
      aPerson({ name: 'Ada', overview: 'Ada worked at Gone until it closed.' }),
    ],
    { publicPages: true },
  );
});
afterAll(() => service.close());

const answer = (question: string) => answerTo(service, question);

describe('the sentence above results', () => {
  test.each([
    ['who acquired Sold', 'Sold was acquired by Buyer One in Jun 2021, unsourced.'],
    ['Who bought Taken?', 'Taken was acquired by Nemo Holdings on 9 Mar 2022.'],
    ['when was Given acquired', 'Given was acquired by Buyer One in 2021.'],
    ['who acquired Lost', 'Lost was acquired; no source on record states by whom.'],
    ['who acquired Gone', 'No source on record states an acquisition of Gone.'],
    ['when did Gone shut down', 'Gone closed in Nov 2022, unsourced.'],
    ['did Buyer One acquire Sold', 'Yes: Sold was acquired by Buyer One in Jun 2021, unsourced.'],
    ['in which year did Gone collapse', 'Gone closed in Nov 2022, unsourced.'],
    ['wann wurde Gone geschlossen', 'Gone closed in Nov 2022, unsourced.'],
    ['wer hat Sold gekauft', 'Sold was acquired by Buyer One in Jun 2021, unsourced.'],
    ['¿quién compró Sold?', 'Sold was acquired by Buyer One in Jun 2021, unsourced.'],
    ['what happened to Gone', 'Gone closed in Nov 2022, unsourced.'],
    ['when did Gone close?', 'Gone closed in Nov 2022, unsourced.'],
    ['when did Ended close', 'Ended is closed; no source on record states since when.'],
    ['when did Sold shut down', 'Sold was acquired by Buyer One in Jun 2021, unsourced.'],
  ])('says what became of a company: %s', async (question, said) => {
    expect(await answer(question)).toBe(said);
  });

  test.each([
    ['which companies did Buyer One acquire', '2 companies acquired by Buyer One on record: Sold and Given.'],
    ['Buyer One acquisitions', '2 companies acquired by Buyer One on record: Sold and Given.'],
    ["Buyer One's acquisitions", '2 companies acquired by Buyer One on record: Sold and Given.'],
    ['what did Buyer One buy in 2021?', '2 companies acquired by Buyer One in 2021 on record: Sold and Given.'],
    ['companies acquired by Nemo Holdings', '1 company acquired by Nemo Holdings on record: Taken.'],
    ['wallets acquired by Buyer One', '1 company in wallets acquired by Buyer One on record, unsourced: Sold.'],
    ['companies acquired in 2021', '2 companies acquired in 2021 on record: Sold and Given.'],
    ['companies acquired since 2022', '1 company acquired since 1 Jan 2022 on record: Taken.'],
    ['which companies closed in 2022', '1 company that closed in 2022 on record, unsourced: Gone.'],
    ['how many companies shut down in 2022', '1 company that closed in 2022 on record.'],
  ])('names the companies that were acquired or closed: %s', async (question, said) => {
    expect(await answer(question)).toBe(said);
  });

  test('says nothing of what a company goes on with, and that nobody acquired any', async () => {
    expect(await answer('when did Alive shut down')).toBe('Alive is active.');
    expect(await answer('companies acquired by Fund One')).toBe('No company acquired by Fund One is on record.');
  });
});
