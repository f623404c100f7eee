import * as z from 'zod';
import { type ClaimDraft, defineConnector } from '../connector.ts';
import { gitDirectory, type TarFile } from '../git-directory.ts';

/** An author with an account: `Ada Example (@ada)`. Email addresses are not read. */
const AUTHOR = /^([^(<@]+?)\s*\(@([\w-]{1,39})\)/;

/** Authors of Ethereum Improvement Proposals, by GitHub account. */
export const eips = defineConnector({
  ...gitDirectory({
    ...{ owner: 'ethereum', name: 'EIPs', branch: 'master' },
    path: /^EIPS\/eip-\d+\.md$/,
    read: headOf,
  }),
  source: 'eips',
  title: 'Ethereum Improvement Proposals',
  licence: 'CC0-1.0',
  trust: 'registry',
  // A proposal moved to another repository leaves a stub.
  entry: z.object({ content: z.union([z.object({ author: z.string() }), z.object({ status: z.literal('Moved') })]) }),
  claims: ({ content }) =>
    ('author' in content ? content.author : '').split(/,\s*/).flatMap((text): ClaimDraft[] => {
      const [, name, account] = AUTHOR.exec(text.trim()) ?? [];
      if (name === undefined || account === undefined) return [];
      const fields = { name, github: `https://github.com/${account}`, tags: ['Ethereum'] };
      return [{ type: 'people', key: account.toLowerCase(), fields }];
    }),
});

/** The front matter of a proposal. */
function headOf(file: TarFile): Record<string, string> {
  const head = /^---\n(.*?)\n---/s.exec(file.text())?.[1] ?? '';
  const lines = head.split('\n').map((line) => /^([\w-]+):\s*(.*)$/.exec(line));
  return Object.fromEntries(lines.flatMap((line) => (line === null ? [] : [[line[1], line[2]]])));
}
