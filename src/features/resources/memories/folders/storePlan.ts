import type { Translate } from '../../../../common/text/translate';
import { withoutIcons } from '../../../../common/text/withoutIcons';
import { numberFormat } from '../../../../shared/formats';
import { toLabel } from '../../../../shared/text';

/** What writing one place does. */
export type PlannedAct = 'create' | 'replace' | 'same' | 'only' | 'refused';

/** One line of a plan. */
export interface PlannedLine {
  readonly act: PlannedAct;
  readonly path: string;
  /** Why it is refused, in a sentence without its end. */
  readonly why?: string;
}

/** What the parts of a plan are called; `only` is what stands on the other side alone. */
export type PlanTitles = Readonly<Record<PlannedAct, string>>;

const order: readonly PlannedAct[] = ['create', 'replace', 'only', 'refused', 'same'];

/** Those of a plan that are of one sort. */
export function linesOf<T extends { readonly act: PlannedAct }>(lines: readonly T[], act: PlannedAct): readonly T[] {
  return lines.filter(line => line.act === act);
}

/** The lines of one act of a plan, and their title with the number of lines. */
interface PlanPart {
  readonly title: string;
  readonly rows: readonly { readonly label: string; readonly description?: string }[];
}

/** Returns a plan grouped by act, for reading before anything is done. */
export function toPlanParts(lines: readonly PlannedLine[], titles: PlanTitles, locale: string): readonly PlanPart[] {
  const number = numberFormat(locale);
  return order.flatMap(act => {
    const some = linesOf(lines, act);
    const rows = some.map(({ path, why }) => ({
      label: withoutIcons(toLabel(path, 400)),
      ...(why !== undefined && { description: withoutIcons(why) }),
    }));
    return some.length === 0 ? [] : [{ title: `${titles[act]} (${number.format(some.length)})`, rows }];
  });
}

/** How many of each sort, in a few words. */
export function countPlan(lines: readonly PlannedLine[], translate: Translate, locale: string): string {
  const number = numberFormat(locale);
  const count = (act: PlannedAct) => number.format(linesOf(lines, act).length);
  const words: readonly (readonly [PlannedAct, string])[] = [
    ['create', translate('{0} new', count('create'))],
    ['replace', translate('{0} replaced', count('replace'))],
    ['refused', translate('{0} left out', count('refused'))],
    ['same', translate('{0} the same', count('same'))],
  ];
  return words.flatMap(([act, told]) => (linesOf(lines, act).length > 0 ? [told] : [])).join(', ');
}

/** Describes what was done, how much was not, and the first failures. `headline` says how much was done. */
export function describeDone(headline: string, left: number, failures: readonly string[], translate: Translate): string {
  const told = left === 0 ? headline : `${headline} ${translate('Not done: {0}.', left)}`;
  const more = failures.length > 3 ? [translate('{0} more failed.', failures.length - 3)] : [];
  return [told, ...failures.slice(0, 3), ...more].join(' ');
}
