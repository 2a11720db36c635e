import type { Translate } from '../../../common/text/translate';
import type { ProblemText } from '../../../contract/problem';
import { type FixKind, fixKinds } from '../../../jsonl/fixes/fixKinds';
import type { RewriteSummary } from '../../../jsonl/fixes/lineRewriter';
import { toLabel } from '../../../shared/text';
import { toNumber } from '../checking/problemsPresentation';

/** The title of a fix in the user's language, safe as one line. */
export function toFixTitle(title: ProblemText, t: Translate): string {
  return toLabel(t(title.template, ...title.args), 120);
}

/** One kind of fix to choose, with how many lines it changes; chosen at first when it is safe. */
export interface FixChoice {
  readonly fix: FixKind;
  readonly label: string;
  readonly description: string;
  readonly picked: boolean;
}

/** The kinds that would change something, in the order of the table. */
export function toFixChoices(fixes: RewriteSummary['fixes'], t: Translate, locale?: string): readonly FixChoice[] {
  const counts = new Map(fixes);
  return (Object.keys(fixKinds) as FixKind[]).flatMap(kind => {
    const lines = counts.get(kind) ?? 0;
    return lines === 0
      ? []
      : [{ fix: kind, label: t(fixKinds[kind].label), description: toLineCount(lines, t, locale), picked: fixKinds[kind].isSafe }];
  });
}

/** `12 lines`. */
export function toLineCount(lines: number, t: Translate, locale?: string): string {
  return lines === 1 ? t('1 line') : t('{0} lines', toNumber(lines, locale));
}

/** What was done, how many problems are left, and by which fixes. */
export function toFixSentence(summary: RewriteSummary, t: Translate, locale?: string): string {
  const { changedLines, fixes, problemsLeft } = summary;
  const kinds = [...fixes]
    .sort((a, b) => b[1] - a[1])
    .map(([kind, lines]) => t('{0}: {1}', t(fixKinds[kind].label), toNumber(lines, locale)));
  const shown = kinds.length > mostKinds ? [...kinds.slice(0, mostKinds), t('{0} more', kinds.length - mostKinds)] : kinds;
  const next = changedLines === 0 && kinds.length === 0 && problemsLeft > 0 ? t('Look at them one by one in the Problems view.') : '';
  return [
    toChangedSentence(changedLines, kinds.length > 0, t, locale),
    toLeftSentence(summary, t, locale),
    next,
    shown.length === 0 ? '' : `${shown.join('; ')}.`,
  ]
    .filter(part => part !== '')
    .join(' ');
}

/** Line ends and marks of the file change without a line being another. */
function toChangedSentence(lines: number, hasFixes: boolean, t: Translate, locale?: string): string {
  switch (lines) {
    case 0:
      return hasFixes ? '' : t('Nothing was changed.');
    case 1:
      return t('1 line was changed.');
    default:
      return t('{0} lines were changed.', toNumber(lines, locale));
  }
}

/** How many errors and warnings are left. */
export function toLeftSentence(
  { problemsLeft, requests }: Pick<RewriteSummary, 'problemsLeft' | 'requests'>,
  t: Translate,
  locale?: string,
): string {
  switch (problemsLeft) {
    case 0:
      return requests === 0 ? t('There are no requests in it.') : t('No problem is left.');
    case 1:
      return t('1 problem is left.');
    default:
      return t('{0} problems are left.', toNumber(problemsLeft, locale));
  }
}

/** Kinds that a notification names at most. */
const mostKinds = 4;

/** The name of a new file beside `name`, with a word before its ending and a number when that is taken. */
export function toNewName(name: string, word: string, number: number): string {
  const dot = name.lastIndexOf('.');
  const [base, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '.jsonl'];
  return `${base}.${word}${number > 1 ? `-${number}` : ''}${ending}`;
}
