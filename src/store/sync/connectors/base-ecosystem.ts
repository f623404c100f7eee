import * as z from 'zod';
import { defineConnector, tagsOf } from '../connector.ts';
import { gitDirectory, jsonOf } from '../git-directory.ts';

const FILE = /^apps\/web\/src\/data\/ecosystem\/([^/]+)\/metadata\.json$/;

/** Projects on Base, with the categories of its directory. */
export const baseEcosystem = defineConnector({
  ...gitDirectory({ owner: 'base', name: 'web', branch: 'master', path: FILE, read: jsonOf }),
  source: 'base-ecosystem',
  title: 'Base ecosystem directory',
  licence: 'Apache-2.0',
  trust: 'curated',
  entry: z.object({
    path: z.string(),
    content: z.object({
      name: z.string(),
      url: z.string(),
      category: z.string().optional(),
      subcategory: z.string().optional(),
    }),
  }),
  claims: ({ path, content: { name, url, category, subcategory } }) => [
    {
      type: 'companies',
      key: FILE.exec(path)?.[1] ?? path,
      fields: { name, website: url, tags: tagsOf(category, subcategory), chains: ['Base'] },
    },
  ],
});
