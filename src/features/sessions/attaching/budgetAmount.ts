import type { Budget, SessionBudget } from '../../../client/resources/sessions';
import type { Translate } from '../../../common/text/translate';
import { numberFormat } from '../../../shared/formats';

/**
 * Parses an amount in dollars such as `2.50` or `$3`. Returns whole US cents, or `undefined` if the amount is not a whole number of cents.
 */
export function toCents(text: string): number | undefined {
  const [, dollars, cents = ''] = /^\$?\s*(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text.trim()) ?? [];
  return dollars === undefined ? undefined : Number(dollars) * 100 + Number(cents.padEnd(2, '0'));
}

/** Returns why an amount is invalid, or `undefined` if it is valid. A valid amount exceeds `spent` cents. */
export function describeAmountProblem(text: string, spent: number, locale: string, t: Translate): string | undefined {
  const cents = toCents(text);
  if (cents === undefined) {
    return t('Enter an amount in US dollars, such as 2.50');
  }
  if (cents > spent) {
    return undefined;
  }
  return t('Enter more than {0}', toDollars(spent, locale));
}

/** Formats whole US cents as dollars: `$2.50`. */
export function toDollars(cents: number, locale: string): string {
  return numberFormat(locale, { style: 'currency', currency: 'USD' }).format(cents / 100);
}

/** Returns a budget in the service's format: whole cents as a string of digits (API facts, section 7). */
export function toBudget(cents: number): SessionBudget {
  return { type: 'limit', max_list_cost: { amount: String(cents), currency: 'USD' } };
}

/** Returns a budget or cost of the service in whole US cents. `undefined` if the amount is absent or in another currency. */
export function centsOf(value: Budget['max_list_cost']): number | undefined {
  const isDollars = value?.currency === undefined || value.currency === null || value.currency === 'USD';
  return value && isDollars && /^\d{1,15}$/.test(value.amount) ? Number(value.amount) : undefined;
}
