import type { MessageBatch } from '../../../client/schemas/messageBatches';
import type { MessageBatches } from '../../../client/serviceClient';
import type { Submission, SubmissionRegistry } from '../../ledger';
import { totalOf } from '../batchPresentation';

/** What the service's list says about a submission of which no verdict came back. */
export interface Reconciliation {
  /**
   * Batches that can be the submission's, newest first: created around its time, with as many requests if they are counted, and not known
   * to be another submission's.
   */
  readonly candidates: readonly MessageBatch[];
  /** True when they were made at another time, up to a day off, and none was made around then. */
  readonly atAnotherTime: boolean;
  /** False if the list was too long, circular or incomplete before it reached the time of the submission. */
  readonly reachedBack: boolean;
  /** Batches that were read. */
  readonly lookedAt: number;
  /** Creation time of the oldest of them. */
  readonly backTo: string | undefined;
}

/** Result for a list that could not be read. */
export const nothingListed: Reconciliation = { candidates: [], atAnotherTime: false, reachedBack: false, lookedAt: 0, backTo: undefined };

const hour = 60 * 60 * 1000;
/** How far the service's clock and this machine's may differ, in milliseconds, without being wrong. */
const clockTolerance = hour;
/** Differences that are not corrected, in milliseconds. */
const usualDifference = 5 * 60 * 1000;
/** How far a clock can be off that is wrong: by its day, or by its time zone. */
const wrongClock = 25 * hour;
/** A batch is created when its upload ends; a slow one of the largest size takes hours. */
const longestUpload = 24 * hour;
const pageSize = 100;
const maxPages = 50;

/**
 * Looks through the service's batches, newest first, for those a submission can have made. Only reads. A batch whose
 * creation time is missing or unreadable counts as made around then. With `evenWrongClock`, batches of a day around are
 * looked at when there is none of then.
 */
export async function reconcile(
  batches: Pick<MessageBatches, 'list'>,
  registry: Pick<SubmissionRegistry, 'all' | 'reload'>,
  submission: Submission,
  options: { readonly signal?: AbortSignal; readonly evenWrongClock?: boolean } = {},
): Promise<Reconciliation> {
  await registry.reload();
  const ahead = clockAhead(registry.all(), submission.origin) ?? 0;
  const correction = Math.abs(ahead) > usualDifference ? ahead : 0;
  const around = madeBetween(submission, correction, clockTolerance);
  const widely = options.evenWrongClock === true ? madeBetween(submission, correction, wrongClock) : around;
  const others = registry.all().filter(other => other.id !== submission.id);
  const owned = new Set(others.flatMap(({ batchId }) => batchId ?? []));
  const near: MessageBatch[] = [];
  const far: MessageBatch[] = [];
  const list = new BatchList(batches);
  let reachedBack = false;
  for (let page = 0; page < maxPages; page++) {
    const fresh = await list.next(options.signal);
    for (const batch of fresh) {
      const total = totalOf(batch.request_counts);
      // No batch is empty: a total of 0 means that the list has no counts.
      const canBe = (total === submission.requestCount || total === 0) && !owned.has(batch.id);
      if (canBe && isBetween(batch, around)) {
        near.push(batch);
      } else if (canBe && isBetween(batch, widely)) {
        far.push(batch);
      }
    }
    const isOlderThan = (time: number) => fresh.length > 0 && fresh.every(batch => Date.parse(batch.created_at ?? '') < time);
    // That a page is older says something of those behind it only where the service lists by age.
    reachedBack ||= list.isAtEnd || (list.isByAge && isOlderThan(around.from));
    if (list.isAtEnd || list.isCircular || isOlderThan(widely.from)) {
      break;
    }
  }
  const atAnotherTime = near.length === 0 && far.length > 0;
  const candidates = atAnotherTime ? far : near;
  return { candidates, atAnotherTime, reachedBack: reachedBack && list.isWhole, lookedAt: list.size, backTo: list.oldest };
}

/** Returns how far the service's clock is ahead, in milliseconds, by the latest answered create. `undefined` if there was none. */
export function clockAhead(submissions: readonly Submission[], origin: string): number | undefined {
  return submissions
    .filter(submission => submission.origin === origin)
    .map(({ steps, batch }) => Date.parse(batch?.created_at ?? '') - Date.parse(steps?.find(({ what }) => what === 'created')?.at ?? ''))
    .find(ahead => !Number.isNaN(ahead));
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** When the batch of a submission was made, by the service's clock, give or take `tolerance`. */
function madeBetween({ startedAt, steps }: Submission, ahead: number, tolerance: number): Span {
  const started = Date.parse(startedAt) + ahead;
  const handedOut = Date.parse(steps?.find(({ what }) => what === 'handed_out')?.at ?? '') + ahead;
  return { from: started - tolerance, to: (Number.isNaN(handedOut) ? started + longestUpload : handedOut) + tolerance };
}

function isBetween({ created_at }: MessageBatch, { from, to }: Span): boolean {
  const created = Date.parse(created_at ?? '');
  return Number.isNaN(created) || (created >= from && created <= to);
}

/** The service's list, page by page, each batch once. */
class BatchList {
  private readonly seen = new Set<string>();
  private readonly cursors = new Set<string>();
  private cursor: string | undefined;
  private oldestTime = Number.POSITIVE_INFINITY;
  private lastTime = Number.POSITIVE_INFINITY;
  /** Whether each batch so far was made no later than the one before it. */
  isByAge = true;
  isAtEnd = false;
  /** False once a page had an unreadable row, which can be any batch. */
  isWhole = true;
  /** True once a page had nothing new, repeated a cursor, or did not lead to the next one. */
  isCircular = false;

  constructor(private readonly batches: Pick<MessageBatches, 'list'>) {}

  get size(): number {
    return this.seen.size;
  }

  get oldest(): string | undefined {
    return Number.isFinite(this.oldestTime) ? new Date(this.oldestTime).toISOString() : undefined;
  }

  async next(signal: AbortSignal | undefined): Promise<readonly MessageBatch[]> {
    const { items, nextCursor, isCut, unreadable } = await this.batches.list({ limit: pageSize, cursor: this.cursor, signal });
    const fresh = items.filter(({ id }) => !this.seen.has(id));
    for (const { id, created_at } of fresh) {
      this.seen.add(id);
      const created = Date.parse(created_at ?? '');
      this.isByAge &&= created <= this.lastTime;
      this.lastTime = created;
      this.oldestTime = created < this.oldestTime ? created : this.oldestTime;
    }
    // A page of nothing but known batches is no end: what stands behind them could not be read.
    const isRepeated = items.length > 0 && fresh.length === 0;
    this.isAtEnd = nextCursor === undefined && isCut !== true && !isRepeated;
    this.isWhole &&= unreadable === undefined;
    // An empty page that promises more is not the end of the list, and neither is a page that does not lead to the next one.
    this.isCircular = isRepeated || isCut === true || (nextCursor !== undefined && (items.length === 0 || this.cursors.has(nextCursor)));
    this.cursors.add(nextCursor ?? '');
    this.cursor = nextCursor;
    return fresh;
  }
}
