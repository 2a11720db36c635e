import type * as vscode from 'vscode';
import type { CreateBatchDependencies } from './createBatch';

/** Shows what is known of a request file before it is sent, without sending it. */
export async function estimateFile(_deps: CreateBatchDependencies, _file: vscode.Uri | undefined): Promise<void> {
  throw new Error('This is being built.');
}
