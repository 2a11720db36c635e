import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { combine } from '../../common/disposables';
import type { Log } from '../../common/log';
import { readSetting } from '../../common/settings';
import type { ResultsIndex } from '../../jsonl/resultsIndex';
import type { ResultEntry } from '../../jsonl/resultsReport';
import type { Submission } from '../batches/ledger/submission';
import type { SubmissionRegistry } from '../batches/ledger/submissionRegistry';
import { findAnswer } from './answerPlaces';
import { type AnswerOrigin, toAnswerText } from './answerPresentation';
import { readDocument } from './documentSnapshot';
import { UntouchedLines } from './lineChanges';
import type { OpenRequestFile, RequestDocuments } from './requestDocuments';

/** Fetched results of one open request file. */
interface LoadedAnswers {
  readonly submission: Submission;
  readonly index: ResultsIndex;
  /** Which lines still are what was submitted; undefined when that is not known. */
  untouched: UntouchedLines | undefined;
}

/** The newest fetched results of every open request file, and which of them belongs to which line as the document stands. */
export class DocumentAnswers implements vscode.Disposable {
  private readonly loaded = new Map<string, LoadedAnswers>();
  private readonly loading = new Map<string, Promise<void>>();
  private readonly changed = new vscode.EventEmitter<OpenRequestFile>();
  private readonly lineSubscriptions = new Map<string, vscode.Disposable>();
  private readonly subscriptions: vscode.Disposable;
  /** The results of a file, or the lines they belong to, are others than before. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly documents: RequestDocuments,
    private readonly registry: SubmissionRegistry,
    private readonly log: Log,
  ) {
    this.subscriptions = combine(
      documents.onDidOpen(file => this.open(file)),
      documents.onDidClose(file => this.close(file)),
      registry.onDidChange(submission => {
        const file = documents.get(vscode.Uri.parse(submission.source));
        if (file !== undefined) {
          void this.load(file);
        }
      }),
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

  /** The submission whose results are shown at this file. */
  submissionOf(file: OpenRequestFile): Submission | undefined {
    return this.loaded.get(keyOf(file))?.submission;
  }

  /** The result of the request in a line, as the document stands now. */
  entryAt(file: OpenRequestFile, line: number): ResultEntry | undefined {
    const answers = this.loaded.get(keyOf(file));
    const { checker } = file.requests;
    return answers === undefined || checker === undefined
      ? undefined
      : findAnswer(
          line,
          { idOfLine: at => checker.lineInfo(at)?.customId, lineOfId: id => checker.lineOfId(id) },
          answers.index,
          answers.untouched,
        );
  }

  /** The same, as far as the user wants to see answers. */
  shownAt(file: OpenRequestFile, line: number): ResultEntry | undefined {
    return readSetting('managedAgents.editor.answers', file.document) ? this.entryAt(file, line) : undefined;
  }

  /** The first words of some entries of a file, by entry. */
  async previews(file: OpenRequestFile, entries: readonly ResultEntry[]): Promise<readonly string[]> {
    return (await this.tryReading(file, index => index.previews(entries))) ?? entries.map(() => '');
  }

  /** Every word of an answer and where it came from; undefined when the results are gone. */
  async read(file: OpenRequestFile, entry: ResultEntry): Promise<{ readonly text: string; readonly origin: AnswerOrigin } | undefined> {
    const submission = this.submissionOf(file);
    const line = await this.tryReading(file, index => index.read(entry));
    if (submission?.results === undefined || line === undefined) {
      return undefined;
    }
    const { connection, batchId, results } = submission;
    return { text: toAnswerText(line), origin: { connection, batchId: batchId ?? '', joinedName: path.basename(results.joinedPath) } };
  }

