import type { SessionBudget } from '../../../client/schemas/sessionParams';
import type { Budget } from '../../../client/schemas/sessions';
import type { Translate } from '../../../common/text/translate';
import { numberFormat } from '../../../shared/formats';

/** Whole US cents of an amount in dollars such as `2.50` or `$3`; undefined for what is none, or is no whole number of cents. */
export function toCents(text: string): number | undefined {
  const [, dollars, cents = ''] = /^\$?\s*(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text.trim()) ?? [];
  return dollars === undefined ? undefined : Number(dollars) * 100 + Number(cents.padEnd(2, '0'));
}

/** What is wrong with an amount that has to be more than `spent` cents, or undefined. */
export function describeAmountProblem(text: string, spent: number, locale: string, t: Translate): string | undefined {
  const cents = toCents(text);
  if (cents === undefined) {
    return t('Enter an amount in US dollars with at most two decimals behind a point, such as 2.50');
  }
  if (cents > spent) {
    return undefined;
  }
  return spent === 0 ? t('Enter more than nothing') : t('Enter more than what is spent already, {0}', toDollars(spent, locale));
}

/** An amount of whole US cents as people write it: `$2.50`. */
export function toDollars(cents: number, locale: string): string {
  return numberFormat(locale, { style: 'currency', currency: 'USD' }).format(cents / 100);
}

/** A budget as the service takes it: whole cents in digits (API facts, section 7). */
export function toBudget(cents: number): SessionBudget {
  return { type: 'limit', max_list_cost: { amount: String(cents), currency: 'USD' } };
}

/** Whole US cents of what the service shows as a budget or a cost; undefined where it is none, or in another currency. */
export function centsOf(value: Budget['max_list_cost']): number | undefined {
  const isDollars = value?.currency === undefined || value.currency === null || value.currency === 'USD';
  return value && isDollars && /^\d{1,15}$/.test(value.amount) ? Number(value.amount) : undefined;
}
