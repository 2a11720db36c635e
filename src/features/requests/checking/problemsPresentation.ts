import type { Translate } from '../../../common/text/translate';
import type { Problem, ProblemText, Severity } from '../../../contract/problem';
import { numberFormat } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';

/** Number of problems per severity. */
export type ProblemCounts = Readonly<Record<Severity, number>>;

/**
 * The extension host keeps 1,000 diagnostics of one file and drops the rest without a word; one of them is ours, for the
 * count of those that are not shown.
 */
export const shownProblemsLimit = 999;

/** The sentence of a problem in the user's language, safe as one line. */
export function toProblemSentence(text: ProblemText, t: Translate): string {
  return toLabel(t(text.template, ...text.args), 500);
}

/** A severity as a word. */
export function toSeverityWord(severity: Severity | 'off', t: Translate): string {
  switch (severity) {
    case 'error':
      return t('error');
    case 'warning':
      return t('warning');
    case 'information':
      return t('information');
    case 'hint':
      return t('hint');
    case 'off':
      return t('off');
  }
}

/** Problems that need an act; hints and information are told where they stand only. */
export function countProblems(counts: ProblemCounts): number {
  return counts.error + counts.warning;
}

/** `412 requests`. */
export function toRequestCount(count: number, t: Translate, locale?: string): string {
  return count === 1 ? t('1 request') : t('{0} requests', toNumber(count, locale));
}

/** What the last diagnostic of a file says when there are more problems than can be shown; undefined when all are shown. */
export function toHiddenProblemsSentence(shown: number, counts: ProblemCounts, t: Translate, locale?: string): string | undefined {
  const hidden = counts.error + counts.warning + counts.information + counts.hint - shown;
  return hidden > 0
    ? t(
        '{0} more problems are not shown here. The command "Managed Agents: Check Request File" counts them by rule.',
        toNumber(hidden, locale),
      )
    : undefined;
}

/** Errors of a line that concern what is sent when it is run alone: neither its id nor `stream` is sent as it stands then. */
export function errorsOfRequest(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ severity, path }) => severity === 'error' && path[0] !== 'custom_id' && path.at(-1) !== 'stream');
}

/** A number with the user's separators. */
export function toNumber(value: number, locale?: string): string {
  return numberFormat(locale).format(value);
}
