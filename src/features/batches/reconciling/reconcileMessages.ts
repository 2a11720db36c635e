import type { MessageBatch } from '../../../client/schemas/messageBatches';
import { numberFormat } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';
import type { Submission } from '../../ledger';
import { describeTime, type MessageContext } from '../submitting/createBatchMessages';
import type { Reconciliation } from './reconcile';
import { describeSameIds } from './unknownPresentation';

/** Describes what is unknown about the submission of a file, and the result of the search. */
export function describeUnknown(
  submission: Submission,
  file: string,
  host: string,
  found: Reconciliation,
  context: MessageContext,
): string {
  const { translate: t, locale } = context;
  const number = numberFormat(locale);
  const requests = submission.requestCount === 1 ? t('1 request') : t('{0} requests', number.format(submission.requestCount));
  const lead = t('{0} may have created a batch.', file);
  const only = found.candidates.length === 1 ? found.candidates[0] : undefined;
  if (found.atAnotherTime && found.candidates.length > 0) {
    return t(
      '{0} {1} lists {2} of {3} from another time: {4}. A clock may be wrong.',
      lead,
      host,
      number.format(found.candidates.length),
      requests,
      found.candidates
        .slice(0, 3)
        .map(batch => describeCandidate(batch, context))
        .join('; '),
    );
  }
  if (only !== undefined) {
    const one = t('{0} {1} lists one that may be it: {2}.', lead, host, describeCandidate(only, context));
    const { ids, doubt } = submission.search?.candidates.find(({ batchId }) => batchId === only.id) ?? {};
    return ids === 'same' ? `${one} ${describeSameIds(doubt, t)}` : one;
  }
  if (found.candidates.length > 1) {
    return t('{0} {1} lists {2} batches of {3} that may be it.', lead, host, number.format(found.candidates.length), requests);
  }
  if (!found.reachedBack) {
    return t('{0} None of the {1} newest batches of {2} can be it.', lead, number.format(found.batchCount), host);
  }
  return t(
    '{0} {1} lists no new batch of {2} since {3}. It may appear later.',
    lead,
    host,
    requests,
    found.backTo === undefined ? t('its beginning') : describeTime(found.backTo, context),
  );
}

/** Describes a possible batch by what distinguishes it from others. */
export function describeCandidate(batch: MessageBatch, context: MessageContext): string {
  const { translate: t } = context;
  const id = toLabel(batch.id, 80);
  return batch.created_at ? t('{0}, created {1}', id, describeTime(batch.created_at, context)) : id;
}
