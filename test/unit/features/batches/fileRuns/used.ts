import type { ModelUsage } from '../../../../../src/jsonl/results/resultUsage';

/** What answers of a model used. */
export function used(model: string, more: Partial<ModelUsage> = {}): ModelUsage {
  return {
    ...{ model, answers: 1, uncounted: 0, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0 },
    ...{ cacheWriteTokens: 0, cacheWrite5mTokens: 0, cacheWrite1hTokens: 0 },
    ...more,
  };
}
