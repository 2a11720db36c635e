import type * as vscode from 'vscode';
import type { EditingDependencies } from '../editing';

export async function makeIds(_deps: EditingDependencies, _file: vscode.Uri | undefined): Promise<void> {
  throw new Error('This is being built.');
}
