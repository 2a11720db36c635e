import type * as vscode from 'vscode';
import type { RequestFilesDependencies } from './index';

export async function shuffleFile(_deps: RequestFilesDependencies, _file: vscode.Uri | undefined): Promise<void> {
  throw new Error('This is being built.');
}
