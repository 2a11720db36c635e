import type { RuleOptions } from './ruleOptions';

/** Known values of `model` (contract, CreateMessageParams), newest first. The field also accepts any other string. */
export const contractModels: readonly string[] = [
  'vendor-sonnet-5',
  'vendor-fable-5',
  'vendor-mythos-5',
  'vendor-opus-5',
  'vendor-opus-4-8',
  'vendor-opus-4-7',
  'vendor-mythos-preview',
  'vendor-opus-4-6',
  'vendor-sonnet-4-6',
  'vendor-haiku-4-5',
  'vendor-haiku-4-5-20251001',
  'vendor-opus-4-5',
  'vendor-opus-4-5-20251101',
  'vendor-sonnet-4-5',
  'vendor-sonnet-4-5-20250929',
];

/** The only deprecated model of the contract, the last day of its support, and its successor. */
export const endingModel = { name: 'vendor-mythos-preview', lastDay: '2026-06-30', successor: 'vendor-mythos-5' };

/** Models after the sixth-generation flagship. These models accept no custom sampling parameters. */
const fixedSampling: ReadonlySet<string> = new Set(contractModels.slice(0, contractModels.indexOf('vendor-opus-4-6')));

/** Models that refuse to continue an answer (prefill). The contract says that such models exist (Fallback credit 3), but not which. */
const withoutPrefill: ReadonlySet<string> = new Set(contractModels.slice(0, contractModels.indexOf('vendor-haiku-4-5')));

const contractPrefix = 'vendor-';

/** Converts a model name of a service to the contract's name. The service can have its own model prefix. */
export function toContractModel(model: string, { modelPrefix = contractPrefix }: Pick<RuleOptions, 'modelPrefix'>): string {
  return model.startsWith(modelPrefix) ? contractPrefix + model.slice(modelPrefix.length) : model;
}

/** Converts a contract's model name to the name of a service, which can have its own model prefix. */
export function fromContractModel(model: string, { modelPrefix = contractPrefix }: Pick<RuleOptions, 'modelPrefix'>): string {
  return modelPrefix + model.slice(contractPrefix.length);
}

/** Returns whether the contract rejects sampling parameters for a model (CreateMessageParams, `temperature`, `top_k` and `top_p`). */
export function hasFixedSampling(model: string, options: Pick<RuleOptions, 'modelPrefix'> = {}): boolean {
  return fixedSampling.has(toContractModel(model, options));
}

/** Returns whether services refuse a request for a model that ends with a message of the assistant. */
export function rejectsPrefill(model: string, options: Pick<RuleOptions, 'modelPrefix'> = {}): boolean {
  return withoutPrefill.has(toContractModel(model, options));
}
