import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { Emitter } from '../../../common/emitter';
import type { Log } from '../../../common/log';
import { describeError } from '../../../common/text/describeError';
import { type FileStamp, stampIfReadable } from '../../../jsonl/files/publishing';
import type { JobOptions, JsonlJobs } from '../../../jsonl/jobs/jobs';
import type { KnownValues } from '../../../jsonl/querying/completeQuery';
import { parseQuery } from '../../../jsonl/querying/parseQuery';
import type { KnownColumns } from '../../../jsonl/querying/queryResults';
import { columnsIn } from '../../../jsonl/querying/rowMatcher';
import type { FieldsSurvey } from '../../../jsonl/querying/surveyFields';
import type { ResultsSurvey } from '../../../jsonl/querying/surveyResults';
import { type BesideFiles, isValueColumn, type ValueColumn, type ValueColumnName } from '../../../jsonl/querying/valueColumns';
import type { JoinedResults } from '../../../jsonl/results/joinedResults';
import { ResultsIndex } from '../../../jsonl/results/resultsIndex';
import type { TableSubject } from '../../../jsonl/results/resultsIndexFile';
import type { ResultEntry } from '../../../jsonl/results/resultsReport';
import type { ResultStatus } from '../../../shared/results/resultStatus';
import type { PositionRange, RequestMark, ResultOrder, ResultPair, ResultRow, ResultsHead } from '../../../shared/results/resultsProtocol';
import { toLabel } from '../../../shared/text';

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

/** Cache of the columns of a joined file that are not in its index. Columns are read on first use. */
export class ColumnCache {
  private readonly read: Map<ValueColumnName, ValueColumn>;
  /** Stamps of the expectations and of the extra fields with which the columns were read. */
  private stamp: FileStamp;
  private fieldsStamp: FileStamp;
  private reading: Promise<void> = Promise.resolve();

  constructor(
    private readonly joined: JoinedResults,
    /** Paths of expectations and extra fields, if any. */
    readonly beside: BesideFiles,
    private readonly jobs: Pick<JsonlJobs, 'run'>,
    /** Columns that are already available. */
    known: readonly ValueColumn[] = [],
  ) {
    this.read = new Map(known.map(column => [column.name, column]));
  }

  get(name: ValueColumnName): ValueColumn | undefined {
    return this.read.get(name);
  }

  /** Returns whether there are expectations. Drops columns that were read with other expectations or extra fields. */
  async hasExpectations(): Promise<boolean> {
    await this.forgetJudged();
    return this.stamp !== undefined;
  }

  /** Returns the columns for a query. Reads missing columns with the current expectations and extra fields. */
  async need(names: readonly ValueColumnName[], options: JobOptions): Promise<KnownColumns> {
    if (names.length === 0) {
      return {};
    }
    const reading = this.reading.then(() => this.readMissing(names, options));
    this.reading = reading.catch(() => undefined);
    await reading;
    const { expectationsPath, fieldsPath } = this.beside;
    return {
      columns: names.flatMap(name => this.read.get(name) ?? []),
      ...(expectationsPath !== undefined && this.stamp !== undefined && { expectationsPath }),
      ...(fieldsPath !== undefined && { fieldsPath }),
    };
  }

  private async forgetJudged(): Promise<void> {
    const stamp = await stampIfReadable(this.beside.expectationsPath);
    if (stamp !== this.stamp) {
      this.read.delete('test');
      this.stamp = stamp;
    }
    const fieldsStamp = await stampIfReadable(this.beside.fieldsPath);
    if (fieldsStamp !== this.fieldsStamp) {
      for (const name of [...this.read.keys()].filter(known => known.startsWith('fields.'))) {
        this.read.delete(name);
      }
      this.fieldsStamp = fieldsStamp;
    }
  }

  private async readMissing(names: readonly ValueColumnName[], options: JobOptions): Promise<void> {
    options.signal?.throwIfAborted();
    await this.forgetJudged();
    const missing = [...new Set(names)].filter(name => !this.read.has(name));
    if (missing.length > 0) {
      const source = { ...this.joined, names: missing, ...this.beside };
      for (const column of await this.jobs.run('readColumns', source, options)) {
        this.read.set(column.name, column);
      }
    }
  }
}

interface TokenSums {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Filtered and sorted rows of the joined file. */
export interface Arrangement extends TokenSums {
  /** `undefined` for all rows in file order. */
  readonly rows: Uint32Array | undefined;
  readonly count: number;
  readonly query: string;
}

/** Table of fetched results or requests with any number of rows. Rows are read on demand. */
export class ResultsTable {
  readonly knownReasons = new Set<string>();

  private constructor(
    readonly index: ResultsIndex,
    readonly joined: JoinedResults,
    readonly columns: ColumnCache,
    private readonly sums: TokenSums,
    private readonly jobs: Pick<JsonlJobs, 'run'>,
  ) {}

  /** Opens a table with the token sums of all rows. Throws an `IndexMismatchError`, or a file system error if a file is missing. */
  static async open(
    joined: JoinedResults,
    { inputTokens, outputTokens }: TokenSums,
    jobs: Pick<JsonlJobs, 'run'>,
    beside: BesideFiles = {},
    known: readonly ValueColumn[] = [],
  ): Promise<ResultsTable> {
    const index = await ResultsIndex.open(joined.indexPath, joined.joinedPath);
    return new ResultsTable(index, joined, new ColumnCache(joined, beside, jobs, known), { inputTokens, outputTokens }, jobs);
  }

  get subject(): TableSubject {
    return this.index.subject;
  }

