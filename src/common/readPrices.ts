import type { ModelPrice } from '../contributions';
import type { TokenPrices } from '../jsonl/results/tokenCost';

/** Prices by model. Models without a price are absent. */
export type Prices = ReadonlyMap<string, ModelPrice>;

/** Finds the price of a model, and the ID that has the price: the model's own, or its alias without the date. */
export function findPrice(prices: Prices, model: string): { readonly price: ModelPrice; readonly id: string } | undefined {
  const id = prices.has(model) ? model : aliasOf(model);
  const price = prices.get(id);
  return price && { price, id };
}

/** Returns a model ID without the date at its end: `vendor-haiku-4-5` for `vendor-haiku-4-5-20251001`. */
export function aliasOf(model: string): string {
  return model.replace(/[-@]20\d{6}$/, '');
}

/** Returns prices of a million cached input tokens. A missing one is a multiple of the input price. */
export function cachePrices({ input, cacheRead = 0.1 * input, cacheWrite = 1.25 * input, cacheWrite1h = 2 * input }: ModelPrice): {
  readonly read: number;
  readonly write5m: number;
  readonly write1h: number;
} {
  return { read: cacheRead, write5m: cacheWrite, write1h: cacheWrite1h };
}

export function toTokenPrices(price: ModelPrice): TokenPrices {
  return { input: price.input, output: price.output, ...cachePrices(price) };
}

/** Returns the valid prices in a setting: numbers of at least 0. Leaves out models without a valid input and output price. */
export function readPrices(setting: Readonly<Record<string, unknown>>): Prices {
  const prices = new Map<string, ModelPrice>();
  for (const [model, value] of Object.entries(setting)) {
    const given = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
    const { input, output, cacheRead, cacheWrite, cacheWrite1h } = given;
    if (isPrice(input) && isPrice(output)) {
      prices.set(model, {
        ...{ input, output },
        ...(isPrice(cacheRead) && { cacheRead }),
        ...(isPrice(cacheWrite) && { cacheWrite }),
        ...(isPrice(cacheWrite1h) && { cacheWrite1h }),
      });
    }
  }
  return prices;
}

function isPrice(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
