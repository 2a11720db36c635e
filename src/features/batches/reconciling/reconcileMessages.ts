import type { MessageBatch } from '../../../client/schemas/messageBatches';
import { numberFormat } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';
import type { Submission } from '../../ledger';
import { describeTime, type MessageContext, toSentence } from '../submitting/createBatchMessages';
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
  const sent = describeTime(submission.startedAt, context);
  const lead =
    submission.problem === undefined
      ? t('It is not known whether a batch was created from {0}, sent {1}.', file, sent)
      : t('It is not known whether a batch was created from {0}, sent {1}: {2}', file, sent, toSentence(submission.problem));
  const only = found.candidates.length === 1 ? found.candidates[0] : undefined;
  if (found.atAnotherTime && found.candidates.length > 0) {
    return t(
      '{0} {1} lists none from then, but {2} of {3} from another time, up to a day off: {4}. Only a wrong clock explains that.',
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
    const one = t('{0} {1} lists one batch that can be it: {2}.', lead, host, describeCandidate(only, context));
    const { ids, doubt } = submission.search?.candidates.find(({ batchId }) => batchId === only.id) ?? {};
    return ids === 'same' ? `${one} ${describeSameIds(doubt, t)}` : one;
  }
  if (found.candidates.length > 1) {
    return t('{0} {1} lists {2} batches of {3} that can be it.', lead, host, number.format(found.candidates.length), requests);
  }
  if (!found.reachedBack) {
    return t(
      '{0} Among the {1} newest batches of {2} none can be it; older ones could not be read.',
      lead,
      number.format(found.batchCount),
      host,
    );
  }
  return t(
    '{0} {1} lists no batch of {2} from then that is not known already; its list was read back to {3}. A new batch may take a moment to be listed.',
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
