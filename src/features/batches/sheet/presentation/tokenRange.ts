import type { TokenRange } from '../../../../jsonl/survey/fileSurvey';
import { numberFormat } from '../../../../shared/formats';
import type { MessageContext } from '../../submitting/createBatchMessages';

/** `1.24M to 1.53M`: the lower bound rounded down and the upper one up. */
export function toRange({ low, high }: TokenRange, { translate: t, locale }: MessageContext): string {
  const [from, to] = [toTokens(low, locale, Math.floor), toTokens(high, locale, Math.ceil)];
  return from === to ? to : t('{0} to {1}', from, to);
}

/** Formats a range from zero to a maximum. */
export function toUpTo(most: number, { translate: t, locale }: MessageContext): string {
  return t('0 to {0}', toTokens(most, locale, Math.ceil));
}

/** Formats a number with three significant digits, with `K` or `M` in the user's language. */
export function toTokens(tokens: number, locale: string, round: (value: number) => number): string {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, tokens))) - 2);
  return numberFormat(locale, { notation: 'compact', maximumSignificantDigits: 3 }).format(round(tokens / step) * step);
}
