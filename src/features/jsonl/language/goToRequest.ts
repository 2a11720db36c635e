import type * as vscode from 'vscode';
import type { EditingDependencies } from '../editing';

/** Asks for an id and shows its line. */
export async function goToRequest(_deps: EditingDependencies, _file: vscode.Uri | undefined): Promise<void> {
  throw new Error('This is being built.');
}
