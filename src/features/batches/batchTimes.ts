import type { MessageBatch } from '../../client/schemas/messageBatches';
import { describeDuration, describeSince, join, type PresentationContext } from '../../common/text/presentation';
import type { Submission } from '../ledger';

/**
 * How long a batch that has not ended has been running and when it expires, or since when it is being canceled. Of one of ours by
 * this machine's clock alone, which may differ from the service's.
 */
export function describeTimes(batch: MessageBatch, submission: Submission | undefined, context: PresentationContext): string {
  const { translate, locale, now } = context;
  const created = Date.parse(batch.created_at ?? '');
  const elapsed = now - Date.parse(submission?.startedAt ?? batch.created_at ?? '');
  const running = Number.isNaN(elapsed) ? '' : translate('for {0}', describeDuration(Math.max(elapsed, 0), locale));
  if (batch.cancel_initiated_at) {
    return join(' · ', running, translate('asked to cancel {0}', describeSince(batch.cancel_initiated_at, context)));
  }
  const left = Date.parse(batch.expires_at ?? '') - created - elapsed;
  if (Number.isNaN(left)) {
    return running;
  }
  const expiry =
    left > 0
      ? translate('expires in {0}', describeDuration(left, locale))
      : left > -expiryTakes
        ? translate('about to expire')
        : translate('should have expired {0} ago', describeDuration(-left, locale));
  return join(' · ', running, expiry);
}

/** What has expired takes a while to end, in milliseconds. */
const expiryTakes = 10 * 60 * 1000;
