import type { MessageBatch } from '../../../client/schemas/messageBatches';
import { PageGuard } from '../../../client/transport/pagination';
import type { MessageBatches } from '../../../client/serviceClient';
import type { Submission, SubmissionRegistry } from '../../ledger';
import { totalOf } from '../batchPresentation';

/** Result of searching the service's list for a submission with an unknown outcome. */
export interface Reconciliation {
  /** Possible batches, newest first: created around that time, with an equal or unknown request count, and not of another submission. */
  readonly candidates: readonly MessageBatch[];
  /** True if none was created around the time of the submission, so that these are up to a day off. */
  readonly atAnotherTime: boolean;
  /** False if the list was too long, circular or incomplete before it reached the time of the submission. */
  readonly reachedBack: boolean;
  readonly batchCount: number;
  /** Creation time of the oldest listed batch. */
  readonly backTo: string | undefined;
}

/** Result for a list that could not be read. */
export const nothingListed: Reconciliation = { candidates: [], atAnotherTime: false, reachedBack: false, batchCount: 0, backTo: undefined };

const hour = 60 * 60 * 1000;
/** Tolerated difference between the service's clock and this machine's, in milliseconds. */
const clockTolerance = hour;
/** Largest clock difference that is ignored, in milliseconds. */
const usualDifference = 5 * 60 * 1000;
/** Maximum error of a wrong clock, in its date or time zone, in milliseconds. */
const wrongClock = 25 * hour;
/** Maximum duration of an upload in milliseconds, on a slow connection. A batch is created when its upload ends. */
const longestUpload = 24 * hour;
const pageSize = 100;
const maxPages = 50;

/**
 * Searches the service's batches, newest first, for those that a submission may have created. Only reads. A batch with a missing or invalid
 * creation time always qualifies. With `evenWrongClock`, batches up to a day off are considered if there are none around that time.
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
  const around = createdBetween(submission, correction, clockTolerance);
  const wideSpan = options.evenWrongClock === true ? createdBetween(submission, correction, wrongClock) : around;
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
      // No batch is empty. A total of 0 means that the list has no counts.
      const canBe = (total === submission.requestCount || total === 0) && !owned.has(batch.id);
      if (canBe && isBetween(batch, around)) {
        near.push(batch);
      } else if (canBe && isBetween(batch, wideSpan)) {
        far.push(batch);
      }
    }
    const isOlderThan = (time: number) => fresh.length > 0 && fresh.every(batch => Date.parse(batch.created_at ?? '') < time);
    // The following pages are older only if the service lists by age.
    reachedBack ||= list.isAtEnd || (list.isByAge && isOlderThan(around.from));
    if (list.isAtEnd || list.isCut || isOlderThan(wideSpan.from)) {
      break;
    }
  }
  const atAnotherTime = near.length === 0 && far.length > 0;
  const candidates = atAnotherTime ? far : near;
  return { candidates, atAnotherTime, reachedBack: reachedBack && list.isWhole, batchCount: list.size, backTo: list.oldest };
}

/** Returns how far the service's clock is ahead in milliseconds, by the latest create with a response. `undefined` if there was none. */
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

/** Returns the time span of the batch's creation by the service's clock, plus or minus `tolerance`. */
function createdBetween({ startedAt, steps }: Submission, ahead: number, tolerance: number): Span {
  const started = Date.parse(startedAt) + ahead;
  const handedOut = Date.parse(steps?.find(({ what }) => what === 'handed_out')?.at ?? '') + ahead;
  return { from: started - tolerance, to: (Number.isNaN(handedOut) ? started + longestUpload : handedOut) + tolerance };
}

function isBetween({ created_at }: MessageBatch, { from, to }: Span): boolean {
  const created = Date.parse(created_at ?? '');
  return Number.isNaN(created) || (created >= from && created <= to);
}

/** List of the service, read page by page. Returns each batch once. */
class BatchList {
  private readonly guard = new PageGuard<MessageBatch>();
  private cursor: string | undefined;
  private oldestTime = Number.POSITIVE_INFINITY;
  private lastTime = Number.POSITIVE_INFINITY;
  size = 0;
  /** False once a batch is newer than the one before it. */
  isByAge = true;
  isAtEnd = false;
  /** False once a page had an unreadable row, which could be any batch. */
  isWhole = true;
  /** True once a page repeated only earlier batches, or did not lead to the next page. */
  isCut = false;

  constructor(private readonly batches: Pick<MessageBatches, 'list'>) {}

  get oldest(): string | undefined {
    return Number.isFinite(this.oldestTime) ? new Date(this.oldestTime).toISOString() : undefined;
  }

  async next(signal: AbortSignal | undefined): Promise<readonly MessageBatch[]> {
    const page = await this.batches.list({ limit: pageSize, cursor: this.cursor, signal });
    const { items: fresh, nextCursor, cut } = this.guard.accept(page);
    for (const { created_at } of fresh) {
      const created = Date.parse(created_at ?? '');
      this.isByAge &&= created <= this.lastTime;
      this.lastTime = created;
      this.oldestTime = created < this.oldestTime ? created : this.oldestTime;
    }
    this.size += fresh.length;
    this.isWhole &&= page.unreadable === undefined;
    this.isCut = cut !== undefined || (page.items.length > 0 && fresh.length === 0);
    this.isAtEnd = nextCursor === undefined && !this.isCut;
    this.cursor = nextCursor;
    return fresh;
  }
}
