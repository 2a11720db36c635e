import type { MessageContext } from '../../submitting/createBatchMessages';
import type { OverLimit } from '../spendLimit';
import { toMoney } from './estimateMoney';
import type { SheetFacts } from './sheetFacts';

/** Describes a limit that sending exceeds, with both amounts. */
export function describeLimit(
  { per, amount, limit }: OverLimit,
  { currency }: Pick<SheetFacts, 'currency'>,
  context: MessageContext,
): string {
  const { translate: t, locale } = context;
  const most = toMoney(limit, currency, locale, 'nearest');
  if (amount === undefined) {
    return per === 'batch'
      ? t("The cost isn't known. Your limit is {0} for a batch.", most)
      : t("The cost isn't known. Your limit is {0} for a day.", most);
  }
  const cost = toMoney(amount, currency, locale, 'up');
  return per === 'batch'
    ? t('This batch may cost {0}. Your limit is {1} for a batch.', cost, most)
    : t('With this batch, today may cost {0}. Your limit is {1} for a day.', cost, most);
}

/** Returns the label of the button for the second press. It names both amounts. */
export function toOverLimitLabel(
  { amount, limit }: OverLimit,
  { currency }: Pick<SheetFacts, 'currency'>,
  context: MessageContext,
): string {
  const { translate: t, locale } = context;
  const most = toMoney(limit, currency, locale, 'nearest');
  return amount === undefined
    ? t('Send at Unknown Cost (Limit {0})', most)
    : t('Spend {0} (Limit {1})', toMoney(amount, currency, locale, 'up'), most);
}
