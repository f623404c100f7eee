import { type Endpoint, endpoints } from '../contract/endpoints.ts';

/** The endpoints that a service describes: what is not sold is not there. */
export const offeredEndpoints = (isSelling: boolean): readonly Endpoint[] =>
  endpoints.filter(({ access }) => access !== 'payment' || isSelling);
