import type { RetryGroup } from '../../../../jsonl/retrying/retryingJobs';
import { toNumber } from '../../../../shared/formats';
import type { SheetBlock, SheetChoice, SheetItem, SheetLink } from '../../../../shared/sheet/sheetProtocol';
import { toLabel } from '../../../../shared/text';
import { describeAct, describeCause, describeCredit, describeReason } from '../../retrying/retryPresentation';
import { describeCost } from '../../runCost';
import type { MessageContext } from '../../submitting/createBatchMessages';
import type { Choices } from '../choices';
import { type SheetFacts, toNote } from './sheetFacts';

const linesLinked = 3;

/** Returns the choice of requests, with notes about the selected ones and about missing choices. */
export function toChoiceBlocks(facts: SheetFacts, context: MessageContext): readonly SheetBlock[] {
  const { translate: t } = context;
  const { choice, choices } = facts;
  const rows = toChoices(facts, context);
  const { note, unfetched = [], trial } = choices ?? {};
  const fetch: SheetLink = { label: t('Fetch Results'), act: { type: 'fetchEarlier' } };
  return [
    ...(rows.length < 2 ? [] : [{ kind: 'choices', name: t('Send'), chosen: choice, choices: rows } as const]),
    ...(trial === undefined ? [] : [toTrialNote(trial, facts, context)]),
    ...(choice === undefined && choices !== undefined ? [toNote('plain', describeMissing(facts, context))] : []),
    ...(note === undefined ? [] : [{ kind: 'note', tone: 'plain', text: note, ...(unfetched.length > 0 && { links: [fetch] }) } as const]),
    ...(choice === 'changed' && choices?.changed ? [toNote('plain', describeChanged(choices.changed.counts, context))] : []),
  ];
}

function toChoices(
  { choices, total, trialSize }: SheetFacts,
  { translate: t, locale }: MessageContext,
): Extract<SheetBlock, { kind: 'choices' }>['choices'] {
  const number = (value: number) => toNumber(value, locale);
  const row = (choice: SheetChoice, label: string) => ({ choice, label });
  const { rest, changed, retry } = choices ?? {};
  const retried = retry?.plan.groups.reduce((sum, { lines }) => sum + lines.length, 0) ?? 0;
  return [
    ...(rest === undefined ? [] : [row('rest', t('The remaining {0}', number(rest.lines.length)))]),
    row('all', t('All {0}', number(total))),
    ...(changed === undefined ? [] : [row('changed', t('Changed since the last run: {0}', number(changed.lines.length)))]),
    ...(retried === 0 ? [] : [row('retry', t('Without a good result: {0}', number(retried)))]),
    ...(total < 2 || rest !== undefined
      ? []
      : [{ ...row('trial', t('Trial: {size} first')), size: { value: trialSize, most: total - 1, name: t('Requests of the trial') } }]),
  ];
}

function toTrialNote(
  { sampled, succeeded, unmet, low, high, cost }: NonNullable<Choices['trial']>,
  { choices, currency }: SheetFacts,
  { translate: t, locale }: MessageContext,
): SheetBlock {
  const number = (value: number) => toNumber(value, locale);
  const money = cost === undefined ? '' : `, ${describeCost(cost, { translate: t, locale, currency })}`;
  const outcome = t('Trial: {0} of {1} succeeded{2}.', number(succeeded), number(sampled), money);
  const failed = unmet === 0 ? '' : ` ${t('Not as expected: {0}.', number(unmet))}`;
  const percent = (share: number, round: (value: number) => number) => number(round(share * 100));
  const { rest } = choices ?? {};
  const expected =
    rest === undefined
      ? ''
      : ` ${t('Expect {0} to {1} % of the remaining {2} to succeed.', percent(low, Math.floor), percent(high, Math.ceil), number(rest.lines.length))}`;
  return toNote(succeeded < sampled ? 'warning' : 'good', `${outcome}${failed}${expected}`);
}

function describeMissing({ choices, total }: SheetFacts, { translate: t, locale }: MessageContext): string {
  if (choices?.note !== undefined) {
    return t('Choose which requests to send.');
  }
  return choices?.follows === undefined
    ? t('Choose which requests to send.')
    : t('All {0} requests have results for their current text, or are running.', toNumber(total, locale));
}

function describeChanged(
  { new: added, changed, unknown }: NonNullable<Choices['changed']>['counts'],
  { translate: t, locale }: MessageContext,
): string {
  const number = (value: number) => toNumber(value, locale);
  const reasons = [
    ...(added > 0 ? [t('{0} new', number(added))] : []),
    ...(changed > 0 ? [t('{0} changed', number(changed))] : []),
    ...(unknown > 0 ? [t('{0} sent before, charged again', number(unknown))] : []),
  ];
  return t('{0}. Answers from different runs may differ.', reasons.join(', '));
}

/** Returns a row for each cause of a retry, with the change in its requests. */
export function toCauseBlocks(facts: SheetFacts, context: MessageContext): readonly SheetBlock[] {
  const { retry } = facts.choices ?? {};
  if (facts.choice !== 'retry' || retry === undefined) {
    return [];
  }
  const { plan, sources, choice } = retry;
  const { translate: t, locale } = context;
  const items = plan.groups.map<SheetItem>(group => {
    const words = { ...context, now: Date.now() };
    const isGone = group.lines.length === 0;
    const change: SheetLink = {
      label: t('Change...'),
      name: t('Change what is sent: {0}', toLabel(describeCause(group, words), 60)),
      act: { type: 'changeCause', cause: group.key },
    };
    const goneNote = group.gone === 0 ? '' : t('No longer in a file: {0}.', toNumber(group.gone, locale));
    const detail = [describeReason(group, words), describeCredit(group, words) ?? '', goneNote].filter(part => part !== '').join(' ');
    return {
      tone: 'plain',
      check: { cause: group.key, isChosen: choice.has(group), isDisabled: isGone || facts.isSending },
      text: t(
        '{0} {1}: {2}',
        toNumber(group.count, locale),
        toLabel(describeCause(group, words), 90),
        toLabel(describeAct(group, choice.actOf(group), words), 80),
      ),
      detail: toLabel(detail, 400),
      links: isGone ? [] : [...toLines(group, file => sources.files[file]?.source === facts.source, context), change],
    };
  });
  const write: SheetLink = { label: t('Write Retry File Instead'), act: { type: 'writeRetry' } };
  const { underWay } = plan;
  return [
    { kind: 'list', items },
    ...(underWay === 0 ? [] : [toNote('plain', t('Without results yet: {0}.', toNumber(underWay, locale)))]),
    choice.count === 0 ? toNote('warning', t('Select at least one.')) : { kind: 'acts', links: [write] },
  ];
}

function toLines(
  { lines, places }: RetryGroup,
  isOfFile: (file: number) => boolean,
  { translate: t, locale }: MessageContext,
): readonly SheetLink[] {
  return [...lines.subarray(0, linesLinked)]
    .filter((_, at) => isOfFile(places[at * 2] ?? -1))
    .map(line => ({ label: t('Line {0}', toNumber(line + 1, locale)), act: { type: 'openPlace', line, start: 0, end: 0 } }));
}
