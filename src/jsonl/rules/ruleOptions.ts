import type { Severity } from '../../contract/problem';

/** What rules are judged by beside the text. Structured clone, so that threads get it too. */
export interface RuleOptions {
  /** Severity by rule id where the user wants another than the rule's own; `off` silences the rule. Unknown ids mean nothing. */
  readonly severities: Readonly<Record<string, Severity | 'off'>>;
  /** Ids of the rules whose severity the settings of the open folder raised. */
  readonly raisedByFolder?: readonly string[];
  /** Model ids that the connection serves; undefined when they are not known. */
  readonly models: readonly string[] | undefined;
  /** Limits that the connection lists for models; models without any are left out. */
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

/** Limits that a service lists for a model. */
export interface ModelFacts {
  readonly id: string;
  /** Upper limit of `max_tokens`. */
  readonly maxTokens?: number;
  /** True if it does not support `speed` `fast`. */
  readonly isNeverFast?: boolean;
}
