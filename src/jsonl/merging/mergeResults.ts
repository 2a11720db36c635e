import { writeWholeFiles } from '../files/blockWriter';
import { type PassContext, toOnRead } from '../files/lineFile';
import { Tally } from '../files/tally';
import type { FileWriting } from '../files/wholeFile';
import { countRows } from '../results/resultUsage';
import type { JoinedFile } from '../results/joinedResults';
import { listed, none, type ResultColumns } from '../results/resultsFile';
import { changedResults, type IndexContents, readIndexOf, sampleFile, writeIndex } from '../results/resultsIndexFile';
import type { NamedIds, ResultsReport } from '../results/resultsReport';
import { findMerged, type Merged } from './mergedAnswers';
import type { MergeSource } from './mergingJobs';
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
  const report = await writeWholeFiles(
    context,
    async files => {
      const index = writeMerged(merged, await files.create(source.joinedPath), toOnRead(context, merged.bytes));
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
  return { joinedPath: source.joinedPath, report };
}

/** If a file was replaced while it was read, its lines are from two versions. */
function assertUnchanged(joinedPath: string, { joinedBytes, sample }: IndexContents): void {
  if (sampleFile(joinedPath, joinedBytes) !== sample) {
    throw changedResults(joinedPath);
  }
}

function reportMerged(merged: Merged, rows: ResultColumns, reasons: readonly string[]): ResultsReport {
  const counted = countRows(rows, reasons);
  const { ids, rowOf, known, generations } = merged;
  const missing = new Tally<string>(listed);
  const unexpected = new Tally<string>(listed);
  for (let id = 0; id < ids.size; id++) {
    if (rowOf[id] === none) {
      missing.add(() => ids.text(id));
    } else if (known[id] === 0) {
      unexpected.add(() => ids.text(id));
    }
  }
  const reports = generations.flatMap(({ report }) => (report === undefined ? [] : [report]));
  const rawBytes = generations.reduce((sum, { report, contents }) => sum + (report?.rawBytes ?? contents.joinedBytes), 0);
  const duplicate = namedTogether(reports.map(report => report.duplicate));
  // Line numbers of several downloaded files can't be combined.
  const damaged = { count: reports.reduce((sum, report) => sum + report.damaged.count, 0), firstLines: [] };
  const countsMatch = reports.every(report => report.countsMatch);
  return {
    rawBytes,
    ...counted,
    missing: missing.found(),
    unexpected: unexpected.found(),
    duplicate,
    damaged,
    countsMatch,
    complete: countsMatch && missing.count + unexpected.count + duplicate.count + damaged.count === 0,
  };
}

function namedTogether(lists: readonly NamedIds[]): NamedIds {
  const all = new Tally<string>(listed);
  for (const { first } of lists) {
    for (const id of first) {
      all.add(() => id);
    }
  }
  return { count: lists.reduce((sum, { count }) => sum + count, 0), first: all.first };
}
