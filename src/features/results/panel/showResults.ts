import path from 'node:path';
import * as vscode from 'vscode';
import { activeUri } from '../../../common/asking/activeUri';
import { chooseFile } from '../../../common/asking/chooseFile';
import type { BatchReference, RunReference } from '../../../contributions';
import { ResultsIndex } from '../../../jsonl/results/resultsIndex';
import { fileKindOf } from '../../../jsonl/scanning/fileKind';
import { toLabel } from '../../../shared/text';
import { loadRunChoice } from '../../batches';
import { finalResultsOf, resultsOf, type SubmissionRegistry, toRuns } from '../../ledger';
import { readFirstLines } from '../../requests';
import type { Shown } from './resultsPanelOptions';
import type { ResultsPanels } from './resultsPanels';
import { nameOf } from './shownResults';

/** Shows results in a table. With an id, opens the pair of that request; with a query, shows only matching rows. */
export async function showResults(
  { registry, panels }: { readonly registry: SubmissionRegistry; readonly panels: ResultsPanels },
  target: RunReference | BatchReference | vscode.Uri | undefined,
  shown: Shown = {},
): Promise<void> {
  const { customId, query } = { customId: textOf(shown.customId), query: textOf(shown.query) };
  // Without a target, use the active file if it contains results.
  const file = target ?? activeUri();
  if (file !== undefined && 'fsPath' in file && (await isUnknownFile(registry, file))) {
    panels.show({ file: file.fsPath }, { customId, query });
    return;
  }
  const { chooseResults } = await loadRunChoice();
  const { run, withRetries } = await chooseResults(registry, target, vscode.l10n.t('Select a batch'));
  panels.show({ runId: run.id, ...(withRetries && { withRetries }) }, { customId, query });
}

/** Shows the requests of a file in a table, whether or not they have been sent. Without a file, uses the active one or asks the user. */
export async function showRequests(panels: ResultsPanels, target: vscode.Uri | undefined): Promise<void> {
  const { t } = vscode.l10n;
  const file = await chooseFile(target, { question: t('Show the requests of which file?'), openLabel: t('Show as Table') });
  if (file.scheme !== 'file') {
    throw new Error(t('Save {0} first: the table reads the file from the disk.', toLabel(nameOf(file), 80)));
  }
  panels.show({ requests: file.fsPath }, {});
}

/** Returns whether a file contains results that don't match any run on this machine. */
async function isUnknownFile(registry: SubmissionRegistry, { scheme, fsPath }: vscode.Uri): Promise<boolean> {
  if (scheme !== 'file') {
    return false;
  }
  await registry.reload();
  const runs = toRuns(registry.all());
  const known = runs
    .flatMap(run => [finalResultsOf(runs, run) ?? [], resultsOf(run) ?? []].flat())
    .find(results => results.filePath === fsPath);
  // The user may have changed the file.
  const index = known && path.join(registry.folder(known.submissionId), known.indexName);
  const isKnown = index !== undefined && (await ResultsIndex.fits(index, fsPath));
  return !isKnown && fileKindOf(await readFirstLines(fsPath).catch(() => [])) === 'results';
}

/** Returns a text argument. VS Code menus pass other arguments. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
