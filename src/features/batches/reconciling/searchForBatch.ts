import path from 'node:path';
import { isNotServed } from '../../../client/dialect';
import type { MessageBatch } from '../../../client/schemas/messageBatches';
import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import type { Clock } from '../../../common/clock';
import { stampOfFile } from '../../../jsonl/files/publishing';
import { defined } from '../../../shared/defined';
import {
  type Candidate,
  isSameService,
  type Search,
  type Submission,
  submissionFiles,
  SubmissionMovedOnError,
  type SubmissionRegistry,
  type Uncertainty,
} from '../../ledger';
import { openCandidates } from './searchSchedule';
import { clockAhead, nothingListed, reconcile, type Reconciliation } from './reconcile';
import { compareIds, firstIds, type IdComparison, usesAny } from './sameIds';

const second = 1000;

/** Maximum difference between correct clocks, including the rounding of a service's times. */
const tolerance = 10 * second;

/** Maximum time from the last byte to the response. */
const longestWait = 120 * second;

/** Maximum number of other submissions whose ids are compared, newest first. */
const maxOthers = 50;

const maxIds = 100;

/** Facts from a batch's results that show which submission they belong to. */
type ResultWords = Pick<IdComparison, 'areDerived' | 'models'>;

export interface SearchDependencies {
  readonly registry: Pick<SubmissionRegistry, 'all' | 'find' | 'findByBatch' | 'reload' | 'update' | 'folder'>;
  readonly clock: Pick<Clock, 'now'>;
}

export interface SearchedService {
  readonly client: Pick<ServiceClient, 'baseUrl' | 'batches'>;
  /** The emulator has another port at each start. */
  readonly isEmulator: boolean;
}

export interface BatchSearchResult {
  /** The submission with the result in `search`, or with the state that another window saved. */
  readonly submission: Submission;
  /** Missing if the list was not searched: the connection has another address now, or the submission is settled. */
  readonly found: Reconciliation | undefined;
}

/** Maximum number of candidates that are stored. */
const maxCandidates = 20;
/** Maximum number of candidates whose results are compared per search. */
const maxComparisons = 5;
/** Number of searches after which batches are considered that only a wrong clock can explain. */
const patience = 2;

/**
 * Searches the service's list for the batch of a submission whose outcome is unknown, and stores the result. Only reads from the service.
 * Candidates that have ended are compared by the ids in their results. Different ids rule a candidate out. The same ids prove nothing,
 * because a colleague who sends the same file at that moment creates such a batch too. So no batch is adopted here: the user decides. If
 * the service fails, throws its error and stores nothing.
 */
