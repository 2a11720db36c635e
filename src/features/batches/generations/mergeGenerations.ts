import type * as vscode from 'vscode';
import type { BatchReference, RunReference } from '../../../contributions';
import type { RunDependencies } from '../runCommands';

/** Placeholder. */
export async function mergeGenerations(
  _deps: RunDependencies,
  _target: RunReference | BatchReference | vscode.Uri | undefined,
): Promise<void> {
  throw new Error('This is being built.');
}
