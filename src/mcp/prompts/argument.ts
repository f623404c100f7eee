import * as z from 'zod';

/** A prompt argument that names one record. */
export const namedRecord = (noun: string) =>
  z
    .string()
    .trim()
    .min(1)
    .max(200)
    .meta({ description: `Name, slug or web domain of the ${noun}.` });
