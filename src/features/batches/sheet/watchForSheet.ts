import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { onDidChangeSettings } from '../../../common/settings';
import type { Connections } from '../../connection';
import type { Submission, SubmissionRegistry } from '../../ledger';
import { nameOf } from '../submitting/createBatchTarget';

export interface SheetWatchOptions {
  readonly target: vscode.Uri;
  readonly connections: Connections;
  readonly registry: SubmissionRegistry;
  /** Called when the file, its text in the editor, the connection or the rules may have changed. */
  readonly onChange: () => void;
  readonly onSave: () => void;
  /** Called when it becomes known that the service has no batches, or has some. */
  readonly onServed: () => void;
  readonly onPrices: () => void;
  /** Called when the minimum length of proposed prefixes changed. */
  readonly onMinimum: () => void;
  readonly onSubmission: (submission: Submission) => void;
}

/** Watches everything that a sheet depends on. */
export function watchForSheet({ target, connections, registry, ...on }: SheetWatchOptions): vscode.Disposable {
  const isTarget = (uri: vscode.Uri) => uri.toString() === target.toString();
  return combine(
    ...(target.scheme === 'file' ? [watchFile(target, on.onChange)] : []),
    vscode.workspace.onDidChangeTextDocument(({ document }) => isTarget(document.uri) && on.onChange()),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => isTarget(uri) && on.onChange()),
    vscode.workspace.onDidSaveTextDocument(({ uri }) => isTarget(uri) && on.onSave()),
    connections.onDidChange(on.onChange),
    connections.served.onDidChange(on.onServed),
    onDidChangeSettings(['managedAgents.rules'], on.onChange),
    onDidChangeSettings(['managedAgents.estimate.prices', 'managedAgents.estimate.currency'], on.onPrices),
    onDidChangeSettings(['managedAgents.estimate.minimumCachedTokens'], on.onMinimum),
    registry.onDidChange(on.onSubmission),
  );
}

function watchFile(file: vscode.Uri, listener: () => void): vscode.Disposable {
  const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(file, '..'), nameOf(file).replace(/[[\]{}*?]/g, '?'));
  const watcher = vscode.workspace.createFileSystemWatcher(pattern);
  return combine(watcher, watcher.onDidChange(listener), watcher.onDidCreate(listener), watcher.onDidDelete(listener));
}
