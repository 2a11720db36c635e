import { createReadStream } from 'node:fs';
import path from 'node:path';
import { isNotServed } from '../../../client/dialect';
import type { MessageBatch, MessageBatches } from '../../../client/resources/messageBatches';
import type { ServiceClient } from '../../../client/serviceClient';
import type { ByteStream } from '../../../client/transport/callResult';
import { ServiceError } from '../../../client/transport/errors';
import { PageGuard } from '../../../client/transport/pagination';
import { lineOfDerivedId } from '../../../jsonl/files/derivedIds';
import { ResultLineScanner } from '../../../jsonl/results/resultLineScanner';
import { decodeString, LF, TAB } from '../../../jsonl/scanning/jsonBytes';
import { defined } from '../../../shared/defined';
import { type Candidate, type Search, type Submission, type SubmissionRegistry, submissionFiles } from '../../ledger';
import { totalOf } from '../batchPresentation';
import { openCandidates } from './searchSchedule';

type Registry = Pick<SubmissionRegistry, 'all' | 'find' | 'findByBatch' | 'reload' | 'updateIf' | 'folder'>;

interface SearchedService {
  readonly client: Pick<ServiceClient, 'baseUrl' | 'batches'>;
  /** The emulator has another port at each start. */
  readonly isEmulator: boolean;
}

export interface BatchSearchResult {
  /** The submission with the result in `search`, or with the state that another window saved. */
  readonly submission: Submission;
  /** `undefined` if the list was not searched, because the connection has another address now. */
  readonly found: Reconciliation | undefined;
}

/** Maximum number of candidates that are stored. */
const maxCandidates = 20;
/** Maximum number of candidates whose results are compared per search. */
const maxComparisons = 5;
/** Number of searches before batches created at another time are considered. Only a wrong clock explains such a batch. */
const searchesBeforeClockDoubt = 2;

/**
 * Searches the service's list for the batch of a submission whose outcome is unknown, and stores the result. Only reads from the service.
 * Candidates that have ended are compared by the ids in their results. Different ids rule a candidate out. The same ids prove nothing,
 * because a colleague who sends the same file at that moment creates such a batch too. So no batch is adopted here: the user decides. If
 * the service fails, throws its error and stores nothing.
 */
export async function searchForBatch(
  registry: Registry,
  submission: Submission,
  { client, isEmulator }: SearchedService,
  options: { readonly signal?: AbortSignal; readonly isAsked?: boolean } = {},
): Promise<BatchSearchResult> {
  const { origin } = new URL(client.baseUrl);
  const before = submission.search?.looks ?? 0;
  // A search that the user asked for doesn't count towards the schedule.
  const looks = options.isAsked === true ? Math.max(before, 1) : before + 1;
  const lookedAt = new Date().toISOString();
  if (origin !== submission.origin && !isEmulator) {
    const known = submission.search ?? { listed: 0, reachedBack: false, candidates: [] };
    return { submission: await note(registry, submission, { ...known, looks, lookedAt, elsewhere: origin }), found: undefined };
  }
  const evenWrongClock = options.isAsked === true || looks > searchesBeforeClockDoubt;
  const found = await reconcile(client.batches, registry, submission, { signal: options.signal, evenWrongClock }).catch(
    (error: unknown) => {
      if (error instanceof ServiceError && isNotServed(error.status)) {
        // The service has no list of batches, so this counts as a search without a result.
        return nothingListed;
      }
      throw error;
    },
  );
  const candidates = await compareCandidates(registry, submission, found, client, options.signal);
  const { batchCount: listed, backTo, reachedBack } = found;
  const search: Search = { looks, lookedAt, listed, reachedBack, candidates, ...defined({ backTo }) };
  return { submission: await note(registry, submission, search), found };
}

/** Returns whether a search found a new candidate for a submission that the user marked as not created. */
export function hasNewCandidate(before: Submission, after: Submission): boolean {
  const known = new Set(openCandidates(before).map(({ batchId }) => batchId));
  return before.state === 'abandoned' && after.state === 'abandoned' && openCandidates(after).some(({ batchId }) => !known.has(batchId));
}

async function note(registry: Registry, submission: Submission, search: Search): Promise<Submission> {
  const isOpen = ({ state }: Submission) => state === 'unknown' || state === 'sending' || state === 'abandoned';
  const noted = await registry.updateIf(submission.id, { search }, isOpen);
  if (noted === undefined) {
    await registry.reload();
  }
  return noted ?? registry.find(submission.id) ?? submission;
}

