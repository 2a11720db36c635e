import { writeWholeFiles } from '../files/blockWriter';
import { type PassContext, toOnRead } from '../files/lineFile';
import type { FileWriting } from '../files/wholeFile';
import type { JoinedFile } from '../results/joinedResults';
import { changedResults, type IndexContents, readIndexOf, sampleFile, writeIndex } from '../results/resultsIndexFile';
import { findMerged } from './mergedAnswers';
import type { MergeSource } from './mergingJobs';
import { reportMerged } from './reportMerged';
import { writeHistory } from './resultsHistory';
import { writeMerged } from './writeMerged';

/**
 * Merges joined results into one file with one line per answered id. Lines are in the order of the first generation's file; ids that this
 * file doesn't have are at the end. An answer counts only if its request is the same as in the newest generation that sent the id (see
 * `RequestVersions`). The last success counts, or the last answer if there is none. The part of a line after its `line` member is copied
 * unchanged. Memory grows with the number of ids and generations, not with the size of the files. The joined file, its index and its
 * history appear complete or not at all, and may replace the merged files. Blocks, so it runs in a thread. Throws `IndexMismatchError`,
 * `LineMapError` and `FileWriteError`.
 */
export async function mergeResults(source: MergeSource, context: PassContext, writing?: FileWriting): Promise<JoinedFile> {
  const generations = source.generations.map(generation => ({ ...generation, contents: readIndexOf(generation) }));
  const merged = findMerged(generations);
  const totalBytes = merged.bytes + 1;
  const report = await writeWholeFiles(
    context,
    async files => {
      const index = writeMerged(merged, await files.create(source.joinedPath), toOnRead(context, totalBytes));
      for (const generation of generations) {
        assertUnchanged(generation.joinedPath, generation.contents);
      }
      writeIndex(await files.create(source.indexPath), index);
      if (source.historyPath !== undefined) {
        writeHistory(await files.create(source.historyPath), merged);
      }
      return reportMerged(merged, index.rows, index.reasons);
    },
    writing,
  );
  context.progress({ doneBytes: totalBytes, totalBytes });
  return { joinedPath: source.joinedPath, report };
}

/** If a file was replaced while it was read, its lines are from two versions. */
function assertUnchanged(joinedPath: string, { joinedBytes, sample }: IndexContents): void {
  if (sampleFile(joinedPath, joinedBytes) !== sample) {
    throw changedResults(joinedPath);
  }
}
