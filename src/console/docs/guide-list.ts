/** Documents of `docs/` that are also pages of the service; `scripts/guides.ts` renders them. */
export const GUIDES: readonly string[] = [
  ...['hosts', 'questions', 'tools', 'records', 'rest', 'client', 'wallet-and-payments'],
  ...['commands', 'settings', 'operations', 'import-and-export', 'security'],
];

export interface Guide {
  /** The last part of its address. */
  readonly name: string;
  readonly title: string;
  /** Its headings of the second level, by the id of each. */
  readonly parts: readonly { readonly id: string; readonly title: string }[];
  /** What follows its title. */
  readonly html: string;
}
