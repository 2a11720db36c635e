import { none, Tally } from '../resultsFile';
import type { IndexContents } from '../resultsIndexFile';
import { attentionOf, type NamedIds, type ResultState, type ResultsReport, resultStates } from '../resultsReport';
import type { Merged } from './mergedAnswers';

/** What is in merged results, and what was found when their parts were fetched. */
export function reportMerged(merged: Merged, rows: IndexContents['rows'], reasons: readonly string[]): ResultsReport {
  const counts: Record<ResultState, number> = { succeeded: 0, errored: 0, canceled: 0, expired: 0, other: 0 };
  const attention = reasons.map(attentionOf);
  let cutShort = 0;
  let refused = 0;
  let inputTokens = 0;
  let outputTokens = 0;
  for (let row = 0; row < rows.count; row++) {
    const state = resultStates[rows.states[row] as number] ?? 'other';
    counts[state]++;
    inputTokens += rows.inputTokens[row] as number;
    outputTokens += rows.outputTokens[row] as number;
    const flag = state === 'succeeded' ? attention[(rows.stopReasons[row] as number) - 1] : undefined;
    cutShort += flag === 'cut_short' ? 1 : 0;
    refused += flag === 'refused' ? 1 : 0;
  }
  const { ids, askedIds, rowOf, known, generations } = merged;
  const missing = new Tally();
  const unexpected = new Tally();
  for (let id = 0; id < ids.size; id++) {
    if (id < askedIds && rowOf[id] === none) {
      missing.add(() => ids.text(id));
    } else if (known[id] === 0) {
      unexpected.add(() => ids.text(id));
    }
  }
  const reports = generations.flatMap(({ report }) => (report === undefined ? [] : [report]));
  const rawBytes = generations.reduce((sum, { report, contents }) => sum + (report?.rawBytes ?? contents.joinedBytes), 0);
  const duplicate = namedTogether(reports.map(report => report.duplicate));
  // Line numbers of several downloaded files say nothing together.
  const damaged = { count: reports.reduce((sum, report) => sum + report.damaged.count, 0), firstLines: [] };
  const countsMatch = reports.every(report => report.countsMatch);
  return {
    rawBytes,
    counts,
    cutShort,
    refused,
    inputTokens,
    outputTokens,
    missing: missing.named(),
    unexpected: unexpected.named(),
    duplicate,
    damaged,
    countsMatch,
    complete: countsMatch && missing.count + unexpected.count + duplicate.count + damaged.count === 0,
  };
}

function namedTogether(lists: readonly NamedIds[]): NamedIds {
  const all = new Tally();
  for (const { first } of lists) {
    for (const id of first) {
      all.add(() => id);
    }
  }
  return { count: lists.reduce((sum, { count }) => sum + count, 0), first: all.first };
}
