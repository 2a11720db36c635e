import type * as vscode from 'vscode';
import type { RunDependencies } from '../runCommands';

/** Placeholder. */
export async function createChanged(_deps: RunDependencies, _target: vscode.Uri | undefined): Promise<void> {
  throw new Error('This is being built.');
}