  /** A joined file that was replaced or removed shows nothing any more, until results are fetched again. */
  private async tryReading<T>(file: OpenRequestFile, read: (index: ResultsIndex) => Promise<T>): Promise<T | undefined> {
    const key = keyOf(file);
    const answers = this.loaded.get(key);
    try {
      return answers && (await read(answers.index));
    } catch (error) {
      if (this.loaded.get(key) === answers) {
        this.loaded.delete(key);
        this.warn(key, error);
        this.changed.fire(file);
      }
      return undefined;
    }
  }

  private warn(key: string, error: unknown): void {
    this.log.warn(`The results of ${key} cannot be shown beside their requests: ${error instanceof Error ? error.message : String(error)}`);
  }

  private open(file: OpenRequestFile): void {
    const key = keyOf(file);
    this.lineSubscriptions.set(
      key,
      file.requests.onDidChangeLines(changes => this.loaded.get(key)?.untouched?.change(changes)),
    );
    void this.load(file);
  }

  private close(file: OpenRequestFile): void {
    const key = keyOf(file);
    this.lineSubscriptions.get(key)?.dispose();
    this.lineSubscriptions.delete(key);
    this.loaded.delete(key);
  }

  /** One load of a file at a time; the next one sees what was saved meanwhile. */
  private load(file: OpenRequestFile): Promise<void> {
    const key = keyOf(file);
    const next = (this.loading.get(key) ?? Promise.resolve())
      .then(() => this.loadNewest(file))
      .finally(() => {
        if (this.loading.get(key) === next) {
          this.loading.delete(key);
        }
      });
    this.loading.set(key, next);
    return next;
  }

  private async loadNewest(file: OpenRequestFile): Promise<void> {
    const key = keyOf(file);
    const submission = this.registry.findBySource(key).find(candidate => candidate.results !== undefined);
    const current = this.loaded.get(key)?.submission;
    if (submission?.results === undefined) {
      if (current !== undefined) {
        this.loaded.delete(key);
        this.changed.fire(file);
      }
      return;
    }
    if (current?.id === submission.id && current.results?.fetchedAt === submission.results.fetchedAt) {
      return;
    }
    try {
      const { ResultsIndex } = await import('../../jsonl/resultsIndex');
      const index = await ResultsIndex.open(path.join(this.registry.folder(submission.id), 'results.index'), submission.results.joinedPath);
      if (this.documents.get(file.document) !== file) {
        return;
      }
      this.loaded.delete(key);
      this.loaded.set(key, { submission, index, untouched: undefined });
    } catch (error) {
      this.loaded.delete(key);
      this.warn(key, error);
    }
    this.changed.fire(file);
    await this.vouch(file);
  }

  /** Finds out whether the document is, to the byte, what was submitted; from then on its edits are followed. */
  private async vouch(file: OpenRequestFile): Promise<void> {
    const answers = this.loaded.get(keyOf(file));
    if (answers === undefined) {
      return;
    }
    const { document } = file;
    const { version } = document;
    try {
      const isSame = (await hash(document)) === answers.submission.sha256;
      if (isSame && document.version === version && this.loaded.get(keyOf(file)) === answers) {
        answers.untouched = new UntouchedLines(document.lineCount);
        this.changed.fire(file);
      }
    } catch (error) {
      this.log.debug(`Could not compare ${keyOf(file)} with what was submitted: ${String(error)}`);
    }
  }

  dispose(): void {
    this.subscriptions.dispose();
    for (const key of [...this.lineSubscriptions.keys()]) {
      this.lineSubscriptions.get(key)?.dispose();
      this.loaded.delete(key);
    }
    this.lineSubscriptions.clear();
    this.changed.dispose();
  }
}

function keyOf(file: OpenRequestFile): string {
  return file.document.uri.toString();
}

async function hash(document: vscode.TextDocument): Promise<string> {
  const digest = createHash('sha256');
  const pieces =
    document.uri.scheme === 'file' && !document.isDirty
      ? createReadStream(document.uri.fsPath)
      : readDocument(document, 'edited meanwhile');
  for await (const piece of pieces) {
    digest.update(piece as Uint8Array);
  }
  return digest.digest('hex');
}