  get size(): number {
    return this.index.size;
  }

  /** Returns the rows that match a query, in order. Throws a `QueryError` if the query is invalid. */
  async arrange(query: string, order: ResultOrder | undefined, options: JobOptions): Promise<Arrangement> {
    if (query.trim() === '' && order === undefined) {
      return { rows: undefined, count: this.size, ...this.sums, query: '' };
    }
    const sorted = order !== undefined && isValueColumn(order.by) ? [order.by] : [];
    const known = await this.columns.need([...columnsIn(parseQuery(query, this.subject), this.subject), ...sorted], options);
    const source = { ...this.joined, ...known, query, ...(order && { sort: order }) };
    const { rows, inputTokens, outputTokens } = await this.jobs.run('queryResults', source, options);
    return { rows, count: rows.length, inputTokens, outputTokens, query };
  }

  entryAt({ rows, count }: Arrangement, position: number): ResultEntry | undefined {
    return position < 0 || position >= count
      ? undefined
      : this.index.entryOfRow(rows === undefined ? position : (rows[position] as number));
  }

  /** Returns the position of the request with an id, or with a key if ids may be repeated. `undefined` if no row has the id or key. */
  positionOf({ rows }: Arrangement, key: string): number | undefined {
    const row = (
      this.subject === 'requests' ? this.index.entryOfLine(Number(/^line (\d+)$/.exec(key)?.[1] ?? -1)) : this.index.entryOfId(key)
    )?.row;
    const position = row === undefined || rows === undefined ? row : rows.indexOf(row);
    return position === undefined || position < 0 ? undefined : position;
  }

  async fields(options: JobOptions): Promise<FieldsSurvey> {
    const { fieldsPath } = this.columns.beside;
    return await this.jobs.run('surveyFields', { ...this.joined, ...(fieldsPath !== undefined && { fieldsPath }) }, options);
  }

  async survey(query: string, options: JobOptions): Promise<ResultsSurvey> {
    const names: readonly ValueColumnName[] =
      this.subject === 'requests'
        ? ['model', 'problem', 'severity']
        : (await this.columns.hasExpectations())
          ? ['model', 'test']
          : ['model'];
    const known = await this.columns.need([...names, ...columnsIn(parseQuery(query, this.subject), this.subject)], options);
    return await this.jobs.run('surveyResults', { ...this.joined, ...known, ...(query.trim() !== '' && { query }) }, options);
  }

  /** Returns rows for display, starting at a position. A row has the values of requested columns that were already read. */
  async rows(arrangement: Arrangement, from: number, count: number, names: readonly ValueColumnName[] = []): Promise<readonly ResultRow[]> {
    const entries = this.entries(arrangement, [[from, from + count]]);
    const previews = await this.index.previews(entries);
    for (const { stopReason } of entries) {
      if (stopReason !== undefined) {
        this.knownReasons.add(stopReason);
      }
    }
    const columns = names.flatMap(name => this.columns.get(name) ?? []);
    return entries.map((entry, at) => ({
      ...(this.subject === 'requests' ? toRequestRow(entry, previews[at] ?? '') : toRow(entry, previews[at] ?? '')),
      ...(columns.length > 0 && {
        values: Object.fromEntries(columns.map(({ name, values, of }) => [name, toLabel(values[of[entry.row] as number] ?? '', 200)])),
      }),
    }));
  }

  /** Returns the entries at these positions. Positions beyond the end are ignored. */
  entries(arrangement: Arrangement, ranges: readonly PositionRange[]): readonly ResultEntry[] {
    return ranges.flatMap(([from, to]) => {
      const length = Math.max(0, Math.min(to, arrangement.count) - from);
      return Array.from({ length }, (_, at) => this.entryAt(arrangement, from + at)).filter(entry => entry !== undefined);
    });
  }

  /** Returns the rows of the joined file at these positions, in shared memory. */
  rowsOf({ rows, count }: Arrangement, ranges: readonly PositionRange[]): Uint32Array {
    const within = ranges.map(([from, to]) => [Math.min(from, count), Math.min(to, count)] as const).filter(([from, to]) => from < to);
    const size = within.reduce((sum, [from, to]) => sum + to - from, 0);
    const chosen = new Uint32Array(new SharedArrayBuffer(size * 4));
    let at = 0;
    for (const [from, to] of within) {
      for (let position = from; position < to; position++) {
        chosen[at++] = rows === undefined ? position : (rows[position] as number);
      }
    }
    return chosen;
  }
}

/** Returns the table row of an entry. */
export function toRow(entry: ResultEntry, preview: string): ResultRow & { readonly mark: ResultStatus } {
  return {
    id: toLabel(entry.customId, 200),
    ...(entry.line >= 0 && { line: entry.line + 1 }),
    mark: entry.status,
    reason: toLabel(entry.stopReason ?? entry.errorType ?? '', 80),
    inputTokens: entry.inputTokens,
    outputTokens: entry.outputTokens,
    words: toLabel(preview, 200),
  };
}

/** Returns the table row of a request that has not been sent. */
export function toRequestRow(entry: ResultEntry, preview: string): ResultRow {
  // An index of requests stores the highest severity of a request's problems as its stop reason.
  const { stopReason = 'hint' } = entry;
  const mark: RequestMark = stopReason === 'hint' ? 'fine' : stopReason === 'error' ? 'faulty' : 'doubtful';
  return { ...toRow(entry, preview), key: keyOf(entry), mark, reason: '' };
}

/** Returns the key of a request. Its id may not be unique. */
export function keyOf({ line }: ResultEntry): string {
  return `line ${line}`;
}
