import { readFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as vscode from 'vscode';
import { toReport, withProgress } from '../../../common/progress';
import type { JsonlJobs } from '../../../jsonl/jobs';
import { type LineMap, parseLineMap } from '../../../jsonl/lineMap';
import { loadRuns } from '../../batches';
import type { SubmissionRegistry } from '../../batches/ledger/submissionRegistry';
import { sentFiles } from '../exporting/exportRows';
import type { ResultsTable } from './resultsTable';
import type { ShownResults } from './shownResults';

/** Rows that are looked up before others get their turn. */
const rowsAtOnce = 2000;

export interface RequestWriting {
  readonly registry: Pick<SubmissionRegistry, 'folder' | 'update' | 'find'>;
  readonly jobs: Pick<JsonlJobs, 'run'>;
  readonly lifetime: AbortSignal;
}

/**
 * Writes the requests of some rows to a new file, as they stand in the newest file that still has them, and notes in the ledger
 * that it was made from these results. `gone` are those that no file has any more.
 */
export async function writeRequests(
  { registry, jobs, lifetime }: RequestWriting,
  shown: ShownResults,
  table: ResultsTable,
  rows: Uint32Array,
  outPath: string,
): Promise<{ readonly written: number; readonly gone: number }> {
  const { noteMade } = await loadRuns();
  // Newest first: a request of several generations is taken from the last one.
  const files = (await sentFiles({ registry }, shown)).toReversed();
  const maps: LineMap[] = [];
  for (const { linesPath } of files) {
    maps.push(parseLineMap(await readFile(linesPath)));
  }
  const places: number[] = [];
  let unknown = 0;
  for (const [at, row] of rows.entries()) {
    if (at % rowsAtOnce === 0) {
      await nextTurn();
    }
    const bytes = Buffer.from(table.index.entryOfRow(row)?.customId ?? '');
    const found = maps.findIndex(({ ids }) => ids.find(bytes, 0, bytes.length) >= 0);
    if (found < 0) {
      unknown++;
    } else {
      places.push(found, maps[found]?.ids.find(bytes, 0, bytes.length) ?? 0);
    }
  }
  if (places.length === 0) {
    throw new Error(vscode.l10n.t('The file that these requests stood in is not there any more.'));
  }
  const chosen = new Uint32Array(new SharedArrayBuffer(places.length * 4));
  chosen.set(places);
  const { written, gone, sha256 } = await withProgress(vscode.l10n.t('Writing the selected requests'), lifetime, (signal, report) =>
    jobs.run('writeRetry', { files, groups: [{ change: undefined, places: chosen }], outPath }, { signal, onProgress: toReport(report) }),
  );
  const note = { source: vscode.Uri.file(outPath).toString(), sha256, purpose: 'retry', madeAt: new Date().toISOString() } as const;
  await noteMade(registry, shown.root.lead.id, note);
  return { written, gone: gone + unknown };
}
