import type { Store } from '../store/store.ts';
import { type Command, JSON_FLAG } from './command.ts';
import { ConfigError } from './config.ts';
import { print, printJson } from './output.ts';
import { openLastingStore, shippedRows } from './storage.ts';

export const command: Command = {
  usage: 'data add|drop',
  wordsMax: 1,
  about: 'Add the shipped data set, or drop what it brought and nobody has changed since.',
  example: 'web3-bi data drop',
  flags: { json: JSON_FLAG },
  settings: ['database', 'data', 'state-dir'],
  run: async ({ settings, flags, words }) => {
    const action = actions[words[0] ?? ''];
    if (action === undefined)
      throw new ConfigError(`data needs one of ${Object.keys(actions).join(', ')}, such as: ${command.example}`);
    const store = await openLastingStore(settings);
    try {
      const done = await action(store);
      const told = Object.entries(done).map(([what, count]) => `${count} ${what}`);
      if (flags['json'] === true) printJson(done);
      else print(`${told.join(', ')}.`);
      return 0;
    } finally {
      await store.close();
    }
  },
};

const actions: Readonly<Record<string, (store: Store) => Promise<Readonly<Record<string, number>>>>> = {
  add: async ({ records }) => {
    const kept = await records.addShipped(shippedRows);
    const counts = { created: 0, updated: 0, unchanged: 0 };
    for (const { change } of kept) counts[change] += 1;
    return counts;
  },
  drop: async ({ records }) => ({ dropped: await records.dropShipped() }),
};
