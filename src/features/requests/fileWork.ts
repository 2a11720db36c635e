import path from 'node:path';
import * as vscode from 'vscode';
import type { Model } from '../../client/resources/models';
import type { Choice } from '../../common/asking/askSteps';
import { chooseFile, type FileQuestion } from '../../common/asking/chooseFile';
import { newFilePath } from '../../common/asking/newFile';
import { showFailure, showInformation } from '../../common/asking/notifications';
import { toReport, withProgress } from '../../common/asking/progress';
import { isCancellation } from '../../common/cancellation';
import { type CommandRegistry, runCommand } from '../../common/commands';
import { fileNameOf } from '../../common/files/fileNameOf';
import type { Log } from '../../common/log';
import { describeError } from '../../common/text/describeError';
import { describeRequests } from '../../common/text/presentation';
import type { OtherLines } from '../../jsonl/files/requestWalk';
import type { SuggestedModel } from '../../jsonl/guide/offers';
import type { JsonlJobs } from '../../jsonl/jobs/jobs';
import type { JobInput, JobName, JobOutput } from '../../jsonl/jobs/jobTable';
import { contractModels } from '../../jsonl/rules/modelNames';
import { toNumber } from '../../shared/formats';
import { toLabel } from '../../shared/text';
import type { Connections } from '../connection';
import type { DocumentAnswers } from './answers/documentAnswers';
import { withFileOnDisk } from './documents/fileOnDisk';
import type { ReportDocuments } from './documents/reportDocuments';
import type { RequestDocuments } from './documents/requestDocuments';
import { fileLabelOf } from './documents/requestFile';
import type { RuleSettings } from './ruleSettings';

export interface RequestFileDependencies {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandRegistry;
  readonly log: Log;
  readonly connections: Connections;
  readonly rules: RuleSettings;
  readonly jobs: JsonlJobs;
}

/** Dependencies of the commands that create request files. */
export interface FileWorkDependencies extends RequestFileDependencies {
  /** Aborted when the window closes. */
  readonly lifetime: AbortSignal;
  readonly reports: ReportDocuments;
}

/** Dependencies of the editing features of request files. */
export interface EditingDependencies extends RequestFileDependencies {
  /** Aborted when the window closes. */
  readonly lifetime: AbortSignal;
  readonly documents: RequestDocuments;
  readonly answers: Pick<DocumentAnswers, 'shownAt' | 'failingScope'>;
}

export interface SourceFile {
  readonly uri: vscode.Uri;
  /** Path to read: the file itself, or a snapshot of its unsaved text. */
  readonly path: string;
  readonly name: string;
  /** File name without its extension, for the names of new files next to it. */
  readonly stem: string;
}

/** Calls `use` with the given file, or lets the user choose one. Rejects with `CancelledError`. */
export async function withSource(
  deps: FileWorkDependencies,
  given: vscode.Uri | undefined,
  question: FileQuestion,
  use: (source: SourceFile) => Promise<void>,
): Promise<void> {
  const uri = await chooseFile(given, question);
  await withFileOnDisk(uri, snapshotFolder(deps), file => use({ uri, path: file, name: fileLabelOf(uri), stem: stemOf(uri) }));
}

/** Returns the folder for snapshots of unsaved documents. */
export function snapshotFolder({ context }: FileWorkDependencies): string {
  return path.join((context.storageUri ?? context.globalStorageUri).fsPath, 'snapshots');
}

/** Returns a file name without the extension of request files or rows. */
export function stemOf(uri: vscode.Uri): string {
  const stem = fileNameOf(uri).replace(/\.(?:jsonl|ndjson|json|csv|tsv|tab|txt)$/i, '');
  return stem === '' ? 'requests' : stem;
}

/** Runs a job with progress that the user can cancel. Aborting `lifetime` cancels the job too. */
export async function runJob<K extends JobName>(
  { jobs, lifetime = new AbortController().signal }: { readonly jobs: Pick<JsonlJobs, 'run'>; readonly lifetime?: AbortSignal },
  title: string,
  name: K,
  input: JobInput<K>,
): Promise<JobOutput<K>> {
  return await withProgress(title, lifetime, (signal, showProgress) =>
    jobs.run(name, input, { signal, onProgress: toReport(showProgress) }),
  );
}

