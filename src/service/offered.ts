import { type Endpoint, endpoints } from '../contract/endpoints.ts';

/** The documented endpoints; paid ones only if the service sells. */
export const offeredEndpoints = (isSelling: boolean): readonly Endpoint[] =>
  endpoints.filter(({ access }) => access !== 'payment' || isSelling);