async function compareCandidates(
  registry: Registry,
  submission: Submission,
  { candidates, atAnotherTime }: Reconciliation,
  client: SearchedService['client'],
  signal: AbortSignal | undefined,
): Promise<readonly Candidate[]> {
  const known = new Map(submission.search?.candidates.map(candidate => [candidate.batchId, candidate]));
  const linesPath = path.join(registry.folder(submission.id), submissionFiles.lines);
  const compared: Candidate[] = [];
  let comparisons = 0;
  for (const batch of candidates.slice(0, maxCandidates)) {
    const ended = batch.processing_status === 'ended';
    let ids = known.get(batch.id)?.ids;
    if (ended && ids === undefined && comparisons < maxComparisons) {
      comparisons++;
      ids = await compareResults(batch, client, linesPath, signal);
    }
    const createdAt = batch.created_at || undefined;
    compared.push({ batchId: batch.id, ended, ...(atAnotherTime && { atAnotherTime }), ...defined({ createdAt, ids }) });
  }
  return compared;
}

/** Compares the ids in a batch's results. Returns `undefined` if the results can't be read now. */
async function compareResults(
  { id, results_url, archived_at }: MessageBatch,
  client: SearchedService['client'],
  linesPath: string,
  signal: AbortSignal | undefined,
): Promise<Candidate['ids']> {
  if (results_url === null || archived_at) {
    return 'unclear';
  }
  try {
    const { verdict, areDerived } = await compareIds(await client.batches.results(id, { signal }), linesPath);
    return verdict === 'same' && areDerived ? 'unclear' : verdict;
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ServiceError) {
      return error.kind === 'not_found' || error.kind === 'invalid_request' ? 'unclear' : undefined;
    }
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return 'unclear';
    }
    throw error;
  }
}

/** Result of searching the service's list for a submission with an unknown outcome. */
interface Reconciliation {
  /**
   * Batches from around the time of the submission, newest first. They have an equal or unknown request count and belong to no other
   * submission.
   */
  readonly candidates: readonly MessageBatch[];
  /** True if no batch was created around the time of the submission, so the candidates are up to a day off. */
  readonly atAnotherTime: boolean;
  /** False if the list was too long, circular or incomplete before it reached the time of the submission. */
  readonly reachedBack: boolean;
  readonly batchCount: number;
  /** Creation time of the oldest listed batch. */
  readonly backTo: string | undefined;
}

/** Result if the list was not read. */
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
 * Searches the service's batches, newest first, for batches that a submission may have created. Only reads. A batch with a missing or
 * invalid creation time always qualifies. With `evenWrongClock`, batches up to a day off are considered if no batch was created around that
 * time.
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
  const guard = new PageGuard<MessageBatch>();
  let batchCount = 0;
  let reachedBack = false;
  let isWhole = true;
  let oldest = Number.POSITIVE_INFINITY;
  let last = Number.POSITIVE_INFINITY;
  let isByAge = true;
  let cursor: string | undefined;
  for (let pages = 0; pages < maxPages; pages++) {
    const page = await batches.list({ limit: pageSize, cursor, signal: options.signal });
    const { items: fresh, nextCursor, cut } = guard.accept(page);
    for (const batch of fresh) {
      const created = Date.parse(batch.created_at ?? '');
      isByAge &&= created <= last;
      last = created;
      oldest = created < oldest ? created : oldest;
      const total = totalOf(batch.request_counts);
      // No batch is empty. A total of 0 means that the list has no counts.
      const isPossible = (total === submission.requestCount || total === 0) && !owned.has(batch.id);
      if (isPossible && isBetween(created, around)) {
        near.push(batch);
      } else if (isPossible && isBetween(created, wideSpan)) {
        far.push(batch);
      }
    }
    batchCount += fresh.length;
    // An unreadable row could be any batch.
    isWhole &&= page.unreadable === undefined;
    // A cut page repeated only earlier batches, or did not lead to the next page.
    const isCut = cut !== undefined || (page.items.length > 0 && fresh.length === 0);
    const isAtEnd = nextCursor === undefined && !isCut;
    const isOlderThan = (time: number) => fresh.length > 0 && fresh.every(batch => Date.parse(batch.created_at ?? '') < time);
    // The following pages are older only if the service lists by age.
    reachedBack ||= isAtEnd || (isByAge && isOlderThan(around.from));
    if (isAtEnd || isCut || isOlderThan(wideSpan.from)) {
      break;
    }
    cursor = nextCursor;
  }
  const atAnotherTime = near.length === 0 && far.length > 0;
  return {
    candidates: atAnotherTime ? far : near,
    atAnotherTime,
    reachedBack: reachedBack && isWhole,
    batchCount,
    backTo: Number.isFinite(oldest) ? new Date(oldest).toISOString() : undefined,
  };
}

