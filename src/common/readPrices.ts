import type { ModelPrice } from '../contributions';

/** What is known of prices: of each model that has one. */
export type Prices = ReadonlyMap<string, ModelPrice>;

/** The prices of a setting that can be reckoned with; what is no number from 0 on is left out, with its model where it is needed. */
export function readPrices(setting: Readonly<Record<string, unknown>>): Prices {
  const prices = new Map<string, ModelPrice>();
  for (const [model, value] of Object.entries(setting)) {
    const given = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
    const { input, output, cacheRead, cacheWrite } = given;
    if (isPrice(input) && isPrice(output)) {
      prices.set(model, { input, output, ...(isPrice(cacheRead) && { cacheRead }), ...(isPrice(cacheWrite) && { cacheWrite }) });
    }
  }
  return prices;
}

function isPrice(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
