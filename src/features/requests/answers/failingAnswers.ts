import type { ResultEntry } from '../../../jsonl/results/resultsReport';
import { Slices } from '../documents/slices';
import type { ReadableResults } from './fileAnswers';

/** Line without a good result. */
export interface FailingLine {
  readonly line: number;
  readonly kind: FailingKind;
}

/** Severity: `error` if failed or refused, `warning` if cut short, empty, expired, canceled, unknown or missing. */
export type FailingKind = 'error' | 'warning';

/** Returns the severity of a result. `undefined` if it succeeded. */
export function failingKindOf({ status }: Pick<ResultEntry, 'status'>): FailingKind | undefined {
  return status === 'succeeded' ? undefined : status === 'failed' || status === 'refused' ? 'error' : 'warning';
}

/** Returns the ids of requests without a good result, including those without any result. */
export async function findFailing(results: ReadableResults): Promise<ReadonlyMap<string, FailingKind>> {
  const kinds = new Map<string, FailingKind>();
  const slices = new Slices();
  for (const entry of results.entries()) {
    const kind = failingKindOf(entry);
    if (kind !== undefined) {
      kinds.set(entry.customId, kind);
    }
    if (slices.isDue) {
      await slices.pause();
    }
  }
  for (const id of results.missingIds()) {
    kinds.set(id, 'warning');
    if (slices.isDue) {
      await slices.pause();
    }
  }
  return kinds;
}

/**
 * Finds the lines that were sent under ids without a good result, ascending. Works in slices. Returns `undefined` if `isStill` returns
 * `false`, because the document or the answers changed meanwhile.
 */
export async function findFailingLines(
  kinds: ReadonlyMap<string, FailingKind>,
  document: { readonly lineCount: number },
  { idOf, isStill }: { readonly idOf: (line: number) => string | undefined; readonly isStill: () => boolean },
): Promise<readonly FailingLine[] | undefined> {
  const found: FailingLine[] = [];
  const slices = new Slices();
  for (let line = 0; kinds.size > 0 && line < document.lineCount; line++) {
    const id = idOf(line);
    const kind = id === undefined ? undefined : kinds.get(id);
    if (kind !== undefined) {
      found.push({ line, kind });
    }
    if (slices.isDue) {
      await slices.pause();
      if (!isStill()) {
        return undefined;
      }
    }
  }
  return found;
}
