import type { Problem, Severity } from '../../contract/problem';

/** Input of the rules other than the text. Must support structured clone, because the options are sent to threads. */
export interface RuleOptions {
  /** Severities that the user changed, keyed by rule id. `off` disables a rule. Unknown ids have no effect. */
  readonly severities: Readonly<Record<string, Severity | 'off'>>;
  /** Ids of the rules whose severity the settings of the open folder raised. */
  readonly raisedByFolder?: readonly string[];
  /** Model ids that the connection serves. `undefined` if unknown. */
  readonly models: readonly string[] | undefined;
  /** Limits that the connection lists for models. Models without limits are omitted. */
  readonly modelFacts?: readonly ModelFacts[];
  /** Prefix of the connection's model ids where the contract has `vendor-`. */
  readonly modelPrefix?: string;
  /** Fields of `params` that the connection's service accepts but the contract does not define. */
  readonly newerParams?: readonly string[];
  /** Values of the beta header that the connection sends. `undefined` if no connection is selected. */
  readonly betas: readonly string[] | undefined;
  /** User profile that the connection attributes its batches to. */
  readonly userProfile?: string;
  /** Date as `YYYY-MM-DD`, compared with the end of support of models. */
  readonly today: string;
}

/** Returns the options without a connection, with the default severities, for a given day. */
export function contractRules(today = toDay(new Date())): RuleOptions {
  return { severities: {}, models: undefined, betas: undefined, today };
}

/** Formats the UTC date of a moment as `YYYY-MM-DD`. */
export function toDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

export interface ModelFacts {
  readonly id: string;
  readonly maxTokens?: number;
  /** True if the model does not support the value `fast` of `speed`. */
  readonly isNeverFast?: boolean;
}

/** Returns the severity that the user set for a rule, or `own` by default. `undefined` if the rule is off. */
export function severityOf(rule: string, own: Severity, { severities }: Pick<RuleOptions, 'severities'>): Severity | undefined {
  const wanted = Object.hasOwn(severities, rule) ? severities[rule] : undefined;
  return wanted === 'off' ? undefined : (wanted ?? own);
}

/** Returns the problem with the severity that the user set for its rule. `undefined` if the rule is off. */
export function judged(problem: Problem, options: Pick<RuleOptions, 'severities'>): Problem | undefined {
  const severity = severityOf(problem.rule, problem.severity, options);
  return severity === undefined || severity === problem.severity ? severity && problem : { ...problem, severity };
}
