import type * as vscode from 'vscode';
import type { BatchReference, RunReference } from '../../../contributions';
import type { ResultsDependencies } from '../index';

/** Placeholder. */
export async function showResults(
  _deps: ResultsDependencies,
  _target: RunReference | BatchReference | vscode.Uri | undefined,
  _customId?: string,
): Promise<void> {
  throw new Error('This is being built.');
}
