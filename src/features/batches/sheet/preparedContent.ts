import { randomUUID } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { type SubmissionRegistry, submissionFileName } from '../../ledger';
import { readContent, type SubmitContent } from '../submitting/createBatchTarget';

/** The bytes that were checked, and what tells whether the file still is as it was then. */
export interface PreparedContent extends SubmitContent {
  /** The submission it would become; a copy of the editor's text stands in its folder. */
  readonly submissionId: string;
  /** Version of the document in the editor, if it is open there. */
  readonly version: number | undefined;
  /** Of the file on disk. */
  readonly stamp: string | undefined;
}

/** Gets hold of what the user sees of a file. Throws a sentence for the user when the bytes cannot be had. */
export async function prepareContent(registry: SubmissionRegistry, target: vscode.Uri): Promise<PreparedContent> {
  const submissionId = randomUUID();
  // Before anything is read: what changes from here on has changed since.
  const version = documentOf(target)?.version;
  const stamp = await stampOf(target);
  try {
    return { ...(await readContent(target, () => registry.prepareInUse(submissionId))), submissionId, version, stamp };
  } catch (error) {
    await registry.discard(submissionId);
    throw error;
  }
}

/** What is no longer as it was when the content was prepared, in a sentence; undefined when it is the same. */
export async function describeChange(content: PreparedContent, target: vscode.Uri): Promise<string | undefined> {
  const stamp = await stampOf(target);
  // After everything that takes time: of two looks the one that ends later has seen the later text.
  const document = documentOf(target);
  if (content.fromEditor) {
    if (document === undefined) {
      return vscode.l10n.t('The file has changed since it was checked.');
    }
    return document.version === content.version ? undefined : vscode.l10n.t('The file has changed since it was checked.');
  }
  if (document?.isDirty === true || isUnsavedTab(target)) {
    return vscode.l10n.t('The file has changed since it was checked.');
  }
  if (stamp === undefined) {
    return vscode.l10n.t('File not found.');
  }
  return stamp === content.stamp ? undefined : vscode.l10n.t('The file has changed since it was checked.');
}

/** Removes what was prepared and never sent, at once: there may be no later when a window closes. */
export function discardContent(registry: SubmissionRegistry, { submissionId }: Pick<PreparedContent, 'submissionId'>): void {
  const folder = registry.folder(submissionId);
  registry.letGo(submissionId);
  if (isMissing(path.join(folder, submissionFileName))) {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Any other failure than ENOENT may hide a record. */
function isMissing(file: string): boolean {
  try {
    statSync(file);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

function documentOf(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(document => document.uri.toString() === uri.toString() && !document.isClosed);
}

/** Of a file that is too big for extensions only its tab tells. */
function isUnsavedTab(uri: vscode.Uri): boolean {
  return vscode.window.tabGroups.all
    .flatMap(group => group.tabs)
    .some(tab => tab.isDirty && tab.input instanceof vscode.TabInputText && tab.input.uri.toString() === uri.toString());
}

async function stampOf(uri: vscode.Uri): Promise<string | undefined> {
  if (uri.scheme !== 'file') {
    return undefined;
  }
  try {
    const { ino, mtimeMs, size } = await stat(uri.fsPath);
    return `${ino}:${mtimeMs}:${size}`;
  } catch {
    return undefined;
  }
}
