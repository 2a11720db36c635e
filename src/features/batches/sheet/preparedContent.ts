import { randomUUID } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { BatchFileReport } from '../../../jsonl/checking/batchFileReport';
import { stampOfFile } from '../../../jsonl/files/publishing';
import { type Submission, submissionFileName, type SubmissionRegistry, toSelection } from '../../ledger';
import { isUnsavedTab } from '../../requests';
import type { BatchDependencies } from '../batchDependencies';
import { describeSwitch, type Destination } from '../destination';
import { readContent, type SubmitContent } from '../submitting/createBatchTarget';
import { repeatsOf } from '../submitting/repeatsOf';
import type { Outgoing } from './outgoing';

/** The checked bytes, with the data to detect changes of the file. */
export interface PreparedContent extends SubmitContent {
  /** ID of the submission that sending would create. Its folder has the copy of unsaved text. */
  readonly submissionId: string;
  /** Version of the document in the editor, if it is open there. */
  readonly version: number | undefined;
  readonly stamp: string | undefined;
}

/** Reads the current content of a file: of its open document, or else from the disk. Throws an error for the user if that fails. */
export async function prepareContent(registry: SubmissionRegistry, target: vscode.Uri): Promise<PreparedContent> {
  const submissionId = randomUUID();
  // Read first, so that any later change is detected.
  const version = documentOf(target)?.version;
  const stamp = await stampOf(target);
  try {
    return { ...(await readContent(target, () => registry.prepareInUse(submissionId))), submissionId, version, stamp };
  } catch (error) {
    await registry.discard(submissionId);
    throw error;
  }
}

/** Describes how the content has changed since it was prepared, or returns `undefined` if it hasn't. */
async function describeChange(content: PreparedContent, target: vscode.Uri): Promise<string | undefined> {
  const stamp = await stampOf(target);
  // Read last, after all slow steps, so that the latest text is compared.
  const document = documentOf(target);
  const isUnsaved = document?.isDirty === true || isUnsavedTab(target);
  if (!content.fromEditor && !isUnsaved && stamp === undefined) {
    return vscode.l10n.t('File not found.');
  }
  const isSame = content.fromEditor
    ? document !== undefined && document.version === content.version
    : !isUnsaved && stamp === content.stamp;
  return isSame ? undefined : vscode.l10n.t('The file has changed since it was checked.');
}

/** Deletes content that was prepared but not sent. Synchronous, because a closing window may have no time left. */
export function discardContent(registry: SubmissionRegistry, { submissionId }: Pick<PreparedContent, 'submissionId'>): void {
  const folder = registry.folder(submissionId);
  registry.letGo(submissionId);
  if (isMissing(path.join(folder, submissionFileName))) {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns whether a file does not exist. Any failure other than ENOENT may hide a record. */
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

async function stampOf({ scheme, fsPath }: vscode.Uri): Promise<string | undefined> {
  return scheme === 'file' ? await stampOfFile(fsPath).catch(() => undefined) : undefined;
}

/** A checked file and its destination. */
export interface Checked {
  readonly content: PreparedContent;
  readonly report: BatchFileReport;
  readonly isForeign: boolean;
  /** True if its requests contain transcripts of sessions. */
  readonly isAboutSessions: boolean;
  readonly destination: Destination;
  /** Severities of the rules at the time of the check. */
  readonly severities: string;
}

interface About extends Pick<BatchDependencies, 'registry' | 'connections' | 'rules'> {
  readonly target: vscode.Uri;
}

/** Returns the earlier submissions of the same requests. */
export async function findRepeats(
  { registry }: Pick<About, 'registry'>,
  checked: Checked | undefined,
  outgoing: Outgoing | undefined,
): Promise<readonly Submission[]> {
  const connection = checked?.destination.connection?.name;
  if (checked === undefined || outgoing === undefined || connection === undefined) {
    return [];
  }
  await registry.reload();
  const { selected, purpose, follows, report } = outgoing;
  return repeatsOf(
    {
      ...{ sha256: report.sha256, connection, origin: checked.destination.origin },
      ...(selected && { selection: toSelection({ purpose, lines: selected.lines }) }),
      ...(follows && { follows }),
    },
    registry.all(),
  );
}

/** Describes the changes since the file was checked, in sentences. */
export async function findChanges(
  { target, connections, rules }: About,
  checked: Checked | undefined,
  isToSend: boolean,
): Promise<readonly string[]> {
  if (checked === undefined) {
    return [];
  }
  const changes = [
    await describeChange(checked.content, target),
    describeSwitch(checked.destination, connections, isToSend),
    JSON.stringify(rules.options(target).severities) === checked.severities
      ? undefined
      : vscode.l10n.t('The severities of rules have changed.'),
  ];
  return changes.filter(change => change !== undefined);
}

/** Returns a key that changes if the submissions or their states change. */
export function statesOf(repeats: readonly Submission[]): string {
  return repeats.map(({ id, state }) => `${id} ${state}`).join();
}
