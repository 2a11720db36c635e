import * as vscode from 'vscode';
import { showInformation } from '../../../common/asking/notifications';
import { runCommand } from '../../../common/commands';
import { toLabel } from '../../../shared/text';
import { resultsOfSource, type SubmissionRegistry } from '../../ledger';
import type { RequestDocuments } from '../documents/requestDocuments';
import { toFileName } from '../documents/requestFile';

interface TableContext {
  readonly documents: RequestDocuments;
  readonly registry: Pick<SubmissionRegistry, 'all'>;
}

/**
 * Whether a file has results and no lines at which an extension could show them, as one over 50 MB or one in another extension's editor.
 * Then the user is told, and offered the results table.
 */
export function offersTable({ documents, registry }: TableContext, uri: vscode.Uri | undefined): boolean {
  if (uri === undefined || documents.get(uri) !== undefined || resultsOfSource(registry.all(), uri.toString()) === undefined) {
    return false;
  }
  void offer(uri);
  return true;
}

async function offer(uri: vscode.Uri): Promise<void> {
  const name = toLabel(toFileName(uri), 80);
  const table = vscode.l10n.t('Show Results Table');
  const pressed = await showInformation(
    vscode.l10n.t(
      'Answers cannot be shown at the lines of {0} in this editor: it is over 50 MB, or another extension shows it. The results table shows them all.',
      name,
    ),
    table,
  );
  if (pressed === table) {
    await runCommand('managedAgents.results.show', uri);
  }
}
