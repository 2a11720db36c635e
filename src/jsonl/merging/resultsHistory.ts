import { readFile } from 'node:fs/promises';
import type { ResultStatus } from '../../shared/results/resultStatus';
import type { BlockWriter } from '../files/blockWriter';
import { ColumnReader, writeColumnFile } from '../files/columnFile';
import { IdTable } from '../files/idTable';
import { fromStored, statusOf } from '../results/resultStatus';
import { none } from '../results/resultsFile';
import { IndexMismatchError } from '../results/resultsIndexFile';
import { Fate, type Merged } from './mergedAnswers';

export interface HistoryEntry {
  /** Number of the generation, 0-based, oldest first. */
  readonly generation: number;
  /** Status of the result. `missing` means that the request was sent but not answered. */
  readonly status: ResultStatus | 'missing';
  /** Innermost type of an error, or the stop reason of a success. */
  readonly reason: string | undefined;
  readonly isMerged: boolean;
  /** Comparison of the request with the newest request of the same id. An answer to an `other` or `unknown` request isn't used. */
  readonly words: 'same' | 'other' | 'unknown';
}

interface Header {
  readonly seed: number;
  readonly generations: number;
  readonly reasons: readonly string[];
}

const magic = Buffer.from('MARESHI1');
const noGeneration = 0xffff;

/** Status of each request in each generation, as `mergeResults` wrote it. 100,000 requests take about 6 MB. */
export class ResultsHistory {
  private constructor(
    private readonly file: ColumnReader,
    private readonly header: Header,
    private readonly ids: IdTable,
  ) {}

  /** Opens a history. Throws `IndexMismatchError` if the file is damaged or of another version. */
  static async open(path: string): Promise<ResultsHistory> {
    const bytes = await readFile(path);
    try {
      const file = new ColumnReader(bytes, magic);
      const header = file.header as Header;
      const ids = { seed: header.seed, bytes: file.column('idBytes'), ends: file.words('idEnds'), slots: file.signed('idSlots') };
      // Throws if the last column is incomplete, because the file is truncated.
      file.words(`reasons${header.generations - 1}`);
      return new ResultsHistory(file, header, new IdTable(ids));
    } catch (error) {
      throw new IndexMismatchError(`${path} is damaged or of another version. Merge the results again.`, { cause: error });
    }
  }

  /** Returns the results of a request in the generations that sent or answered it, oldest first. Empty for an unknown id. */
  of(id: string): readonly HistoryEntry[] {
    const number = this.ids.findText(id);
    if (number < 0) {
      return [];
    }
    const { file, header } = this;
    const entries: HistoryEntry[] = [];
    for (let generation = 0; generation < header.generations; generation++) {
      const marked = file.column(`states${generation}`)[number] ?? Fate.NotSent;
      const fate = marked & Fate.Mask;
      if (fate !== Fate.NotSent) {
        const reason = header.reasons[(file.words(`reasons${generation}`)[number] ?? 0) - 1];
        entries.push({
          generation,
          status: fate === Fate.Missing ? 'missing' : toStatus(fromStored(fate - Fate.Answered), reason),
          reason,
          isMerged: file.words('kept')[number] === generation,
          words: marked & Fate.OtherWords ? 'other' : marked & Fate.UnknownWords ? 'unknown' : 'same',
        });
      }
    }
    return entries;
  }
}

/** Corrects a status in a history of an older version, which stored answers that were cut short or refused as `succeeded`. */
function toStatus(status: ResultStatus, reason: string | undefined): ResultStatus {
  return status === 'succeeded' ? statusOf('succeeded', reason, () => false) : status;
}

export function writeHistory(out: BlockWriter, merged: Merged): void {
  const { fates, reasons, generationOf, rowOf } = merged;
  const ids = merged.ids.parts();
  const header: Header = {
    seed: ids.seed,
    generations: fates.length,
    reasons: reasons.texts(),
  };
  const newest = Uint32Array.from(generationOf, (generation, id) => (rowOf[id] === none ? noGeneration : generation));
  writeColumnFile(out, magic, header, [
    ['idBytes', ids.bytes],
    ['idEnds', ids.ends],
    ['idSlots', ids.slots],
    ['kept', newest],
    ...fates.flatMap((fate, generation) => [
      [`states${generation}`, fate.states] as const,
      [`reasons${generation}`, fate.reasons] as const,
    ]),
  ]);
}
