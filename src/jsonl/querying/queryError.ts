import { formatText, type ProblemText } from '../../contract/problem';

/** Thrown for an invalid query, with an English message. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  readonly text: ProblemText;
  /** UTF-16 offsets of the invalid part. For a problem at the end of the query both are its length. */
  readonly start: number;
  readonly end: number;

  constructor({ start, end }: Pick<QueryError, 'start' | 'end'>, template: string, ...args: readonly (string | number)[]) {
    super(formatText({ template, args }));
    this.text = { template, args };
    this.start = start;
    this.end = end;
  }
}
