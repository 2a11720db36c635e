import path from 'node:path';
import type { MessageBatch } from '../../../client/schemas/messageBatches';
import { stampOfFile } from '../../../jsonl/files/publishing';
import { type Doubt, isSameService, type Submission, submissionFiles } from '../../ledger';
import { clockAhead } from './reconcile';
import { firstIds, type IdComparison, usesAny } from './sameIds';

const second = 1000;
/** How far clocks that are right, and a service's care with its times, differ. */
const tolerance = 10 * second;
/** An answer that did not come in this time after the last byte had left was not waited for any more. */
const longestWait = 120 * second;
/** Other submissions whose ids are compared, the newest. */
const mostOthers = 50;
/** Ids by which submissions are compared. */
const mostIds = 100;

/** What of a batch's results tells whose it is. */
export type ResultWords = Pick<IdComparison, 'areMade' | 'models'>;

/** Returns the doubt about a batch with the same ids as a submission, or `undefined` if none is known. */
export async function doubtOf(
  submission: Submission,
  batch: MessageBatch,
  words: ResultWords,
  { all, folderOf }: { readonly all: readonly Submission[]; readonly folderOf: (id: string) => string },
): Promise<Doubt | undefined> {
  if (!isFromThen(submission, batch, all)) {
    return 'time';
  }
  if (words.areMade) {
    return 'made_ids';
  }
  const { models } = submission;
  if (models !== undefined && words.models.some(answered => !models.some(([asked]) => isSameModel(asked, answered)))) {
    return 'models';
  }
  const linesOf = (id: string) => path.join(folderOf(id), submissionFiles.lines);
  const ids = await firstIds(linesOf(submission.id), mostIds);
  // Of one that failed nothing was created: its ids are those of no batch.
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

/** Whether a batch was made between the last byte of a submission and the loss of its answer, by the service's clock. */
function isFromThen({ steps = [], origin }: Submission, { created_at }: MessageBatch, all: readonly Submission[]): boolean {
  const at = (kind: string) => Date.parse(steps.findLast(({ what }) => what === kind)?.at ?? '');
  const handedOut = at('handed_out');
  const lost = at('lost');
  const end = Math.min(Number.isNaN(lost) ? Number.POSITIVE_INFINITY : lost, handedOut + longestWait);
  const created = Date.parse(created_at ?? '') - (clockAhead(all, origin) ?? 0);
  return created >= handedOut - tolerance && created <= end + tolerance;
}

/** Services answer with the whole name of a model that was asked for by a shorter one. */
function isSameModel(asked: string, answered: string): boolean {
  return answered.startsWith(asked) || asked.startsWith(answered);
}
