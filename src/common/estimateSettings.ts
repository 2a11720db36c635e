import type { Settings } from '../contributions';
import { type Prices, readPrices } from './readPrices';
import { readLayers, readSetting, type SettingLayers } from './settings';

/** Prices and their currency. The user's settings win, because a folder must not lower the estimated cost of a batch. */
export interface EstimateSettings {
  readonly prices: Prices;
  readonly currency: string;
  /** Models whose price comes from the settings of the open folder, because the user has not set a price. */
  readonly folderModels: ReadonlySet<string>;
}

const pricesKey = 'managedAgents.estimate.prices';
const currencyKey = 'managedAgents.estimate.currency';

export function readEstimateSettings(): EstimateSettings {
  return toEstimateSettings(readLayers(pricesKey), readLayers(currencyKey), readSetting(currencyKey));
}

/**
 * Adds a folder's prices to the user's prices. The user's prices take precedence. Leaves out a folder's prices if their currency differs
 * from the user's. `effective` is the currency if the user has set neither prices nor a currency.
 */
export function toEstimateSettings(
  given: SettingLayers<Settings[typeof pricesKey]>,
  currencies: SettingLayers<string>,
  effective: string,
): EstimateSettings {
  const own = readPrices(given.user ?? {});
  const ownCurrency = currencies.user ?? (own.size > 0 ? currencies.default : undefined);
  const currency = ownCurrency ?? effective;
  const folder = (currencies.folder.at(-1) ?? currency) === currency ? readPrices(Object.assign({}, ...given.folder)) : new Map();
  const added = [...folder].filter(([model]) => !own.has(model));
  return { prices: new Map([...own, ...added]), currency, folderModels: new Set(added.map(([model]) => model)) };
}
