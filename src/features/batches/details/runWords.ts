import { escapeMarkdown } from '../../../common/text/escapeMarkdown';
import { describeTime, join } from '../../../common/text/presentation';
import { numberFormat } from '../../../shared/formats';
import type { Run, Submission } from '../../ledger';
import { type BatchContext, describeRunKind, labelOfSource } from '../batchPresentation';
import { describeOutcomeOf } from '../watching/runSummary';
import { toPageLink } from './pageLinks';

/** Which run of which file a submission is, in one sentence: what it is the canary, the retry or a part of. Empty for a whole file. */
export function describeRunOf(
  { selection, group, requestCount }: Submission,
  { source, follows, parts }: Run,
  family: readonly Run[],
  context: BatchContext,
): string {
  const { translate: t, locale } = context;
  const name = labelOfSource(source, context);
  const number = (value: number) => numberFormat(locale).format(value);
  const before = family.find(({ id }) => id === follows?.runId);
  const part = group === undefined || parts === 1 ? '' : t('Part {0} of {1} of {2}.', number(group.index + 1), number(parts), name);
  if (follows?.purpose === 'retry') {
    const of =
      before === undefined
        ? ''
        : t('A retry of {0}, sent {1}.', labelOfSource(before.source, context), describeTime(before.startedAt, { locale }));
    return join(' ', of, part);
  }
  switch (selection?.purpose) {
    case 'canary':
      return selection.total === undefined || parts > 1
        ? join(' ', t('A canary of {0}.', name), part)
        : t('A canary of {0}: {1} of its {2} requests.', name, number(requestCount), number(selection.total));
    case 'rest':
      return join(' ', t('The rest of {0} after its canary.', name), part);
    case 'changed':
      return join(' ', t('What changed in {0} since it was sent before.', name), part);
    default:
      return part;
  }
}

/** A run and those that it follows and that follow it, oldest first, as a list in Markdown whose entries lead to their pages. */
export function toFamilyList(family: readonly Run[], shown: Run, context: BatchContext): string {
  const { translate: t } = context;
  if (family.length < 2) {
    return '';
  }
  const rows = family.map(run => {
    const { lead, connection, parts } = run;
    const title = t('{0}, {1}', describeRunKind(run, context), describeTime(run.startedAt, context));
    const isShown = run.id === shown.id;
    const target = { connection, batchId: lead.batchId ?? '', ...(parts > 1 && { runId: run.id }) };
    const name = isShown || lead.batchId === undefined ? escapeMarkdown(title) : toPageLink('managedAgents.batch.open', title, target);
    const batches = run.submissions.flatMap(({ batch }) => batch ?? []);
    const isEnded = batches.every(batch => batch.processing_status === 'ended');
    const outcome = isEnded ? describeOutcomeOf(run, context) : '';
    return `- ${join(' · ', name, escapeMarkdown(outcome), isShown ? escapeMarkdown(t('this one')) : '')}`;
  });
  return `## ${escapeMarkdown(t('Runs of These Requests'))}\n\n${rows.join('\n')}`;
}
