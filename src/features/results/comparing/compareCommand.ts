import type * as vscode from 'vscode';
import type { BatchReference, RunReference } from '../../../contributions';
import type { ResultsDependencies } from '../index';

/** Placeholder. */
export async function compareResults(
  _deps: ResultsDependencies,
  _target: RunReference | BatchReference | vscode.Uri | undefined,
): Promise<void> {
  throw new Error('This is being built.');
}
