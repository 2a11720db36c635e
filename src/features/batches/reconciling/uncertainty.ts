import path from 'node:path';
import type { MessageBatch } from '../../../client/schemas/messageBatches';
import { stampOfFile } from '../../../jsonl/files/publishing';
import { type Uncertainty, isSameService, type Submission, submissionFiles } from '../../ledger';
import { clockAhead } from './reconcile';
import { firstIds, type IdComparison, usesAny } from './sameIds';

const second = 1000;
/** Maximum difference between correct clocks, including the rounding of a service's times. */
const tolerance = 10 * second;
/** Maximum time from the last byte to the response. */
const longestWait = 120 * second;
/** Maximum number of other submissions whose ids are compared, newest first. */
const mostOthers = 50;
/** Maximum number of ids compared per submission. */
const mostIds = 100;

/** Facts from a batch's results that show which submission they belong to. */
export type ResultWords = Pick<IdComparison, 'areDerived' | 'models'>;

/** Returns the doubt about a batch with the same ids as a submission, or `undefined` if none is known. */
export async function uncertaintyOf(
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
  const ids = await firstIds(linesOf(submission.id), mostIds);
  // A failed submission created no batch.
  const others = all
    .filter(other => other.id !== submission.id && other.state !== 'failed' && isSameService(other, submission))
    .slice(0, mostOthers);
  for (const { id } of others) {
    if ((await stampOfFile(linesOf(id)).catch(() => undefined)) !== undefined && (await usesAny(linesOf(id), ids))) {
      return 'shared_ids';
    }
  }
  return undefined;
}

/**
 * Returns whether a batch was created, by the service's clock, after the last byte of a submission was sent and before its response was
 * lost.
 */
function isFromThen({ steps = [], origin }: Submission, { created_at }: MessageBatch, all: readonly Submission[]): boolean {
  const at = (kind: string) => Date.parse(steps.findLast(({ what }) => what === kind)?.at ?? '');
  const handedOut = at('handed_out');
  const lost = at('lost');
  const end = Math.min(Number.isNaN(lost) ? Number.POSITIVE_INFINITY : lost, handedOut + longestWait);
  const created = Date.parse(created_at ?? '') - (clockAhead(all, origin) ?? 0);
  return created >= handedOut - tolerance && created <= end + tolerance;
}

/** Services respond with the full name of a model that was requested by a shorter one. */
function isSameModel(asked: string, answered: string): boolean {
  return answered.startsWith(asked) || asked.startsWith(answered);
}
