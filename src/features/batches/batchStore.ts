import type { Event } from 'vscode';
import type { Page } from '../../client/answer';
import { ServiceError } from '../../client/errors';
import type { MessageBatch } from '../../client/schemas/messageBatches';
import { Emitter } from '../../common/emitter';
import type { ContextKeys } from '../../contributions';
import type { Submission } from './submission';
import type { SubmissionRegistry } from './submissionRegistry';

export type BatchesState = ContextKeys['managedAgents.batchesState'];

/** One row of the view. */
export type BatchRow =
  | { readonly kind: 'batch'; readonly connection: string; readonly batch: MessageBatch; readonly submission: Submission | undefined }
  | { readonly kind: 'submission'; readonly submission: Submission }
  | { readonly kind: 'more'; readonly problem: string | undefined };

/**
 * The batches of one connection as far as they were listed, newest first, with what this machine submitted beside them.
 * A listing that fails leaves what was listed before.
 */
export class BatchStore {
  private connection: string | undefined;
  private batches: readonly MessageBatch[] = [];
  private nextCursor: string | undefined;
  private listingState: BatchesState = 'loading';
  private listingProblem: unknown;
  private moreProblem: unknown;
  private readonly changed = new Emitter<void>();

  /** Fires when rows or state changed. */
  readonly onDidChange: Event<void> = this.changed.event;

  constructor(private readonly registry: Pick<SubmissionRegistry, 'all' | 'findByBatch'>) {}

  /** The connection whose batches these are. */
  get connectionName(): string | undefined {
    return this.connection;
  }

  /** How the last listing went; `filled` whenever there is something to show. */
  get state(): BatchesState {
    return this.rows().length > 0 ? 'filled' : this.listingState;
  }

  /** Why the last listing failed, if it did. */
  get problem(): unknown {
    return this.listingProblem;
  }

  /** Forgets everything and starts over for a connection; undefined for none. */
  reset(connection: string | undefined): void {
    this.connection = connection;
    this.batches = [];
    this.nextCursor = undefined;
    this.listingState = 'loading';
    this.listingProblem = undefined;
    this.moreProblem = undefined;
    this.changed.fire();
  }

  /** Unresolved submissions first, then the batches, then a row to load more when there is more. */
  rows(): readonly BatchRow[] {
    const connection = this.connection;
    if (connection === undefined) {
      return [];
    }
    const unresolved = this.registry
      .all()
      .filter(({ state, connection: name }) => name === connection && (state === 'sending' || state === 'unknown'))
      .map(submission => ({ kind: 'submission', submission }) as const);
    const batches = this.batches.map(
      batch => ({ kind: 'batch', connection, batch, submission: this.registry.findByBatch(connection, batch.id) }) as const,
    );
    const problem = this.moreProblem === undefined ? undefined : describe(this.moreProblem);
    const more = this.nextCursor === undefined ? [] : [{ kind: 'more', problem } as const];
    return [...unresolved, ...batches, ...more];
  }

  /** How many batches are listed. */
  get size(): number {
    return this.batches.length;
  }

  /** A batch that is listed. */
  find(connection: string, batchId: string): MessageBatch | undefined {
    return connection === this.connection ? this.batches.find(({ id }) => id === batchId) : undefined;
  }

  /** Takes in a fresh first page of `connection`; ignored when the store has moved on to another. */
  acceptFirstPage(connection: string, page: Page<MessageBatch>): void {
    if (connection !== this.connection) {
      return;
    }
    const older = olderThan(page.items, this.batches);
    this.batches = [...page.items, ...older];
    if (older.length === 0) {
      this.nextCursor = page.nextCursor;
    }
    this.listingState = this.batches.length === 0 ? 'empty' : 'filled';
    this.listingProblem = undefined;
    this.changed.fire();
  }

  /** Notes that the first page could not be listed. */
  acceptFailure(connection: string, error: unknown): void {
    if (connection !== this.connection) {
      return;
    }
    this.listingState = toState(error);
    this.listingProblem = error;
    this.changed.fire();
  }

  /** Lists the next page by `list` and appends it. */
  async loadMore(list: (cursor: string) => Promise<Page<MessageBatch>>): Promise<void> {
    const { connection, nextCursor } = this;
    if (connection === undefined || nextCursor === undefined) {
      return;
    }
    try {
      const page = await list(nextCursor);
      if (connection !== this.connection || nextCursor !== this.nextCursor) {
        return;
      }
      const known = new Set(this.batches.map(({ id }) => id));
      this.batches = [...this.batches, ...page.items.filter(({ id }) => !known.has(id))];
      this.nextCursor = page.nextCursor === nextCursor ? undefined : page.nextCursor;
      this.moreProblem = undefined;
    } catch (error) {
      this.moreProblem = error;
    }
    this.changed.fire();
  }

  /** Puts in a batch as just seen: in its place when it is listed, on top when it is new. */
  put(connection: string, batch: MessageBatch): void {
    if (connection !== this.connection) {
      return;
    }
    const listed = this.batches.some(({ id }) => id === batch.id);
    this.batches = listed ? this.batches.map(old => (old.id === batch.id ? batch : old)) : [batch, ...this.batches];
    this.changed.fire();
  }

  /** Takes a batch out, because it is gone from the service. */
  remove(connection: string, batchId: string): void {
    if (connection === this.connection) {
      this.batches = this.batches.filter(({ id }) => id !== batchId);
      this.listingState = this.batches.length === 0 ? 'empty' : this.listingState;
      this.changed.fire();
    }
  }

  /** Tells the listeners that the registry behind the rows changed. */
  touch(): void {
    this.changed.fire();
  }
}

/** What was listed after the last of a fresh first page. What should have been on the page and is not was deleted meanwhile. */
function olderThan(page: readonly MessageBatch[], before: readonly MessageBatch[]): readonly MessageBatch[] {
  const last = page.at(-1);
  const place = before.findIndex(({ id }) => id === last?.id);
  const onPage = new Set(page.map(({ id }) => id));
  return place < 0 ? [] : before.slice(place + 1).filter(({ id }) => !onPage.has(id));
}

function toState(error: unknown): BatchesState {
  if (!(error instanceof ServiceError)) {
    return 'failed';
  }
  switch (error.kind) {
    case 'authentication':
    case 'permission':
      return 'unauthorized';
    case 'dns':
    case 'connection_refused':
    case 'connect_timeout':
    case 'first_byte_timeout':
    case 'silence_timeout':
    case 'call_timeout':
    case 'connection_lost':
    case 'tls':
    case 'proxy':
      return 'unreachable';
    default:
      return 'failed';
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
