import type { Translate } from '../../../common/text/translate';
import type { Problem, ProblemText, Severity } from '../../../contract/problem';
import { toNumber } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';

/** Number of problems per severity. */
export type ProblemCounts = Readonly<Record<Severity, number>>;

/**
 * Maximum number of problems to show per file. The extension host limits a file to 1,000 diagnostics and silently drops the rest. The last
 * diagnostic counts the hidden problems.
 */
export const shownProblemsLimit = 999;

/** Returns the message of a problem in the user's language, escaped as one line. */
export function toProblemSentence(text: ProblemText, t: Translate): string {
  return toLabel(t(text.template, ...text.args), 500);
}

/** Returns the name of a severity. */
export function toSeverityWord(severity: Severity | 'off', t: Translate): string {
  const words = { error: t('error'), warning: t('warning'), information: t('information'), hint: t('hint'), off: t('off') };
  return words[severity];
}

/** Counts the errors and warnings. Hints and information are shown only at their lines. */
export function countProblems(counts: ProblemCounts): number {
  return counts.error + counts.warning;
}

/** Returns the message of the last diagnostic of a file, which counts the hidden problems. `undefined` if all problems are shown. */
export function toHiddenProblemsSentence(shown: number, counts: ProblemCounts, t: Translate, locale?: string): string | undefined {
  const hidden = counts.error + counts.warning + counts.information + counts.hint - shown;
  return hidden > 0 ? t('{0} more problems. Use "Check Request File" to see them all.', toNumber(hidden, locale)) : undefined;
}

/** Returns the errors that apply when a request is run alone. Its id is not sent then, and `stream` is replaced. */
export function errorsOfRequest(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ severity, path }) => severity === 'error' && path[0] !== 'custom_id' && path.at(-1) !== 'stream');
}
