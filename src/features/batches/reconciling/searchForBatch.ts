import path from 'node:path';
import { isNotServed } from '../../../client/dialect';
import type { MessageBatch } from '../../../client/schemas/messageBatches';
import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import type { Clock } from '../../../common/clock';
import { defined } from '../../../shared/defined';
import {
  type Candidate,
  type Search,
  type Submission,
  submissionFiles,
  SubmissionMovedOnError,
  type SubmissionRegistry,
} from '../../ledger';
import { openCandidates } from './searchSchedule';
import { nothingListed, reconcile, type Reconciliation } from './reconcile';
import { compareIds } from './sameIds';

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
