import type { ModelUsage } from '../../../../../src/jsonl/results/resultUsage';

/** Returns the usage of one answer of a model, without tokens by default. */
export function used(model: string, more: Partial<ModelUsage> = {}): ModelUsage {
  return {
    ...{ model, answers: 1, uncounted: 0, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0 },
    ...{ cacheWriteTokens: 0, cacheWrite5mTokens: 0, cacheWrite1hTokens: 0 },
    ...more,
  };
}
