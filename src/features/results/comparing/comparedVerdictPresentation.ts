import type { Translate } from '../../../common/text/translate';
import type { LeftOut, Measure } from '../../../jsonl/comparing/verdict/measure';
import { numberFormat } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';

export interface VerdictContext {
  readonly translate: Translate;
  readonly locale: string;
}

/** A verdict in words. */
export interface VerdictLine {
  /** `other`: a number is higher or lower, which is neither good nor bad. */
  readonly tone: 'better' | 'worse' | 'other' | 'unclear';
  readonly text: string;
  /** Where it is unclear: what so many requests can show, and how many more would; else empty. */
  readonly advice: string;
  /** How many requests it is made of, and why the others are not. */
  readonly detail: string;
}

/** The verdicts in words, the one that matters most first: the difference with its interval, then the p-value, then what that means. */
export function toVerdictLines(measures: readonly Measure[], context: VerdictContext): readonly VerdictLine[] {
  return measures.map(measure => ({
    tone: measure.verdict === 'higher' || measure.verdict === 'lower' ? 'other' : measure.verdict,
    text: toSentence(measure, context),
    advice: measure.verdict === 'unclear' ? toAdvice(measure, context) : '',
    detail: toCompared(measure, context),
  }));
}

/** How it was found, for who wants to check it. */
export function toMethodWords(measures: readonly Measure[], { translate: t }: VerdictContext): string {
  const tests = Math.max(1, ...measures.map(measure => measure.tests));
  return [
    t('A is the older run, B the newer one.'),
    tests > 1
      ? t('Intervals are widened for {0} tests (Bonferroni): all of them together hold the true differences in 95 of 100 cases.', tests)
      : t('The interval holds the true difference in 95 of 100 cases.'),
    t("Pass and fail: McNemar's exact test, without mid-p, and Newcombe's interval for paired proportions."),
    ...(measures.some(({ about }) => about === 'number') ? [t('Numbers: a paired bootstrap over requests with a fixed seed.')] : []),
    ...(tests > 1
      ? [t('P-values are corrected for {0} tests (Holm).', tests), t('Sizes are for a power of 80 % at 5 %, shared among the tests.')]
      : [t('Sizes are for a power of 80 % at 5 %.')]),
  ].join(' ');
}

function toSentence(measure: Measure, context: VerdictContext): string {
  const { translate: t } = context;
  const { interval, verdict, about } = measure;
  if (interval === undefined) {
    return withName(measure, measure.compared === 0 ? t('Nothing to compare.') : t('Not enough to tell.'), context);
  }
  const size = (value: number) => (about === 'number' ? signed(value, context, 3) : signed(value * 100, context, 1));
  const found = t(
    '{0} ({1} to {2}), {3}',
    toDifference(measure, context),
    size(interval.low),
    size(interval.high),
    toP(measure.p, context),
  );
  if (verdict === 'unclear') {
    return withName(measure, t('Not enough to tell: {0}.', found), context);
  }
  const words = { better: t('better'), worse: t('worse'), higher: t('higher'), lower: t('lower') }[verdict];
  return withName(measure, t('{0}: {1}.', found, words), context);
}

/** What is measured stands before it, but for the two that say so themselves. */
function withName({ about, field }: Measure, text: string, { translate: t }: VerdictContext): string {
  if (about === 'expected' || about === 'answered') {
    return text;
  }
  const name = about === 'number' ? (field === '' || field === undefined ? t('Number') : toLabel(field, 40)) : about;
  return t('{0}: {1}', name, text);
}

function toDifference({ about, interval }: Measure, context: VerdictContext): string {
  const { translate: t } = context;
  const difference = interval?.difference ?? 0;
  const size = plain(about === 'number' ? Math.abs(difference) : Math.abs(difference * 100), context, about === 'number' ? 3 : 1);
  if (about === 'number') {
    return difference === 0 ? t('B is as high as A') : difference > 0 ? t('B is {0} higher', size) : t('B is {0} lower', size);
  }
  if (about === 'answered') {
    return difference === 0
      ? t('B gives as many whole answers as A')
      : difference > 0
        ? t('B gives {0} points more whole answers', size)
        : t('B gives {0} points fewer whole answers', size);
  }
  return difference === 0
    ? t('B passes as often as A')
    : difference > 0
      ? t('B passes {0} points more', size)
      : t('B passes {0} points fewer', size);
}

/** What so many requests can show, and how many more would show what was seen. */
function toAdvice({ about, compared, smallest, more }: Measure, context: VerdictContext): string {
  const { translate: t, locale } = context;
  const count = numberFormat(locale).format(compared);
  if (compared === 0) {
    return '';
  }
  if (smallest === undefined) {
    // Numbers that all differ by the same leave nothing to reckon with.
    return about === 'number' && compared > 1
      ? ''
      : compared === 1
        ? t('1 request is too few to show any difference.')
        : t('{0} requests are too few to show any difference.', count);
  }
  const can =
    about === 'number'
      ? t('{0} requests can show a difference of {1} or more.', count, plain(smallest, context, 3))
      : t('{0} requests can show a difference of {1} points or more.', count, plain(smallest * 100, context, 1));
  return more === undefined
    ? can
    : `${can} ${t('About {0} more would show one of the size seen.', numberFormat(locale).format(roundUp(more)))}`;
}

function toCompared({ compared, left }: Measure, context: VerdictContext): string {
  const { translate: t, locale } = context;
  const all = left.reduce((sum, { count }) => sum + count, compared);
  const count = numberFormat(locale).format(all);
  if (left.length === 0) {
    return all === 1 ? t('1 request is compared.') : t('All {0} requests are compared.', count);
  }
  const why = left.map(one => leftWords(one, context)).join(', ');
  return t('{0} of {1} requests are compared. Not compared: {2}.', numberFormat(locale).format(compared), count, why);
}

function leftWords({ why, side, count }: LeftOut, { translate: t, locale }: VerdictContext): string {
  const number = numberFormat(locale).format(count);
  const place = side === 'both' ? t('A and B') : side === 'before' ? 'A' : 'B';
  switch (why) {
    case 'missing':
      return t('{0} without a result in {1}', number, place);
    case 'failed':
      return t('{0} failed in {1}', number, place);
    case 'ended':
      return t('{0} expired or canceled in {1}', number, place);
    case 'notExpected':
      return t('{0} of which nothing is expected', number);
    case 'unusable':
      return t('{0} whose expectation cannot be used', number);
    case 'noNumber':
      return t('{0} without this number in both answers', number);
  }
}

function toP(p: number, { translate: t, locale }: VerdictContext): string {
  if (p < 0.001) {
    return t('p < {0}', numberFormat(locale).format(0.001));
  }
  // More digits where rounding would say that a value is at the limit that it is beyond.
  const digits = p < 0.1 ? 3 : 2;
  return t(
    'p = {0}',
    numberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: p > 0.05 && p < 0.0505 ? 4 : digits }).format(p),
  );
}

function signed(value: number, context: VerdictContext, digits: number): string {
  const text = plain(Math.abs(value), context, digits);
  // What rounds to nothing has no sign.
  return value < 0 && /[1-9]/.test(text) ? `−${text}` : text;
}

function plain(value: number, { locale }: VerdictContext, digits: number): string {
  return digits === 1
    ? numberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value)
    : numberFormat(locale, { maximumSignificantDigits: digits }).format(value);
}

/** Two digits say enough of what is only about. */
function roundUp(value: number): number {
  const scale = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  return Math.ceil(value / scale) * scale;
}
