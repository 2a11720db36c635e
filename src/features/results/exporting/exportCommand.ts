import * as vscode from 'vscode';
import type { BatchReference, RunReference } from '../../../contributions';
import type { SubmissionRegistry } from '../../ledger';
import { chooseShown } from '../chooseShown';
import { type ExportDependencies, exportRows } from './exportRows';

/** Exports all results of a run that the user chooses. To export only filtered results, use the results table. */
export async function exportResults(
  deps: ExportDependencies & { readonly registry: SubmissionRegistry },
  target: RunReference | BatchReference | vscode.Uri | undefined,
): Promise<void> {
  const { joined, results, run, submissions } = await chooseShown(deps.registry, target, vscode.l10n.t('Select a batch'));
  await exportRows(deps, { joined, report: results.report, source: run.source, submissions }, undefined);
}
