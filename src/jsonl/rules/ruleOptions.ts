import type { Severity } from '../problem';

/** What rules are judged by beside the text. Structured clone, so that threads get it too. */
export interface RuleOptions {
  /** Severity by rule id where the user wants another than the rule's own; `off` silences the rule. */
  readonly severities: Readonly<Record<string, Severity | 'off'>>;
  /** Model ids that the connection serves; undefined when they are not known. */
  readonly models: readonly string[] | undefined;
  /** Values of the beta header that the connection sends; undefined when no connection is chosen. */
  readonly betas: readonly string[] | undefined;
  /** The date, `YYYY-MM-DD`, by which the ends of support are judged. */
  readonly today: string;
}
