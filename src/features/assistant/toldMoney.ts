import { isRecord } from '../../shared/isRecord';
import { toMoney } from '../../shared/session/facts/tokens';

/** Fields in which a service tells money, in cents. */
const moneyFields: ReadonlySet<string> = new Set(['list_cost', 'max_list_cost']);
/** Usage and budgets stand no deeper in what a service tells. */
const deepest = 4;

/** Money as a service tells it, with its unit: "0.25 USD". Undefined where it is none. */
export function toldMoney(value: unknown): string | undefined {
  const money = toMoney(value);
  return money && `${(money.cents / 100).toFixed(2)} ${money.currency}`;
}

/** A value of a service in which money has its unit, so that nobody takes cents for more. */
export function withMoney(value: unknown, depth = 0): unknown {
  if (!isRecord(value) || depth > deepest) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, moneyFields.has(name) ? (toldMoney(field) ?? field) : withMoney(field, depth + 1)]),
  );
}
