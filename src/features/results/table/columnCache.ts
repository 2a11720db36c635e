import { type FileStamp, stampIfReadable } from '../../../jsonl/files/publishing';
import type { JobOptions, JsonlJobs } from '../../../jsonl/jobs/jobs';
import type { KnownColumns } from '../../../jsonl/querying/queryResults';
import type { BesideFiles, ValueColumn, ValueColumnName } from '../../../jsonl/querying/valueColumns';
import type { JoinedResults } from '../../../jsonl/results/joinedResults';

/** Cache of the columns of a joined file that are not in its index. Columns are read on first use. */
export class ColumnCache {
  private readonly read: Map<ValueColumnName, ValueColumn>;
  /** Stamp of the expectations and extra fields with which the columns were read. */
  private stamp: FileStamp;
  private fieldsStamp: FileStamp;
  private reading: Promise<void> = Promise.resolve();

  constructor(
    private readonly joined: JoinedResults,
    /** Paths of expectations and extra fields, if any. */
    private readonly beside: BesideFiles,
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

  /** Returns the columns for a query. Reads missing ones with the current expectations. */
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
