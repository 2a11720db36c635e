import { ApiError } from '../http/apiError';
import { kindRoutes, type Route } from '../http/kindRoutes';
import type { Envelope } from '../http/listQuery';

export function modelRoutes(catalog: ModelCatalog, envelope: () => Envelope): readonly Route[] {
  return kindRoutes({
    name: 'models',
    path: '/v1/models',
    type: 'model',
    members: {
      list: () => catalog.models,
      get: id => {
        const model = catalog.models.find(candidate => candidate.id === id);
        if (model === undefined) {
          throw new ApiError('not_found_error', `model: ${id}`);
        }
        return model;
      },
    },
    envelope,
    // Beta requests and newer services also get the allowed fallback models.
    show: (model, { query, dialect }) =>
      dialect === 'anthropic-2026' || query.get('beta') === 'true'
        ? { ...model, allowed_fallback_models: [catalog.fallbackOf(model.id)] }
        : model,
  });
}

interface Row {
  /** Name without the vendor's prefix. */
  readonly name: string;
  readonly label: string;
  readonly released: string;
  readonly maxTokens: number;
  /** True if the model accepts no sampling parameters (contract: models after the sixth-generation flagship). */
  readonly fixedSampling: boolean;
}

/** Models of the contract, newest first. */
const rows: readonly Row[] = [
  { name: 'sonnet-5', label: 'Sonnet 5', released: '2026-09-15', maxTokens: 128_000, fixedSampling: true },
  { name: 'fable-5', label: 'Fable 5', released: '2026-08-20', maxTokens: 64_000, fixedSampling: true },
  { name: 'mythos-5', label: 'Mythos 5', released: '2026-08-05', maxTokens: 128_000, fixedSampling: true },
  { name: 'opus-5', label: 'Opus 5', released: '2026-07-22', maxTokens: 128_000, fixedSampling: true },
  { name: 'opus-4-8', label: 'Opus 4.8', released: '2026-05-28', maxTokens: 128_000, fixedSampling: true },
  { name: 'opus-4-7', label: 'Opus 4.7', released: '2026-04-14', maxTokens: 128_000, fixedSampling: true },
  { name: 'mythos-preview', label: 'Mythos Preview', released: '2026-04-07', maxTokens: 128_000, fixedSampling: true },
  { name: 'sonnet-4-6', label: 'Sonnet 4.6', released: '2026-02-17', maxTokens: 64_000, fixedSampling: false },
  { name: 'opus-4-6', label: 'Opus 4.6', released: '2026-02-05', maxTokens: 128_000, fixedSampling: false },
  { name: 'opus-4-5', label: 'Opus 4.5', released: '2025-11-24', maxTokens: 64_000, fixedSampling: false },
  { name: 'opus-4-5-20251101', label: 'Opus 4.5 (2025-11-01)', released: '2025-11-24', maxTokens: 64_000, fixedSampling: false },
  { name: 'haiku-4-5', label: 'Haiku 4.5', released: '2025-10-15', maxTokens: 64_000, fixedSampling: false },
  { name: 'haiku-4-5-20251001', label: 'Haiku 4.5 (2025-10-01)', released: '2025-10-15', maxTokens: 64_000, fixedSampling: false },
  { name: 'sonnet-4-5', label: 'Sonnet 4.5', released: '2025-09-29', maxTokens: 64_000, fixedSampling: false },
  { name: 'sonnet-4-5-20250929', label: 'Sonnet 4.5 (2025-09-29)', released: '2025-09-29', maxTokens: 64_000, fixedSampling: false },
];

const yes = { supported: true };
const capabilities = {
  batch: yes,
  citations: yes,
  code_execution: { supported: false },
  context_management: { supported: false, clear_thinking_20251015: null, clear_tool_uses_20250919: null, compact_20260112: null },
  effort: { supported: true, low: yes, medium: yes, high: yes, xhigh: null, max: yes },
  image_input: yes,
  pdf_input: yes,
  structured_outputs: yes,
  thinking: { supported: true, types: { adaptive: yes, enabled: yes } },
};

/** Models of the emulator under the names of one dialect, and the rules that depend on the model. */
export class ModelCatalog {
  readonly models: readonly ReturnType<typeof toModel>[];
  readonly #prefix: string;
  readonly #rows: ReadonlyMap<string, Row>;

  constructor(prefix: string) {
    this.#prefix = prefix;
    this.models = rows.map(row => toModel(row, prefix));
    this.#rows = new Map(rows.map(row => [prefix + row.name, row]));
  }

  /** Returns the fallback model that the service chooses by default. */
  fallbackOf(model: string): string {
    return this.#prefix + (model === `${this.#prefix}opus-4-6` ? 'sonnet-4-6' : 'opus-4-6');
  }

  /** Returns the limits of a model, or `undefined` for an unknown model, because the field accepts any name. */
  limitsOf(model: string): Pick<Row, 'maxTokens' | 'fixedSampling'> | undefined {
    return this.#rows.get(model);
  }
}

function toModel({ name, label, released, maxTokens }: Row, prefix: string) {
  const vendor = prefix.charAt(0).toUpperCase() + prefix.slice(1, -1);
  return {
    type: 'model',
    id: prefix + name,
    display_name: `${vendor} ${label} (emulated)`,
    created_at: `${released}T00:00:00Z`,
    max_input_tokens: 200_000,
    max_tokens: maxTokens,
    capabilities,
  };
}
