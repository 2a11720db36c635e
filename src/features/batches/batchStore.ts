import type { Event } from 'vscode';
import type { MessageBatch } from '../../client/schemas/messageBatches';
import type { Page } from '../../client/transport/answer';
import { Emitter } from '../../common/emitter';
import { PagedList } from '../../common/lists/pagedList';
import { describeError } from '../../common/text/describeError';
import type { ContextKeys } from '../../contributions';
import { type Run, type Submission, type SubmissionRegistry, toRuns } from '../ledger';
import { type GroupRow, toGroupRow } from './groups/groupRow';
import { standingOf } from './standing';

export type BatchesState = ContextKeys['managedAgents.batchesState'];

/** Batches asked for at a time. */
export const pageSize = 20;

type ListedRow = Extract<BatchRow, { readonly kind: 'batch' }>;
type ListedGroup = Extract<BatchRow, { readonly kind: 'group' }>;

/** One row of the view. `standing` are words of what the run of a batch can do as one of several. */
export type BatchRow =
  | {
      readonly kind: 'batch';
      readonly connection: string;
      readonly batch: MessageBatch;
      readonly submission: Submission | undefined;
      readonly standing: string;
    }
  | (GroupRow & { readonly standing: string })
  | { readonly kind: 'submission'; readonly submission: Submission }
  | { readonly kind: 'more'; readonly problem: string | undefined };

/**
 * The batches of one connection as far as they were listed, newest first, with what this machine submitted beside them.
 * A listing that fails leaves what was listed before.
 */
export class BatchStore {
  readonly list = new PagedList<MessageBatch>();
  private readonly changed = new Emitter<void>();
  private made: { readonly of: readonly unknown[]; readonly rows: readonly BatchRow[] } | undefined;
  /** Rows that were made before, of what they show: the same row is the same object. */
  private readonly ofBatches = new WeakMap<MessageBatch, ListedRow>();
  private readonly ofRuns = new WeakMap<Run, ListedGroup>();
  private readonly ofSubmissions = new WeakMap<Submission, BatchRow>();

  /** Fires when rows or state changed. */
  readonly onDidChange: Event<void> = this.changed.event;

  constructor(private readonly registry: Pick<SubmissionRegistry, 'all' | 'findByBatch'>) {
    this.list.onDidChange(() => this.changed.fire());
  }

  /** The connection whose batches these are. */
  get connectionName(): string | undefined {
    return this.list.scope;
  }

  /** How the last listing went; `filled` whenever there is something to show. */
  get state(): BatchesState {
    return this.rows().length > 0 ? 'filled' : this.list.state;
  }

  /** Whether the service has no batches to list, whatever was submitted from this machine. */
  get isUnsupported(): boolean {
    return this.list.state === 'unsupported';
  }

  /** Why the last listing failed, if it did. */
  get problem(): unknown {
    return this.list.problem;
  }

  /** Forgets everything and starts over for a connection; undefined for none. */
  reset(connection: string | undefined): void {
    this.list.reset(connection);
  }

  /**
   * What needs the user, is being sent or was not sent first, then the batches, then a row to load more when there is more. The parts of a group are
   * one row, where the newest of them is listed. What does not tell its connection, because its record is damaged, is at every one.
   * Made once of what they show.
   */
  rows(): readonly BatchRow[] {
    const { scope, items, hasMore, moreProblem } = this.list;
    const submissions = this.registry.all();
    const of = [scope, items, hasMore, moreProblem, submissions];
    if (this.made?.of.every((one, index) => one === of[index]) !== true) {
      this.made = { of, rows: scope === undefined ? [] : this.makeRows(scope, submissions) };
    }
    return this.made.rows;
  }

