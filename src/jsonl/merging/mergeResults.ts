import type { PassContext } from '../files/lineFile';
import { type FileWriting, WholeFile } from '../files/wholeFile';
import type { JoinedFile } from '../results/joinedResults';
import { changedResults, type IndexContents, readIndexOf, sampleFile, writeIndex } from '../results/resultsIndexFile';
import { findMerged } from './mergedAnswers';
import type { MergeSource } from './mergingJobs';
import { reportMerged } from './reportMerged';
import { writeHistory } from './resultsHistory';
import { writeMerged } from './writeMerged';

/**
 * Puts joined results together: one line for every id that was answered, in the order of the lines of the first generation's file,
 * of whose file others can hold more lines; ids that this file does not have stand at the end. An answer counts only when the request
 * said what the newest generation that sent its id said (see `SaidWords`): of these the last success, or, without one, the last. What stands behind its `line` is copied as it is. Memory grows with the number of
 * ids and generations, not with the size of the files. The joined file, its index and its history appear whole or not at all, and
 * may take the place of what is merged. Blocks, so it is for threads.
 *
 * Throws `IndexMismatchError`, `LineMapError` and `FileWriteError`.
 */
export async function mergeResults(source: MergeSource, context: PassContext, writing?: FileWriting): Promise<JoinedFile> {
  const generations = source.generations.map(generation => ({ ...generation, contents: readIndexOf(generation) }));
  const merged = findMerged(generations);
  const totalBytes = merged.bytes + 1;
  const joined = await WholeFile.create(source.joinedPath, writing);
  const others: WholeFile[] = [];
  try {
    const index: IndexContents = {
      ...writeMerged(merged, joined, doneBytes => {
        context.throwIfAborted();
        context.progress({ doneBytes: Math.min(doneBytes, totalBytes - 1), totalBytes });
      }),
      joinedBytes: joined.byteLength,
      sample: sampleFile(joined.partPath, joined.byteLength),
    };
    for (const generation of generations) {
      assertUnchanged(generation.joinedPath, generation.contents);
    }
    others.push(await writeIndex(source.indexPath, index, writing));
    if (source.historyPath !== undefined) {
      others.push(await writeHistory(source.historyPath, merged, writing));
    }
    await Promise.all([joined, ...others].map(file => file.finish(context.signal)));
    context.throwIfAborted();
    await joined.publish();
    for (const other of others) {
      await other.publish();
    }
    context.progress({ doneBytes: totalBytes, totalBytes });
    return { joinedPath: source.joinedPath, report: reportMerged(merged, index.rows, index.reasons) };
  } finally {
    await joined.discard();
    await Promise.all(others.map(other => other.discard()));
  }
}

/** A file that was replaced while it was read gave lines of two kinds. */
function assertUnchanged(joinedPath: string, { joinedBytes, sample }: IndexContents): void {
  if (sampleFile(joinedPath, joinedBytes) !== sample) {
    throw changedResults(joinedPath);
  }
}
