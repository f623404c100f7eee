import * as z from 'zod';
import { splitList, webAddress } from './setting-types.ts';

const SCHEDULED_SOURCE = /^[a-z-]+(=[1-9]\d{0,3}h)?$/;

/** Settings of `sync` and of its schedule in `serve`. */
export const syncSettings = {
  sync: z
    .string()
    .refine(
      (text) => splitList(text).every((part) => SCHEDULED_SOURCE.test(part)),
      'sources, each with optional hours: wikidata,eips=12h',
    )
    .optional()
    .meta({
      description:
        'Enabled sources, such as wikidata,eips=12h: sync --all runs them, serve daily or at the given interval.',
    }),
  sync_contact: z.string().min(3).optional().meta({
    description: 'Mail address or web page sent to sources as contact; Wikidata and the SEC require one.',
  }),
  sync_keys: z
    .string()
    .refine((text) => splitList(text).every((part) => /^[a-z-]+=\S+$/.test(part)), 'SOURCE=KEY with commas between')
    .optional()
    .meta({ description: 'Keys of sources that take one: SOURCE=KEY with commas between.', secret: true }),
  sync_mirror: webAddress.optional().meta({
    description: 'Base URL of a mirror that sync uses instead of the sources: their host is the first path segment.',
  }),
  sync_redistribute: z
    .string()
    .refine((text) => splitList(text).every((part) => /^[a-z-]+$/.test(part)), 'sources with commas between')
    .optional()
    .meta({
      description:
        'Sources whose facts this service may hand on although their terms forbid it to others: the operator has the right.',
    }),
};
