import { formatText, type ProblemText } from '../../contract/problem';

/** Problem in a query. `start` and `end` are UTF-16 offsets in it. For a problem at the end of the query both are its length. */
export interface QueryProblem {
  readonly start: number;
  readonly end: number;
  readonly text: ProblemText;
  /** Replacement for `start` to `end`, if there is a similar name. */
  readonly suggestion?: string;
}

/** Thrown for an invalid query, with an English message. */
export class QueryError extends Error {
  override readonly name = 'QueryError';

  constructor(readonly problem: QueryProblem) {
    super(formatText(problem.text));
  }
}

/** Returns the error to throw for an invalid part of a query. */
export function refused(start: number, end: number, template: string, ...args: (string | number)[]): QueryError {
  return new QueryError({ start, end, text: { template, args } });
}