export async function searchForBatch(
  { registry, clock }: SearchDependencies,
  submission: Submission,
  { client, isEmulator }: SearchedService,
  options: { readonly signal?: AbortSignal; readonly isAsked?: boolean } = {},
): Promise<BatchSearchResult> {
  const { origin } = new URL(client.baseUrl);
  const before = submission.search?.looks ?? 0;
  // A search that the user asked for doesn't count towards the schedule.
  const looks = options.isAsked === true ? Math.max(before, 1) : before + 1;
  const lookedAt = new Date(clock.now()).toISOString();
  if (origin !== submission.origin && !isEmulator) {
    const known = submission.search ?? { listed: 0, reachedBack: false, candidates: [] };
    return { submission: await note(registry, submission, { ...known, looks, lookedAt, elsewhere: origin }), found: undefined };
  }
  const evenWrongClock = options.isAsked === true || looks > patience;
  const found = await reconcile(client.batches, registry, submission, { signal: options.signal, evenWrongClock }).catch(
    (error: unknown) => {
      if (error instanceof ServiceError && isNotServed(error.status)) {
        // The next search would not find a list either, so this counts as a search without a result.
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

async function note(registry: SearchDependencies['registry'], submission: Submission, search: Search): Promise<Submission> {
  try {
    const onlyIf = ({ state }: Submission) => state === 'unknown' || state === 'sending' || state === 'abandoned';
    return await registry.update(submission.id, { search }, { onlyIf });
  } catch (error) {
    if (!(error instanceof SubmissionMovedOnError)) {
      throw error;
    }
    await registry.reload();
    return registry.find(submission.id) ?? submission;
  }
}

async function compareCandidates(
  registry: SearchDependencies['registry'],
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
    let { ids, doubt }: Pick<Candidate, 'ids' | 'doubt'> = known.get(batch.id) ?? {};
    // Equal ids are compared again at each search: the doubt may have been resolved, and earlier versions recorded none.
    if (ended && (ids === 'same' || (ids === undefined && comparisons < maxComparisons))) {
      comparisons++;
      const compared = await compareResults(batch, client, linesPath, signal);
      if (compared !== undefined) {
        ids = compared.verdict;
        doubt =
          compared.verdict === 'same'
            ? await uncertaintyOf(submission, batch, compared, { all: registry.all(), folderOf: id => registry.folder(id) })
            : undefined;
      } else if (doubt === undefined) {
        ids = undefined;
      }
    }
    const createdAt = batch.created_at || undefined;
    compared.push({ batchId: batch.id, ended, ...(atAnotherTime && { atAnotherTime }), ...defined({ createdAt, ids, doubt }) });
  }
  return compared;
}

const unclear = { verdict: 'unclear' } as const;

/** Compares the ids in a batch's results. Returns `undefined` if the results can't be read now. */
async function compareResults(
  { id, results_url, archived_at }: MessageBatch,
  client: SearchedService['client'],
  linesPath: string,
  signal: AbortSignal | undefined,
): Promise<IdComparison | typeof unclear | undefined> {
  if (results_url === null || archived_at) {
    return unclear;
  }
  try {
    return await compareIds(await client.batches.results(id, { signal }), linesPath);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ServiceError) {
      return error.kind === 'not_found' || error.kind === 'invalid_request' ? unclear : undefined;
    }
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return unclear;
    }
    throw error;
  }
}

async function uncertaintyOf(
  submission: Submission,
  batch: MessageBatch,
  words: ResultWords,
  { all, folderOf }: { readonly all: readonly Submission[]; readonly folderOf: (id: string) => string },
): Promise<Uncertainty | undefined> {
  if (!isFromThen(submission, batch, all)) {
    return 'time';
  }
  if (words.areDerived) {
    return 'made_ids';
  }
  const { models } = submission;
  if (models !== undefined && words.models.some(answered => !models.some(([asked]) => isSameModel(asked, answered)))) {
    return 'models';
  }
  const linesOf = (id: string) => path.join(folderOf(id), submissionFiles.lines);
  const ids = await firstIds(linesOf(submission.id), maxIds);
  // A failed submission created no batch.
  const others = all
    .filter(other => other.id !== submission.id && other.state !== 'failed' && isSameService(other, submission))
    .slice(0, maxOthers);
  for (const { id } of others) {
    if ((await stampOfFile(linesOf(id)).catch(() => undefined)) !== undefined && (await usesAny(linesOf(id), ids))) {
      return 'shared_ids';
    }
  }
  return undefined;
}

/** Returns whether a batch was created, by the service's clock, between a submission's last byte and the loss of its response. */
function isFromThen({ steps = [], origin }: Submission, { created_at }: MessageBatch, all: readonly Submission[]): boolean {
  const timeOfStep = (kind: string) => Date.parse(steps.findLast(({ what }) => what === kind)?.at ?? '');
  const handedOut = timeOfStep('handed_out');
  const lost = timeOfStep('lost');
  const end = Math.min(Number.isNaN(lost) ? Number.POSITIVE_INFINITY : lost, handedOut + longestWait);
  const created = Date.parse(created_at ?? '') - (clockAhead(all, origin) ?? 0);
  return created >= handedOut - tolerance && created <= end + tolerance;
}

/** Returns whether models match. Services respond with the full name of a model that was requested by a shorter name. */
function isSameModel(asked: string, answered: string): boolean {
  return answered.startsWith(asked) || asked.startsWith(answered);
}
