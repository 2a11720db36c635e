import type { Translate } from '../../../common/text/translate';
import type { LeftOut, Measure } from '../../../jsonl/comparing/verdict/measure';
import type { ComparedKind } from '../../../shared/comparison/comparisonProtocol';
import { numberFormat } from '../../../shared/formats';

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
  const words = { better: t('better'), worse: t('worse') };
  return [
    main === undefined ? '' : chanceOf(main, context),
    ...others.flatMap(one => (one.verdict === 'unclear' ? [] : [t('{0}: B is {1}.', nameOf(one.about, t), words[one.verdict])])),
  ]
    .filter(text => text !== '')
    .join(' ');
}

function chanceOf({ verdict, compared, table: { worse, better } }: Measure, { translate: t }: MeasureContext): string {
  switch (verdict) {
    case 'better':
      return t('B is better.');
    case 'worse':
      return t('B is worse.');
    default:
      return compared === 0
        ? t('There is nothing to compare.')
        : worse + better === 0
          ? t('Neither is better.')
          : t('The difference can be chance.');
  }
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
    tests > 1 ? t('95% intervals, corrected for {0} tests (Bonferroni, Holm).', tests) : t('95% intervals.'),
  ].join(' ');
}

function toValues({ about, interval, values: [before, after], p }: Measure, context: MeasureContext): string {
  const { translate: t } = context;
  const name = nameOf(about, t);
  if (interval === undefined) {
    return t('{0}: not enough to compare.', name);
  }
  const percent = (share: number) => plain(share * 100, context);
  const range = t('{0} ({1} to {2})', percent(interval.difference), percent(interval.low), percent(interval.high));
  return `${name}: ${t('{0} %', percent(before))} → ${t('{0} %', percent(after))}, ${t('{0} points', range)}, ${toP(p, context)}.`;
}

function nameOf(about: Measure['about'], t: Translate): string {
  switch (about) {
    case 'answered':
      return t('Whole answers');
    case 'expected':
      return t('As expected');
    default:
      return about;
  }
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

/** Formats a number with one decimal. A value that rounds to 0 has no sign. */
function plain(value: number, { locale }: MeasureContext): string {
  const text = numberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(Math.abs(value));
  return value < 0 && /[1-9]/.test(text) ? `−${text}` : text;
}
