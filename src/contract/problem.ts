export type Severity = 'error' | 'warning' | 'information' | 'hint';

/** From worst to least. */
export const severityOrder: readonly Severity[] = ['error', 'warning', 'information', 'hint'];

/** A sentence with numbered places (`{0}`) and what goes into them, so that the interface can translate it. */
export interface ProblemText {
  readonly template: string;
  readonly args: readonly (string | number)[];
}

/**
 * Something wrong with one line of a request file. `line` counts from 0 as the editor does; `start` and `end` are UTF-16
 * columns in that line (end exclusive). `rule` is a stable kebab-case id.
 */
export interface Problem {
  readonly rule: string;
  readonly severity: Severity;
  readonly text: ProblemText;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** JSON path inside the line: `['params', 'messages', 0, 'role']`. */
  readonly path: readonly (string | number)[];
  /** What a fix can build on, where one value or name is the best. */
  readonly hint?: ProblemHint;
  /** Other lines that take part, such as the first use of a duplicate id. */
  readonly related?: readonly { readonly line: number; readonly text: ProblemText }[];
}

/** Facts about a problem for a machine. */
export interface ProblemHint {
  /** What should stand in place of the key or the text: the name of a field, a listed value, a model. Not quoted, not escaped. */
  readonly suggestion?: string;
}

/** The English sentence of a problem. */
export function formatText(text: ProblemText): string {
  return text.template.replace(/\{(\d+)\}/g, (place, index) => String(text.args[Number(index)] ?? place));
}
