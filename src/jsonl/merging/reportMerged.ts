import { Tally } from '../files/tally';
import { countRows } from '../results/countRows';
import type { ResultColumns } from '../results/resultsFile';
import { listed, none } from '../results/resultsFile';
import type { NamedIds, ResultsReport } from '../results/resultsReport';
import type { Merged } from './mergedAnswers';

/** Reports merged results, with the findings from the fetch of their parts. */
export function reportMerged(merged: Merged, rows: ResultColumns, reasons: readonly string[]): ResultsReport {
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
