import type { Severity } from '../../contract/problem';

/** What rules are judged by beside the text. Structured clone, so that threads get it too. */
export interface RuleOptions {
  /** Severity by rule id where the user wants another than the rule's own; `off` silences the rule. Unknown ids mean nothing. */
  readonly severities: Readonly<Record<string, Severity | 'off'>>;
  /** Ids of the rules that got their severity from the open folder's settings: it may only raise what the user set. */
  readonly raisedByFolder?: readonly string[];
  /** Model ids that the connection serves; undefined when they are not known. */
  readonly models: readonly string[] | undefined;
  /** What the connection's list says of models beyond their names, where it says something. */
  readonly modelFacts?: readonly ModelFacts[];
  /** What the connection's model ids begin with where the contract's do with `vendor-`. */
  readonly modelPrefix?: string;
  /** Fields of `params` that the connection's service knows and the contract does not. */
  readonly newerParams?: readonly string[];
  /** Values of the beta header that the connection sends; undefined when no connection is chosen. */
  readonly betas: readonly string[] | undefined;
  /** User profile that the connection attributes its batches to. */
  readonly userProfile?: string;
  /** The date, `YYYY-MM-DD`, by which the ends of support are judged. */
  readonly today: string;
}

/** The rules as the contract has them, on a day: each with its own severity, no connection chosen. */
export function contractRules(today = toDay(new Date())): RuleOptions {
  return { severities: {}, models: undefined, betas: undefined, today };
}

/** `YYYY-MM-DD` of a moment, UTC. */
export function toDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** What a service lists of a model. */
export interface ModelFacts {
  readonly id: string;
  /** The largest `max_tokens`. */
  readonly maxTokens?: number;
  /** It has no `speed` `fast`. */
  readonly isNeverFast?: boolean;
}