/**
 * Asks for the path of a new request file, and proposes `name` next to the first source. Throws an error for the user if the path is a
 * source. Rejects with `CancelledError`.
 */
export async function askNewPath(sources: readonly vscode.Uri[], name: string): Promise<string> {
  const [beside = vscode.Uri.file('')] = sources;
  const file = await newFilePath(beside, name, vscode.l10n.t('Save Requests'));
  if (sources.some(({ scheme, fsPath }) => scheme === 'file' && path.relative(fsPath, file) === '')) {
    throw new Error(vscode.l10n.t('{0} is the source file. Choose another name.', toLabel(file, 300)));
  }
  return file;
}

/** Button of a notification. */
export interface Act {
  readonly label: string;
  run(): unknown;
}

/**
 * Shows a notification with buttons. Returns immediately, while the notification stays open. Reports failures of the buttons' actions
 * itself, because the command has already ended by then.
 */
export function offerActs(
  { log }: { readonly log: Pick<Log, 'error'> },
  message: string,
  acts: readonly Act[],
  show = showInformation<string>,
): void {
  const run = async () => {
    try {
      const choice = await show(message, ...acts.map(({ label }) => label));
      await acts.find(({ label }) => label === choice)?.run();
    } catch (error) {
      if (!isCancellation(error)) {
        log.error('The action of a message failed', error);
        await showFailure(toLabel(describeError(error), 1000));
      }
    }
  };
  void run();
}

/** Reports a written file. The buttons open it, reveal it, or run `more`. Returns immediately. */
export function showWritten(deps: { readonly log: Pick<Log, 'error'> }, message: string, file: string, ...more: readonly Act[]): void {
  const uri = vscode.Uri.file(file);
  const reveal = vscode.workspace.getWorkspaceFolder(uri) === undefined ? 'revealFileInOS' : 'revealInExplorer';
  offerActs(deps, message, [
    { label: vscode.l10n.t('Open'), run: () => vscode.commands.executeCommand('vscode.open', uri) },
    ...more,
    { label: vscode.l10n.t('Reveal'), run: () => vscode.commands.executeCommand(reveal, uri) },
  ]);
}

/** Returns the button that creates a batch from a file. */
export function createBatchOf(file: string): Act {
  return { label: vscode.l10n.t('Create Batch'), run: () => runCommand('managedAgents.batch.create', vscode.Uri.file(file)) };
}

/**
 * Describes the lines that are not requests, as sentences to append to a message. `fate` applies to the lines that are neither blank nor a
 * request. Empty if there are no such lines.
 */
export function describeOthers({ blank, broken }: OtherLines, fate: 'carried along' | 'left out' = 'carried along'): string {
  const sentences: string[] = [];
  if (blank > 0) {
    sentences.push(vscode.l10n.t('Blank lines left out: {0}.', count(blank)));
  }
  if (broken.count > 0) {
    const line = count((broken.first[0] ?? 0) + 1);
    const all = count(broken.count);
    sentences.push(
      fate === 'left out'
        ? vscode.l10n.t('Not requests, left out: {0} (first: line {1}).', all, line)
        : vscode.l10n.t('Not requests, copied: {0} (first: line {1}).', all, line),
    );
  }
  return sentences.map(sentence => ` ${sentence}`).join('');
}

/** Formats a number in the user's locale. */
export function count(value: number): string {
  return toNumber(value, vscode.env.language);
}

/** Formats a number of requests, such as `412 requests`. */
export function requestsOf(value: number): string {
  return describeRequests(value, { translate: vscode.l10n.t, locale: vscode.env.language });
}

/** Converts models to suggestions, without names that only repeat the id. */
export function toModels(models: readonly Model[]): readonly SuggestedModel[] {
  return models.map(({ id, display_name: name }) => (name == null || name === id ? { id } : { id, displayName: name }));
}

/** Returns the models that the service lists as choices. If the list is unknown, returns the models of the contract. */
export function modelChoices(served: readonly Model[] | undefined): readonly Choice<string>[] {
  const models = served === undefined ? contractModels.map((id): SuggestedModel => ({ id })) : toModels(served);
  return models.map(({ id, displayName = '' }) => ({ label: toLabel(id, 100), description: toLabel(displayName, 100), value: id }));
}