  private makeRows(connection: string, submissions: readonly Submission[]): readonly BatchRow[] {
    const runs = toRuns(submissions);
    const byBatch = new Map<string, readonly [run: Run, submission: Submission]>();
    const shown = new Set<Run>();
    const rows: BatchRow[] = [];
    const add = (run: Run) => {
      if (!shown.has(run)) {
        shown.add(run);
        rows.push(this.groupRow(run, standingOf(runs, run)));
      }
    };
    const sources = new Set<string>();
    for (const run of runs) {
      if (run.connection !== connection && run.connection !== '') {
        continue;
      }
      for (const submission of run.submissions) {
        if (submission.batchId !== undefined) {
          byBatch.set(submission.batchId, [run, submission]);
        }
      }
      // Until its file is sent again, or the user forgets it: what was not sent is otherwise told only once.
      const isNewest = !sources.has(run.source);
      sources.add(run.source);
      const open = run.submissions.filter(({ state }) => state === 'sending' || state === 'unknown');
      if (isNewest && run.submissions.every(({ state }) => state === 'failed')) {
        rows.push(this.submissionRow(run.lead));
      }
      if (run.parts > 1 && open.length > 0) {
        add(run);
      } else {
        rows.push(...open.map(submission => this.submissionRow(submission)));
      }
    }
    for (const batch of this.list.items) {
      const [run, submission] = byBatch.get(batch.id) ?? [];
      if (run !== undefined && run.parts > 1) {
        add(run);
      } else {
        rows.push(
          this.batchRow({ kind: 'batch', connection, batch, submission, standing: run === undefined ? '' : standingOf(runs, run) }),
        );
      }
    }
    const { moreProblem } = this.list;
    const problem = moreProblem === undefined ? undefined : describeError(moreProblem);
    return this.list.hasMore ? [...rows, { kind: 'more', problem }] : rows;
  }

  private batchRow(row: ListedRow): ListedRow {
    const before = this.ofBatches.get(row.batch);
    const isSame = before?.submission === row.submission && before?.standing === row.standing && before.connection === row.connection;
    const kept = isSame ? before : row;
    this.ofBatches.set(row.batch, kept);
    return kept;
  }

  private groupRow(run: Run, standing: string): ListedGroup {
    const row: ListedGroup = { ...toGroupRow(run, batchId => this.list.find(batchId)), standing };
    const before = this.ofRuns.get(run);
    const kept = before?.standing === standing && hasSameBatches(before, row) ? before : row;
    this.ofRuns.set(run, kept);
    return kept;
  }

  private submissionRow(submission: Submission): BatchRow {
    const row = this.ofSubmissions.get(submission) ?? { kind: 'submission', submission };
    this.ofSubmissions.set(submission, row);
    return row;
  }

  /** The group that is a run, listed or not; undefined when the run is a single batch or none. */
  group(runId: string): GroupRow | undefined {
    const run = toRuns(this.registry.all()).find(({ id, parts }) => id === runId && parts > 1);
    return run && toGroupRow(run, batchId => this.find(run.connection, batchId));
  }

  /** Whether the service was asked for them since this connection was chosen, and answered. */
  get isListed(): boolean {
    return this.list.isListed;
  }

  /** How many batches are listed. */
  get size(): number {
    return this.list.items.length;
  }

  /** A batch that is listed. */
  find(connection: string, batchId: string): MessageBatch | undefined {
    return connection === this.list.scope ? this.list.find(batchId) : undefined;
  }

  /** Ids of the batches of `connection` that are listed. */
  idsOf(connection: string): readonly string[] {
    return connection === this.list.scope ? this.list.items.map(({ id }) => id) : [];
  }

  /** Takes in a fresh first page of `connection`; ignored when the store has moved on to another. */
  acceptFirstPage(connection: string, page: Page<MessageBatch>): void {
    this.list.acceptFirstPage(connection, page);
  }

  /** Notes that the first page could not be listed. */
  acceptFailure(connection: string, error: unknown): void {
    this.list.acceptFailure(connection, error);
  }

  /** Lists the next page by `list` and appends it. */
  async loadMore(list: (cursor: string) => Promise<Page<MessageBatch>>): Promise<void> {
    await this.list.loadMore(list);
  }

  /** Puts in a batch as just seen: in its place when it is listed, on top when it is new. */
  put(connection: string, batch: MessageBatch): void {
    this.list.put(connection, batch);
  }

  /** Takes a batch out, because it is gone from the service. */
  remove(connection: string, batchId: string): void {
    this.list.remove(connection, batchId);
  }

  /** Tells the listeners that the registry behind the rows changed. */
  touch(): void {
    this.changed.fire();
  }
}

function hasSameBatches(one: GroupRow, other: GroupRow): boolean {
  const batchAt = ({ parts }: GroupRow, index: number) => {
    const part = parts[index];
    return part?.kind === 'batch' ? part.batch : undefined;
  };
  return one.parts.every((_, index) => batchAt(one, index) === batchAt(other, index));
}
