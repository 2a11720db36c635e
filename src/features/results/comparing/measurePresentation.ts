import type { Translate } from '../../../common/text/translate';
import type { LeftOut, Measure } from '../../../jsonl/comparing/verdict/measure';
import type { ComparedKind } from '../../../shared/comparison/comparisonProtocol';
import { numberFormat } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';

interface MeasureContext {
  readonly translate: Translate;
  readonly locale: string;
}

/** Returns how many requests became worse or better or stayed the same: `56 worse, 0 better, 144 the same`. */
export function toCountWords({ regressed, fixed, changed, same }: Readonly<Record<ComparedKind, number>>, context: MeasureContext): string {
  const { translate: t, locale } = context;
  const [worse, better, other, alike] = [regressed, fixed, changed, same].map(count => numberFormat(locale).format(count));
  return changed === 0
    ? t('{0} worse, {1} better, {2} the same', worse ?? '', better ?? '', alike ?? '')
    : t('{0} worse, {1} better, {2} changed, {3} the same', worse ?? '', better ?? '', other ?? '', alike ?? '');
}

/** Describes whether the difference in the first measure can be chance, and lists the other measures with a significant difference. */
export function toChanceWords([main, ...others]: readonly Measure[], context: MeasureContext): string {
  const { translate: t } = context;
  const words = { better: t('better'), worse: t('worse'), higher: t('higher'), lower: t('lower') };
  return [
    main === undefined ? '' : chanceOf(main, context),
    ...others.flatMap(one => (one.verdict === 'unclear' ? [] : [t('{0}: B is {1}.', nameOf(one, t), words[one.verdict])])),
  ]
    .filter(text => text !== '')
    .join(' ');
}

function chanceOf({ verdict, compared, table, more }: Measure, { translate: t, locale }: MeasureContext): string {
  if (verdict === 'better' || verdict === 'worse') {
    return verdict === 'better' ? t('B is better.') : t('B is worse.');
  }
  if (compared === 0) {
    return t('Nothing to compare.');
  }
  if ((table?.worse ?? 0) + (table?.better ?? 0) === 0) {
    return t('Neither is better.');
  }
  return more === undefined
    ? t('The difference may be chance.')
    : t('The difference may be chance. Compare about {0} more requests.', numberFormat(locale).format(roundUp(more)));
}

/** Returns each measure as a line with its values, interval and p-value: `Whole answers: 72.0 % → 44.0 %, …`. */
export function toMeasureLines(measures: readonly Measure[], context: MeasureContext): readonly string[] {
  return measures.map(measure => [toValues(measure, context), toCompared(measure, context)].join(' '));
}

/** Describes the statistics behind the measures. */
export function toMethodWords(measures: readonly Measure[], { translate: t }: MeasureContext): string {
  const tests = Math.max(1, ...measures.map(measure => measure.tests));
  return [
    t('A is the older run, B the newer one.'),
    t("Pass and fail: McNemar's exact test, Newcombe's interval."),
    ...(measures.some(({ about }) => about === 'number') ? [t("Numbers: Student's paired t-test.")] : []),
    tests > 1 ? t('95% intervals, corrected for {0} tests (Bonferroni, Holm).', tests) : t('95% intervals.'),
  ].join(' ');
}

function toValues(measure: Measure, context: MeasureContext): string {
  const { translate: t } = context;
  const { interval, about, values, p } = measure;
  const name = nameOf(measure, t);
  if (interval === undefined) {
    return t('{0}: not enough data to compare.', name);
  }
  const isNumber = about === 'number';
  const value = (one: number) => (isNumber ? plain(one, context, 3) : t('{0} %', plain(one * 100, context, 1)));
  const size = (one: number) => (isNumber ? plain(one, context, 3) : plain(one * 100, context, 1));
  const range = t('{0} ({1} to {2})', size(interval.difference), size(interval.low), size(interval.high));
  return `${name}: ${value(values[0])} → ${value(values[1])}, ${isNumber ? range : t('{0} percentage points', range)}, ${toP(p, context)}.`;
}

function nameOf({ about, field = '' }: Measure, t: Translate): string {
  const number = field === '' ? t('Number') : toLabel(field, 40);
  const names: Readonly<Partial<Record<Measure['about'], string>>> = {
    answered: t('Complete answers'),
    expected: t('As expected'),
    number,
  };
  return names[about] ?? about;
}

function toCompared({ compared, left }: Measure, context: MeasureContext): string {
  const { translate: t, locale } = context;
  const all = left.reduce((sum, { count }) => sum + count, compared);
  const why = left.map(one => leftWords(one, context)).join(', ');
  const counted = t('{0} of {1} requests', numberFormat(locale).format(compared), numberFormat(locale).format(all));
  return why === '' ? counted : t('{0}, not compared: {1}', counted, why);
}

function leftWords({ why, side, count }: LeftOut, { translate: t, locale }: MeasureContext): string {
  const number = numberFormat(locale).format(count);
  const sides = side === 'both' ? t('A and B') : side === 'before' ? 'A' : 'B';
  const words: Readonly<Record<LeftOut['why'], string>> = {
    missing: t('{0} without a result in {1}', number, sides),
    failed: t('{0} failed in {1}', number, sides),
    ended: t('{0} expired or canceled in {1}', number, sides),
    notExpected: t('{0} without an expectation', number),
    unusable: t('{0} with an invalid check', number),
    noNumber: t('{0} without a number', number),
  };
  return words[why];
}

function toP(p: number, { translate: t, locale }: MeasureContext): string {
  if (p < 0.001) {
    return t('p < {0}', numberFormat(locale).format(0.001));
  }
  // Uses more digits if rounding would move the value across the significance level.
  const digits = p < 0.1 ? 3 : 2;
  return t(
    'p = {0}',
    numberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: p > 0.05 && p < 0.0505 ? 4 : digits }).format(p),
  );
}

/** Formats a number with one decimal or three significant digits. A value that rounds to 0 has no sign. */
function plain(value: number, { locale }: MeasureContext, digits: 1 | 3): string {
  const options = digits === 1 ? { minimumFractionDigits: 1, maximumFractionDigits: 1 } : { maximumSignificantDigits: 3 };
  const text = numberFormat(locale, options).format(Math.abs(value));
  return value < 0 && /[1-9]/.test(text) ? `−${text}` : text;
}

/** Rounds up to two significant digits. */
function roundUp(value: number): number {
  const scale = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  return Math.ceil(value / scale) * scale;
}
