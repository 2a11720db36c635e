import type { Run } from '../../ledger';
import { type BatchContext, labelOfSource } from '../batchPresentation';
import { describeOutcomeOf } from './runSummary';

/** One sentence on a run that has ended: how many batches, what became of all their requests, and what was not sent. */
export function describeEnd(run: Run, context: BatchContext): string {
  const { translate } = context;
  const name = labelOfSource(run.source, context);
  const outcomes = describeOutcomeOf(run, context);
  const sent = run.submissions.filter(({ state }) => state === 'created').length;
  if (run.parts === 1) {
    return translate('The batch of {0} has ended: {1}.', name, outcomes);
  }
  return sent < run.parts
    ? translate('What was sent of {0} ({1} of {2} batches) has ended: {3}.', name, sent, run.parts, outcomes)
    : translate('All {0} batches of {1} have ended: {2}.', run.parts, name, outcomes);
}
