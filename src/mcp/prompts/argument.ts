import * as z from 'zod';

export const namedRecord = (noun: string) =>
  z
    .string()
    .trim()
    .min(1)
    .max(200)
    .meta({ description: `Name, slug or web domain of the ${noun}.` });
