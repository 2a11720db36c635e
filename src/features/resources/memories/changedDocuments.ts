import * as vscode from 'vscode';
import type { ResourceStore } from '../resourceStore';
import type { MemoryBases } from './memoryBases';
import { listedHash } from './memoryLists';
import { memoryScheme, parseUriPath } from './memoryLocation';

/**
 * Returns file change events for memories that differ from the open documents in the current listing. Documents with unsaved edits are
 * skipped.
 */
export function changedDocuments(store: ResourceStore, bases: Pick<MemoryBases, 'baseOf'>): vscode.FileChangeEvent[] {
  const { Changed, Deleted } = vscode.FileChangeType;
  return vscode.workspace.textDocuments.flatMap(({ uri, isDirty, isClosed }) => {
    const place = uri.scheme === memoryScheme && !isDirty && !isClosed ? parseUriPath(uri.path) : undefined;
    const base = bases.baseOf(uri.path);
    const listed = place === undefined || base === undefined ? undefined : listedHash(store, place);
    return listed === undefined || listed === base?.sha256 ? [] : [{ type: listed === '' ? Deleted : Changed, uri }];
  });
}