/** Returns how far the service's clock is ahead in milliseconds, by the latest response to a create. `undefined` if there was none. */
function clockAhead(submissions: readonly Submission[], origin: string): number | undefined {
  return submissions
    .filter(submission => submission.origin === origin)
    .map(({ steps, batch }) => Date.parse(batch?.created_at ?? '') - Date.parse(steps?.find(({ what }) => what === 'created')?.at ?? ''))
    .find(ahead => !Number.isNaN(ahead));
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Returns the possible creation times of the batch by the service's clock, extended by `tolerance` on both sides. */
function createdBetween({ startedAt, steps }: Submission, ahead: number, tolerance: number): Span {
  const started = Date.parse(startedAt) + ahead;
  const handedOut = Date.parse(steps?.find(({ what }) => what === 'handed_out')?.at ?? '') + ahead;
  return { from: started - tolerance, to: (Number.isNaN(handedOut) ? started + longestUpload : handedOut) + tolerance };
}

function isBetween(created: number, { from, to }: Span): boolean {
  return Number.isNaN(created) || (created >= from && created <= to);
}

/** Maximum number of results that are compared. The first results suffice, because all ids of a batch are from the same file. */
const maxIds = 1_000;
const maxBytes = 16 * 1024 * 1024;

/** Result of comparing the ids of some results with the ids of requests. */
export interface IdComparison {
  /** `unclear` if only some ids are known, or none could be read. */
  readonly verdict: 'same' | 'different' | 'unclear';
  /** Number of ids that were compared: all, or the first thousand. */
  readonly compared: number;
  /** Number of compared ids that are ids of requests. */
  readonly known: number;
  /** True if each id was derived from the line number of a request without an id. Such ids are the same for every file. */
  readonly areDerived: boolean;
}

/** Compares the first results with the ids in a `lines.tsv` until the result is clear. Throws errors of the stream and the disk. */
export async function compareIds({ body }: Pick<ByteStream, 'body'>, linesPath: string): Promise<IdComparison> {
  const ids = await idsOfResults(body);
  const compared = ids.size;
  const areDerived = compared > 0 && [...ids].every(id => lineOfDerivedId(id) !== undefined);
  for await (const id of idsIn(linesPath)) {
    if (ids.delete(id) && ids.size === 0) {
      break;
    }
  }
  const known = compared - ids.size;
  const verdict = known === compared ? 'same' : known === 0 ? 'different' : 'unclear';
  return { verdict: compared === 0 ? 'unclear' : verdict, compared, known, areDerived };
}

/** Returns the ids of the first results. */
async function idsOfResults(body: AsyncIterable<Uint8Array>): Promise<Set<string>> {
  const ids = new Set<string>();
  const scanner = new ResultLineScanner();
  for await (const line of linesIn(body, maxBytes)) {
    scanner.use(line);
    if (scanner.scan(0) >= 0) {
      ids.add(decodeString(line, scanner.customId.start, scanner.customId.end));
    }
    if (ids.size >= maxIds) {
      break;
    }
  }
  return ids;
}

async function* idsIn(linesPath: string): AsyncGenerator<string> {
  for await (const line of linesIn(createReadStream(linesPath))) {
    yield line.toString('utf8', line.indexOf(TAB) + 1, line.length - 1);
  }
}

/** Yields each line with its LF. Ends after the chunk that exceeds the limit, and leaves out a last line without LF. */
async function* linesIn(chunks: AsyncIterable<Uint8Array>, limit = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = [];
  let read = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      yield Buffer.concat([...parts, chunk.subarray(start, end + 1)]);
      parts = [];
      start = end + 1;
    }
    // The owner of a chunk may overwrite it.
    parts.push(new Uint8Array(chunk.subarray(start)));
    read += chunk.length;
    if (read > limit) {
      return;
    }
  }
}
