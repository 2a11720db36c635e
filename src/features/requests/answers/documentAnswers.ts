import { createReadStream } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import type { Log } from '../../../common/log';
import { readSetting } from '../../../common/settings';
import type { ResultEntry } from '../../../jsonl/results/resultsReport';
import type { ChosenRuns, SubmissionRegistry } from '../../ledger';
import { readDocument } from '../documents/documentSnapshot';
import type { OpenRequestFile, RequestDocuments } from '../documents/requestDocuments';
import type { AnswerOrigin, ReadAnswer } from './answerHover';
import { toAnswerParts } from './answerParts';
import { answerRunsOf, type ShownResults } from './answerRuns';
import { FileAnswers } from './fileAnswers';
import { hashOf } from './movedFiles';
import type { SubmissionAnswerFiles } from './submissionAnswerFiles';

// Delay to combine a burst of changes in the registry, in milliseconds.
const registryDelay = 50;

interface Entry {
  readonly answers: FileAnswers;
  readonly subscription: vscode.Disposable;
  loading: Promise<void>;
}

/** Fetched results of every open request file, matched to the lines of the current document. */
export class DocumentAnswers implements vscode.Disposable {
  private readonly entries = new Map<OpenRequestFile, Entry>();
  private readonly changed = new vscode.EventEmitter<OpenRequestFile>();
  private readonly subscriptions: vscode.Disposable;
  private timer: NodeJS.Timeout | undefined;
  /** Fires when the results of a file, its pending submissions, or the lines they belong to have changed. */
  readonly onDidChange = this.changed.event;

  constructor(
    documents: RequestDocuments,
    private readonly registry: Pick<SubmissionRegistry, 'all' | 'onDidChange'>,
    private readonly chosenRuns: ChosenRuns,
    private readonly files: SubmissionAnswerFiles,
    private readonly log: Pick<Log, 'warn' | 'debug'>,
  ) {
    this.subscriptions = combine(
      documents.onDidOpen(file => this.open(file)),
      documents.onDidClose(file => this.close(file)),
      registry.onDidChange(() => this.loadSoon()),
      chosenRuns.onDidChange(() => this.loadSoon()),
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
    await this.entries.get(file)?.loading;
  }

  /** Returns the result of the request on a line. `undefined` if the user turned answers off. */
  shownAt(file: OpenRequestFile, line: number): ResultEntry | undefined {
    return readSetting('managedAgents.editor.answers', file.document) ? this.of(file)?.entryAt(line) : undefined;
  }

  async previews(file: OpenRequestFile, entries: readonly ResultEntry[]): Promise<readonly string[]> {
    return (await this.tryReading(file, answers => answers.previews(entries))) ?? entries.map(() => '');
  }

  /** Returns an answer and its origin. `undefined` if the results no longer exist. */
  async read(file: OpenRequestFile, entry: ResultEntry): Promise<ReadAnswer | undefined> {
    const shown = this.of(file)?.shown;
    if (shown === undefined) {
      return undefined;
    }
    const line = await this.tryReading(file, answers => answers.read(entry));
    return line === undefined ? undefined : { parts: toAnswerParts(line), origin: this.originOf(file, shown, entry.customId) };
  }

  private originOf(file: OpenRequestFile, { runs, results }: ShownResults, id: string): AnswerOrigin {
    const history = this.of(file)?.historyOf(id) ?? [];
    const merged = history.find(({ isMerged }) => isMerged)?.generation;
    const run = runs[merged ?? runs.length - 1];
    return {
      connection: run?.connection ?? '',
      batchIds: (run?.submissions ?? []).flatMap(({ batchId }) => batchId ?? []),
      joinedName: path.basename(results.filePath),
      history,
    };
  }

  /** Calls `read`. Hides the results if their joined file was replaced or deleted, until results are fetched again. */
  private async tryReading<T>(file: OpenRequestFile, read: (answers: FileAnswers) => Promise<T>): Promise<T | undefined> {
    const answers = this.of(file);
    const shown = answers?.shown;
    try {
      return answers && (await read(answers));
    } catch (error) {
      if (answers?.shown === shown) {
        answers?.forget();
        this.warn(file, error);
        this.changed.fire(file);
      }
      return undefined;
    }
  }

  private warn(file: OpenRequestFile, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.log.warn(`The results of ${keyOf(file)} cannot be shown beside their requests: ${reason}`);
  }

  private open(file: OpenRequestFile): void {
    const { document, requests } = file;
    const answers = new FileAnswers(document, () => requests.checker, this.files);
    const subscription = requests.onDidChangeLines(changes => answers.change(changes));
    this.entries.set(file, { answers, subscription, loading: Promise.resolve() });
    void this.load(file);
  }

  private close(file: OpenRequestFile): void {
    this.entries.get(file)?.subscription.dispose();
    this.entries.delete(file);
  }

  private loadSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      for (const file of this.entries.keys()) {
        void this.load(file);
      }
    }, registryDelay);
  }

  /** Runs one load of a file at a time. The next load includes submissions that are saved meanwhile. */
  private load(file: OpenRequestFile): Promise<void> {
    const entry = this.entries.get(file);
    if (entry === undefined) {
      return Promise.resolve();
    }
    entry.loading = entry.loading.then(() => this.loadNewest(file, entry));
    return entry.loading;
  }

  private async loadNewest(file: OpenRequestFile, { answers }: Entry): Promise<void> {
    const before = answers.versions;
    let isNew: boolean;
    try {
      const all = this.registry.all();
      const source = keyOf(file);
      isNew = await answers.update(answerRunsOf(all, source, this.chosenRuns.runOf(all, source)));
    } catch (error) {
      isNew = true;
      this.warn(file, error);
    }
    if (isNew && this.entries.has(file)) {
      this.changed.fire(file);
    }
    if ([...answers.versions].some(version => !before.has(version))) {
      await this.vouch(file);
    }
  }

  /** Checks whether the document has exactly the bytes of a submission. If it does, tracks later edits. */
  private async vouch(file: OpenRequestFile): Promise<void> {
    const answers = this.of(file);
    if (answers === undefined || answers.versions.size === 0) {
      return;
    }
    const { document } = file;
    const { version, isDirty } = document;
    try {
      const sha256 = await hash(document);
      const isSame = document.version === version && document.isDirty === isDirty;
      if (isSame && answers.versions.has(sha256) && this.entries.has(file)) {
        answers.vouch(sha256);
        this.changed.fire(file);
        await this.keepHashes(answers, sha256);
      }
    } catch (error) {
      this.log.debug(`Could not compare ${keyOf(file)} with what was submitted: ${String(error)}`);
    }
  }

  /** Stores the hashes of the requests while the file still has the bytes that were sent. */
  private async keepHashes({ shown, pendingSubmissions }: FileAnswers, sha256: string): Promise<void> {
    const submissions = [...(shown?.runs ?? []).flatMap(run => run.submissions), ...pendingSubmissions];
    for (const submission of submissions.filter(other => other.sha256 === sha256)) {
      await this.files.keepHashes(submission);
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
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

function hash(document: vscode.TextDocument): Promise<string> {
  const isOnDisk = document.uri.scheme === 'file' && !document.isDirty;
  return hashOf(isOnDisk ? createReadStream(document.uri.fsPath) : readDocument(document, 'edited meanwhile'));
}
