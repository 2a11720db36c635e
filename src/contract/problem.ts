export type Severity = 'error' | 'warning' | 'information' | 'hint';

/** Severities, ordered from most to least severe. */
export const severityOrder: readonly Severity[] = ['error', 'warning', 'information', 'hint'];

/** A sentence with numbered placeholders (`{0}`) and their values, so that the interface can translate it. */
export interface ProblemText {
  readonly template: string;
  readonly args: readonly (string | number)[];
}

/**
 * Problem in one line of a request file. Lines are 0-based. The UTF-16 columns `start` and `end` are positions in the line (`end` is
 * exclusive). Each `rule` has a stable ID in kebab case.
 */
export interface Problem {
  readonly rule: string;
  readonly severity: Severity;
  readonly text: ProblemText;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** JSON path in the line: `['params', 'messages', 0, 'role']`. */
  readonly path: readonly (string | number)[];
  /** Data for a quick fix. Absent without a single best value or name. */
  readonly hint?: {
    /** Replacement for the key or the text: a field name, a listed value or a model. The text is neither quoted nor escaped. */
    readonly suggestion?: string;
  };
  /** Other lines involved, such as the first use of a duplicate ID. */
  readonly related?: readonly { readonly line: number; readonly text: ProblemText }[];
}

/** Returns the English sentence of a problem. */
export function formatText(text: ProblemText): string {
  return text.template.replace(/\{(\d+)\}/g, (place, index) => String(text.args[Number(index)] ?? place));
}
