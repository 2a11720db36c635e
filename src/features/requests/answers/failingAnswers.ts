import type { ResultEntry } from '../../../jsonl/results/resultsReport';
import { Slices } from '../documents/slices';

/** Readable results, such as a `ResultsIndex`. */
export interface ReadableResults {
  entryOfId(id: string): ResultEntry | undefined;
  entries(): Iterable<ResultEntry>;
  missingIds(): Iterable<string>;
  previews(entries: readonly ResultEntry[]): Promise<readonly string[]>;
  read(entry: ResultEntry): Promise<string>;
}

/** Line without a good result. */
export interface FailingLine {
  readonly line: number;
  readonly kind: FailingKind;
}

/** Severity: `error` if failed or refused, `warning` if cut short, empty, expired, canceled, unknown or missing. */
export type FailingKind = 'error' | 'warning';

/** Returns the ids of requests without a good result, including those without any result. */
export async function findFailing(results: ReadableResults): Promise<ReadonlyMap<string, FailingKind>> {
  const kinds = new Map<string, FailingKind>();
  const slices = new Slices();
  for (const { customId, status } of results.entries()) {
    if (status !== 'succeeded') {
      kinds.set(customId, status === 'failed' || status === 'refused' ? 'error' : 'warning');
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
