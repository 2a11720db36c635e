import path from 'node:path';
import * as vscode from 'vscode';
import { exists } from '../../../common/newFile';
import { toReport, withProgress } from '../../../common/progress';
import type { JsonlJobs } from '../../../jsonl/jobs';
import { type LineMap, parseLineMap } from '../../../jsonl/lineMap';
import type { SubmittedFile } from '../../../jsonl/resultsJobs';
import { loadRuns } from '../../batches';
import type { SubmissionRegistry } from '../../batches/ledger/submissionRegistry';
import type { ResultsTable } from './resultsTable';
import type { ShownResults } from './shownResults';

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
  const { submissionFiles, noteMade } = await loadRuns();
  const files: SubmittedFile[] = [];
  const maps: LineMap[] = [];
  // Newest first: a request of several generations is taken from the last one.
  for (const { id, source, fromEditor, sha256 } of shown.submissions) {
    const folder = registry.folder(id);
    const uri = vscode.Uri.parse(source);
    const file = fromEditor === true ? path.join(folder, submissionFiles.editorCopy) : uri.fsPath;
    const linesPath = path.join(folder, submissionFiles.lines);
    if ((await exists(file)) && (await exists(linesPath))) {
      files.push({ path: file, linesPath, sha256 });
      maps.push(parseLineMap(await vscode.workspace.fs.readFile(vscode.Uri.file(linesPath))));
    }
  }
  const places: number[] = [];
  let unknown = 0;
  for (const row of rows) {
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
