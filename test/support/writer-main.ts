import { writeSync } from 'node:fs';
import { ServiceError } from '../../src/contract/errors.ts';
import { openStore } from '../../src/store/open.ts';
import { aCompany } from './builders.ts';

const PAUSE_MS = 20;

/** Writes companies one after another, and prints the slug or the error code of each. */
async function write(url: string, name: string): Promise<never> {
  const store = await openStore(url);
  for (let number = 1; ; number += 1) {
    const slug = `${name}-${number}`;
    try {
      await store.records.putAll([aCompany({ name: `${name} ${number}`, slug, tags: ['DeFi', name] })]);
      writeSync(1, `${slug}\n`);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      writeSync(1, `${error.code}\n`);
      // Reads continue while writes fail.
      await store.records.search({ types: ['companies'], text: name, window: { offset: 0, limit: 1 } });
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

const [url = '', name = ''] = process.argv.slice(2);
void write(url, name);
