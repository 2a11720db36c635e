import { formatText, type ProblemText } from '../../contract/problem';

/** Why a query was not understood. `start` and `end` are UTF-16 places in it; at its end both are its length. */
export interface QueryProblem {
  readonly start: number;
  readonly end: number;
  readonly text: ProblemText;
  /** What should stand from `start` to `end`, where one name is close. */
  readonly suggestion?: string;
}

/** A query that was not understood, as an error with an English sentence. */
export class QueryError extends Error {
  override readonly name = 'QueryError';

  constructor(readonly problem: QueryProblem) {
    super(formatText(problem.text));
  }
}

/** What is thrown when a part of a query is not understood. */
export function refused(start: number, end: number, template: string, ...args: (string | number)[]): QueryError {
  return new QueryError({ start, end, text: { template, args } });
}
