import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { Emitter } from '../../../common/emitter';
import type { Log } from '../../../common/log';
import { describeError } from '../../../common/text/describeError';
import type { KnownValues } from '../../../jsonl/querying/completeQuery';
import type { ResultsSurvey } from '../../../jsonl/querying/surveyResults';
import type { ResultEntry } from '../../../jsonl/results/resultsReport';
import type { ResultPair, ResultsHead } from '../../../shared/results/resultsProtocol';
import type { ResultsTable } from './resultsTable';

/** Table of one panel. Reloads when its file has changed. */
export abstract class OpenTable implements vscode.Disposable {
  protected readonly changed = new Emitter<void>();
  /** Fires when the rows or the facts about them change. */
  readonly onDidChange = this.changed.event;
  /** The table, or `undefined` while there is nothing to show. */
  table: ResultsTable | undefined;
  protected readonly lifetime = new AbortController();
  private loading: Promise<void> = Promise.resolve();

  constructor(private readonly log: Pick<Log, 'warn'>) {}

  /** Resolves after the first load. */
  abstract readonly opened: Promise<void>;
  abstract get values(): KnownValues;

  /** Returns the current header of the table and title of its panel. */
  abstract describe(): { readonly head: ResultsHead; readonly title: string };

  /** Reloads the table if its file has changed. Called with the `error` of a failed read, or when the panel is shown again. */
  abstract check(error?: unknown): Promise<void>;

  /** Returns a request and its answer or problems for display. */
  abstract pair(entry: ResultEntry, signal: AbortSignal): Promise<ResultPair>;

  protected abstract hasChanged(): Promise<boolean>;
  protected abstract load(): Promise<void>;
  protected abstract whyNoTable(): string;
  protected abstract discard(): Promise<void>;

  async survey(query: string, signal: AbortSignal): Promise<ResultsSurvey> {
    return await this.demandTable().survey(query, { signal });
  }

  async line(entry: ResultEntry): Promise<string> {
    return await this.demandTable().index.read(entry);
  }

  dispose(): void {
    this.lifetime.abort();
    this.changed.dispose();
    // A load in progress may still write files.
    this.loading
      .then(() => this.discard())
      .catch(error => this.log.warn(`The index of a file could not be deleted: ${describeError(error)}`));
  }

  protected demandTable(): ResultsTable {
    if (this.table === undefined) {
      throw new Error(this.whyNoTable());
    }
    return this.table;
  }

  protected loadFirst(): Promise<void> {
    const opened = this.load();
    this.loading = opened.catch(() => undefined);
    return opened;
  }

  /** Reloads the table if its file has changed or `isOther` is set. Loads run one at a time. */
  protected async reload(isOther = false): Promise<void> {
    this.loading = this.loading
      .then(async () => {
        if (!this.lifetime.signal.aborted && (isOther || (await this.hasChanged()))) {
          await this.load();
          this.changed.fire();
        }
      })
      .catch(error => this.log.warn(`A table could not be read again: ${describeError(error)}`));
    await this.loading;
  }
}

/** Returns the folder for the derived files of a table while it is shown. */
export function tableFolder(storage: string, name: string): string {
  return join(storage, 'tables', createHash('sha256').update(name).digest('hex').slice(0, 32));
}
