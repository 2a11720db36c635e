import path from 'node:path';
import * as vscode from 'vscode';
import { chooseFile, type FileQuestion } from '../../common/asking/chooseFile';
import { type NewFileQuestion, placeForNewFile } from '../../common/asking/newFile';
import { showFailure, showInformation } from '../../common/asking/notifications';
import { toReport, withProgress } from '../../common/asking/progress';
import { isCancellation } from '../../common/cancellation';
import { type CommandRegistry, runCommand } from '../../common/commands';
import type { ReportDocuments } from '../../common/documents/reportDocuments';
import type { Log } from '../../common/log';
import { describeError } from '../../common/text/describeError';
import type { OtherLines } from '../../jsonl/arranging/arrangingJobs';
import type { JsonlJobs } from '../../jsonl/jobs/jobs';
import type { JobInput, JobName, JobOutput } from '../../jsonl/jobs/jobTable';
import { numberFormat } from '../../shared/formats';
import { toLabel } from '../../shared/text';
import type { Connections } from '../connection';
import { nameOf } from './building/nameOf';
import { withFileOnDisk } from './documents/fileOnDisk';
import type { RuleSettings } from './ruleSettings';

export interface RequestFileDependencies {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandRegistry;
  readonly log: Log;
  readonly connections: Connections;
  readonly rules: RuleSettings;
  readonly jobs: JsonlJobs;
}

/** Dependencies of the commands that create request files from others. */
export interface FileWorkDependencies extends RequestFileDependencies {
  /** Aborted when the window goes. */
  readonly lifetime: AbortSignal;
  readonly reports: ReportDocuments;
}

/** A file that is worked on, as the user sees it. */
export interface SourceFile {
  readonly uri: vscode.Uri;
  /** Where its bytes are: the file itself, or a copy of what stands in the editor, unsaved. */
  readonly path: string;
  /** Its name, for people. */
  readonly name: string;
  /** Its name without the ending of request files, for files beside it. */
  readonly stem: string;
}

/** Lets the user choose a file when none was given, and hands it to `use`. Rejects with `CancelledError`. */
export async function withSource(
  deps: FileWorkDependencies,
  given: vscode.Uri | undefined,
  question: FileQuestion,
  use: (source: SourceFile) => Promise<void>,
): Promise<void> {
  const uri = await chooseFile(given, question);
  await withFileOnDisk(uri, snapshotFolder(deps), file => use({ uri, path: file, name: nameOf(uri), stem: stemOf(uri) }));
}

/** Where the text of unsaved documents stands while it is worked on. */
export function snapshotFolder({ context }: FileWorkDependencies): string {
  return path.join((context.storageUri ?? context.globalStorageUri).fsPath, 'snapshots');
}

/** The name of a file without the endings of request files. */
export function stemOf(uri: vscode.Uri): string {
  const stem = path.posix.basename(uri.path).replace(/\.(?:jsonl|ndjson|json)$/i, '');
  return stem === '' ? 'requests' : stem;
}

/** Runs a job with progress that can be cancelled. */
export async function work<K extends JobName>(
  { jobs, lifetime }: FileWorkDependencies,
  title: string,
  name: K,
  input: JobInput<K>,
): Promise<JobOutput<K>> {
  return await withProgress(title, lifetime, (signal, tell) => jobs.run(name, input, { signal, onProgress: toReport(tell) }));
}

/** Where a new file goes, never the file that is read itself. Rejects with `CancelledError`. */
export async function placeBeside(question: NewFileQuestion): Promise<string> {
  const file = await placeForNewFile(question);
  if (question.beside.scheme === 'file' && path.relative(question.beside.fsPath, file) === '') {
    throw new Error(vscode.l10n.t('{0} is the file that is read. Choose another name.', toLabel(file, 300)));
  }
  return file;
}

/**
 * Tells that a file was written, and opens it, shows where it is or makes a batch of it when the user wants. Settles at once: the message
 * stays until it is answered.
 */
export function tellWritten(
  deps: FileWorkDependencies,
  message: string,
  file: string,
  ...more: readonly { readonly label: string; run(): PromiseLike<unknown> }[]
): void {
  const uri = vscode.Uri.file(file);
  const isInWorkspace = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  const acts = [
    { label: vscode.l10n.t('Open'), run: () => vscode.commands.executeCommand('vscode.open', uri) },
    ...more,
    {
      label: vscode.l10n.t('Reveal'),
      run: () => vscode.commands.executeCommand(isInWorkspace ? 'revealInExplorer' : 'revealFileInOS', uri),
    },
  ];
  afterAnswer(deps, showInformation(message, ...acts.map(({ label }) => label)), choice =>
    acts.find(({ label }) => label === choice)?.run(),
  );
}

/** Goes on when a message was answered. Not awaited: the message stays until then, the command has ended; a failure is told by itself. */
export function afterAnswer<T>({ log }: FileWorkDependencies, answer: Promise<T>, act: (answer: T) => unknown): void {
  const run = async () => {
    try {
      await act(await answer);
    } catch (error) {
      if (!isCancellation(error)) {
        log.error('What a message offered failed', error);
        await showFailure(toLabel(describeError(error), 1000));
      }
    }
  };
  void run();
}

/** The button that makes a batch of a file. */
export function createBatchOf(file: string, label = vscode.l10n.t('Create Batch')): { readonly label: string; run(): Promise<void> } {
  return { label, run: () => runCommand('managedAgents.batch.create', vscode.Uri.file(file)) };
}

/** What there was beside requests and what became of it, as sentences behind a message; empty when there was nothing. */
export function describeOthers({ blank, broken }: OtherLines, fate: 'carried along' | 'left out' = 'carried along'): string {
  const isLeftOut = fate === 'left out';
  const sentences: string[] = [];
  if (blank > 0) {
    sentences.push(blank === 1 ? vscode.l10n.t('1 empty line was dropped.') : vscode.l10n.t('{0} empty lines were dropped.', count(blank)));
  }
  if (broken.count > 0) {
    const line = count((broken.first[0] ?? 0) + 1);
    const one = isLeftOut
      ? vscode.l10n.t('Line {0} is no request; it was left out.', line)
      : vscode.l10n.t('Line {0} is no request; it was carried along as it stands.', line);
    const many = isLeftOut
      ? vscode.l10n.t('{0} lines are no requests, the first of them line {1}; they were left out.', count(broken.count), line)
      : vscode.l10n.t(
          '{0} lines are no requests, the first of them line {1}; they were carried along as they stand.',
          count(broken.count),
          line,
        );
    sentences.push(broken.count === 1 ? one : many);
  }
  return sentences.map(sentence => ` ${sentence}`).join('');
}

/** A number in the user's language. */
export function count(value: number): string {
  return numberFormat(vscode.env.language).format(value);
}

/** `1 request`, `412 requests`. */
export function requestsOf(value: number): string {
  return value === 1 ? vscode.l10n.t('1 request') : vscode.l10n.t('{0} requests', count(value));
}
