import { createReadStream } from 'node:fs';
import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { Poller } from '../../../common/lists/poller';
import { Throttle } from '../../../common/lists/throttle';
import type { Log } from '../../../common/log';
import { readSetting } from '../../../common/settings';
import { describeError } from '../../../common/text/describeError';
import type { EditScope } from '../../../jsonl/fixes/edits/fieldEdit';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import type { ResultEntry } from '../../../jsonl/results/resultsReport';
import type { ChosenRuns, SubmissionRegistry } from '../../ledger';
import { readDocument } from '../documents/fileOnDisk';
import type { OpenRequestFile, RequestDocuments } from '../documents/requestDocuments';
import { type AnswerRuns, answerRunsOf } from './answerRuns';
import { FileAnswers } from './fileAnswers';
import { hashOf } from './movedFiles';
import { findFailing, SubmissionAnswerFiles } from './submissionAnswerFiles';

interface Entry {
  readonly answers: FileAnswers;
  /** Poller that loads the newest results. */
  readonly loading: Poller;
  readonly subscriptions: vscode.Disposable;
}

/** Fetched results of every open request file, matched to the lines of the current document. */
export class DocumentAnswers implements vscode.Disposable {
  private readonly entries = new Map<OpenRequestFile, Entry>();
  private readonly changed = new vscode.EventEmitter<OpenRequestFile>();
  private readonly subscriptions: vscode.Disposable;
  /** Throttle that combines a burst of registry changes. */
  private readonly loading = new Throttle(() => {
    for (const { loading } of this.entries.values()) {
      void loading.trigger();
    }
  });
  /** Fires when the results of a file, its pending submissions, or the lines they belong to have changed. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly documents: RequestDocuments,
    private readonly registry: SubmissionRegistry,
    private readonly chosenRuns: ChosenRuns,
    private readonly jobs: JsonlJobs,
    private readonly log: Pick<Log, 'warn' | 'debug'>,
  ) {
    this.subscriptions = combine(
      this.loading,
      documents.onDidOpen(file => this.open(file)),
      documents.onDidClose(file => this.close(file)),
      registry.onDidChange(() => this.loading.ask()),
      chosenRuns.onDidChange(() => this.loading.ask()),
      vscode.workspace.onDidSaveTextDocument(document => {
        const file = documents.get(document);
        if (file !== undefined) {
          void this.vouch(file);
        }
      }),
    );
    for (const file of documents.all()) {
      this.open(file);
    }
  }

  of(file: OpenRequestFile): FileAnswers | undefined {
    return this.entries.get(file)?.answers;
  }

  async whenLoaded(file: OpenRequestFile): Promise<void> {
    await this.entries.get(file)?.loading.trigger();
  }

  /** Returns the result of the request on a line. `undefined` if the user turned answers off. */
  shownAt(file: OpenRequestFile, line: number): ResultEntry | undefined {
    return readSetting('managedAgents.editor.answers', file.document) ? this.of(file)?.entryAt(line) : undefined;
  }

  /**
   * Returns the requests without a good result in the results to show. Returns lines of an open document, or ids of any other file.
   * `undefined` if there are no results or the results can't be read.
   */
  async failingScope(uri: vscode.Uri): Promise<(EditScope & { readonly by: 'lines' | 'ids' }) | undefined> {
    const file = this.documents.get(uri);
    if (file !== undefined) {
      await this.whenLoaded(file);
      const found = this.of(file)?.shown && (await this.of(file)?.failing());
      return found && { by: 'lines', lines: new Set(found.map(({ line }) => line)) };
    }
    const { shown } = this.runsOf(uri);
    const results =
      shown &&
      (await this.openFiles()
        .openResults(shown)
        .catch(() => undefined));
    return results && { by: 'ids', ids: new Set((await findFailing(results)).keys()) };
  }

  /** Returns the results to show at a file and its pending submissions. Uses the run that the user chose, or otherwise the newest. */
  private runsOf(uri: vscode.Uri): AnswerRuns {
    const all = this.registry.all();
    const source = uri.toString();
    return answerRunsOf(all, source, this.chosenRuns.runOf(all, source));
  }

  private openFiles(): SubmissionAnswerFiles {
    return new SubmissionAnswerFiles(this.registry, this.jobs);
  }

  private warn(file: OpenRequestFile, error: unknown): void {
    this.log.warn(`The results of ${keyOf(file)} cannot be shown beside their requests: ${describeError(error)}`);
  }

  private open(file: OpenRequestFile): void {
    const checker = () => file.checker;
    const answers = new FileAnswers(file.document, checker, this.openFiles(), error => {
      this.warn(file, error);
      this.changed.fire(file);
    });
    const loading = new Poller(async () => {
      await this.load(file, answers);
      return undefined;
    });
    const subscriptions = combine(
      loading,
      file.onDidChangeLines(changes => answers.change(changes)),
    );
    this.entries.set(file, { answers, loading, subscriptions });
    void loading.trigger();
  }

  private close(file: OpenRequestFile): void {
    this.entries.get(file)?.subscriptions.dispose();
    this.entries.delete(file);
  }

  private async load(file: OpenRequestFile, answers: FileAnswers): Promise<void> {
    const before = answers.versions;
    const isNew = await answers.update(this.runsOf(file.document.uri)).catch(error => {
      this.warn(file, error);
      return true;
    });
    if (isNew && this.entries.has(file)) {
      this.changed.fire(file);
    }
    if ([...answers.versions].some(version => !before.has(version))) {
      await this.vouch(file);
    }
  }

  /** Checks whether the document has exactly the bytes of a submission. If so, later edits are tracked. */
  private async vouch(file: OpenRequestFile): Promise<void> {
    const answers = this.of(file);
    if (answers === undefined || answers.versions.size === 0) {
      return;
    }
    const { document } = file;
    const { version, isDirty } = document;
    try {
      const isOnDisk = document.uri.scheme === 'file' && !isDirty;
      const sha256 = await hashOf(isOnDisk ? createReadStream(document.uri.fsPath) : readDocument(document));
      const isSame = document.version === version && document.isDirty === isDirty;
      if (isSame && answers.versions.has(sha256) && this.entries.has(file)) {
        answers.vouch(sha256);
        this.changed.fire(file);
        await answers.keepHashes(sha256);
      }
    } catch (error) {
      this.log.debug(`Could not compare ${keyOf(file)} with what was submitted: ${describeError(error)}`);
    }
  }

  dispose(): void {
    this.subscriptions.dispose();
    for (const file of [...this.entries.keys()]) {
      this.close(file);
    }
    this.changed.dispose();
  }
}

function keyOf(file: OpenRequestFile): string {
  return file.document.uri.toString();
}
