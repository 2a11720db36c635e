import type { Translate } from '../../../common/text/translate';
import type { ProblemText } from '../../../contract/problem';
import { type FixKind, fixKinds } from '../../../jsonl/fixes/fixKinds';
import type { RewriteSummary } from '../../../jsonl/fixes/lineRewriter';
import { toLabel } from '../../../shared/text';
import { toNumber } from '../../../shared/formats';

/** Returns the title of a fix in the user's language, escaped as one line. */
export function toFixTitle(title: ProblemText, t: Translate): string {
  return toLabel(t(title.template, ...title.args), 120);
}

/**
 * Returns the kinds of fixes that change something, in the order of the table, with the number of changed lines. Safe kinds are
 * preselected.
 */
export function toFixChoices(fixes: RewriteSummary['fixes'], t: Translate, locale?: string) {
  const counts = new Map(fixes);
  return (Object.keys(fixKinds) as FixKind[]).flatMap(fix => {
    const { label, isSafe } = fixKinds[fix];
    const lines = counts.get(fix) ?? 0;
    return lines === 0 ? [] : [{ fix, label: t(label), description: toLineCount(lines, t, locale), picked: isSafe }];
  });
}

/** Formats a number of lines, such as `12 lines`. */
function toLineCount(lines: number, t: Translate, locale?: string): string {
  return lines === 1 ? t('1 line') : t('{0} lines', toNumber(lines, locale));
}

/** Describes how many lines were fixed, and how many errors and warnings remain. */
export function toFixSentence(summary: RewriteSummary, t: Translate, locale?: string): string {
  const { changedLines: lines, fixes } = summary;
  // Fixes of line ends and byte order marks change no line.
  const fixed = lines > 0 ? t('Lines fixed: {0}.', toNumber(lines, locale)) : fixes.length > 0 ? t('Fixed.') : t('Nothing was changed.');
  return `${fixed} ${toLeftSentence(summary, t, locale)}`;
}

/** Describes how many errors and warnings remain. */
export function toLeftSentence(
  { problemsLeft, requests }: Pick<RewriteSummary, 'problemsLeft' | 'requests'>,
  t: Translate,
  locale?: string,
): string {
  if (problemsLeft > 0) {
    return t('Errors and warnings left: {0}.', toNumber(problemsLeft, locale));
  }
  return requests === 0 ? t('There are no requests.') : t('No problems remain.');
}
