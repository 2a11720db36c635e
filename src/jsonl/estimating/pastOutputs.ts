import { readFileSync } from 'node:fs';
import type { PassContext } from '../files/lineFile';
import { fromStored, storedAnswers } from '../results/resultStatus';
import { parseIndex } from '../results/resultsIndexFile';
import type { PastOutputs } from './tokenStatistics';

/** Output tokens of the answers of one model. `model` is empty for answers that don't name a model. */
export interface ModelOutputs extends PastOutputs {
  readonly model: string;
}

const maxValues = 1000;

/** Reads the output tokens of answers, by model, from the index of each run. A run without a valid index has none. */
export function readPastOutputs(
  { indexPaths }: { readonly indexPaths: readonly string[] },
  context: PassContext,
): readonly (readonly ModelOutputs[])[] {
  return indexPaths.map((path, at) => {
    context.throwIfAborted();
    context.progress({ doneBytes: at, totalBytes: indexPaths.length });
    try {
      return outputsOf(path);
    } catch {
      return [];
    }
  });
}

function outputsOf(path: string): readonly ModelOutputs[] {
  const { rows, reasons } = parseIndex(readFileSync(path), path);
  const byModel = new Map<number, number[]>();
  for (let row = 0; row < rows.count; row++) {
    const status = rows.statuses[row] as number;
    if (storedAnswers[status] === true && rows.uncounted[row] === 0) {
      const tokens = rows.outputTokens[row] as number;
      const model = rows.models[row] as number;
      const values = byModel.get(model);
      const value = fromStored(status) === 'cut_short' ? -tokens : tokens;
      if (values === undefined) {
        byModel.set(model, [value]);
      } else {
        values.push(value);
      }
    }
  }
  return [...byModel].map(([model, values]) => ({
    model: reasons[model - 1] ?? '',
    answers: values.length,
    mean: values.reduce((sum, value) => sum + Math.abs(value), 0) / values.length,
    values: Float64Array.from(
      { length: Math.min(values.length, maxValues) },
      (_, at) => values[Math.floor((at * values.length) / Math.min(values.length, maxValues))] as number,
    ),
  }));
}
