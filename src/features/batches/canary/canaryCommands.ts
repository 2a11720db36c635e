import type * as vscode from 'vscode';
import type { RunReference } from '../../../contributions';
import type { RunDependencies } from '../runCommands';

/** Placeholder. */
export async function createCanary(_deps: RunDependencies, _target: vscode.Uri | undefined): Promise<void> {
  throw new Error('This is being built.');
}

/** Placeholder. */
export async function continueCanary(_deps: RunDependencies, _target: RunReference | vscode.Uri | undefined): Promise<void> {
  throw new Error('This is being built.');
}
