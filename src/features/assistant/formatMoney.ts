import { isRecord } from '../../shared/isRecord';
import { toMoney } from '../../shared/session/facts/tokens';

/** Fields in which a service returns amounts of money in cents. */
const moneyFields: ReadonlySet<string> = new Set(['list_cost', 'max_list_cost']);
/** Maximum depth at which amounts are formatted. */
const maxDepth = 4;

/** Formats an amount of money with its currency: "0.25 USD". Returns `undefined` for any other value. */
export function formatMoney(value: unknown): string | undefined {
  const money = toMoney(value);
  return money && `${(money.cents / 100).toFixed(2)} ${money.currency}`;
}

/** Formats all amounts of money in a value with their currency, so that models don't mistake cents for dollars. */
export function withMoney(value: unknown, depth = 0): unknown {
  if (!isRecord(value) || depth > maxDepth) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      moneyFields.has(name) ? (formatMoney(field) ?? field) : withMoney(field, depth + 1),
    ]),
  );
}
