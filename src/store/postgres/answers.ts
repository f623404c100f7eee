import { ServiceError } from '../../contract/errors.ts';
import type { AnswerIndex } from '../answers/answer-index.ts';
import { atOnce, type Steps } from '../sql/steps.ts';

const nothing = (): Steps<void> => atOnce(() => {});

const refuse = (): Steps<never> =>
  atOnce(() => {
    throw new ServiceError('unavailable', 'Aggregates and connections are not offered on PostgreSQL.');
  });

/** This engine keeps no facts: what is asked of them is refused. */
export const postgresAnswers: AnswerIndex = {
  putAll: nothing,
  remove: nothing,
  catchUp: refuse,
  aggregate: refuse,
  connect: refuse,
};
