import type { BatchFileReport } from '../../../../jsonl/checking/batchFileReport';
import { hasFixes } from '../../../../jsonl/fixes/fixesOfProblem';
import { isRefusal } from '../../../../jsonl/rules/ruleTable';
import { toNumber } from '../../../../shared/formats';
import type { SheetFoot } from '../../../../shared/sheet/sheetProtocol';
import { join, toByteSize, toLabel } from '../../../../shared/text';
import { describeLimit, type OverLimit, toOverLimitLabel } from '../../spendLimit';
import { type MessageContext, toSentence } from '../../submitting/createBatchMessages';
import { toRange } from './estimatePresentation';
import { isAllRefused, isLimitShown, isToConvert, limitOf, predictionOf, type SheetFacts, sendability, withoutLimits } from './sheetFacts';

/** Returns the footer of the sheet: its status and its buttons. */
export function toFoot(facts: SheetFacts, context: MessageContext): SheetFoot {
  const { translate: t } = context;
  const { report, isSending, outgoing } = facts;
  const foot: SheetFoot = { status: toStatus(facts, context), close: t('Close') };
  if (report === undefined || isToConvert(facts, report)) {
    return foot;
  }
  const isToSend = facts.isToSend && facts.connection !== undefined;
  const canSend = sendability(report, outgoing) !== 'no';
  const isElsewhere = facts.repeats.some(({ state }) => state === 'sending');
  // A limit can't be checked before the survey ends.
  const isCostAwaited = facts.survey.name === 'running' && (facts.limit.batch ?? facts.limit.day) !== undefined;
  const hasTable = facts.folder !== undefined && report.requestCount > 0;
  return {
    ...foot,
    ...(hasTable && { table: { label: t('Show as Table'), act: { type: 'showTable' } } }),
    ...(isToSend &&
      canSend &&
      outgoing !== undefined &&
      !facts.hasNoBatches &&
      !isElsewhere && {
        create: {
          label: toCreateLabel(facts, report, context),
          isDisabled: isSending || facts.isChecking || facts.changes.length > 0 || isCostAwaited,
          ...((isAllRefused(report, outgoing) || shownLimitOf(facts) !== undefined) && { isDoubtful: true }),
        },
      }),
    ...toFix(facts, report, context),
    ...(!isToSend && canSend && { leadOn: { label: t('Select Where to Send...'), act: { type: 'leadOn' } } }),
  };
}

function toFix(facts: SheetFacts, report: BatchFileReport, { translate: t, locale }: MessageContext): Pick<SheetFoot, 'fix'> {
  const { problems } = withoutLimits(report);
  // If the service may refuse all requests, the button fixes warnings too.
  const errors = problems.filter(problem => (isAllRefused(report, facts.outgoing) ? isRefusal(problem) : problem.severity === 'error'));
  const [first] = errors;
  if (first === undefined) {
    return {};
  }
  const { line, start, end } = first;
  if (errors.some(({ rule }) => hasFixes(rule))) {
    return { fix: { label: t('Fix...'), act: { type: 'fix' } } };
  }
  const label = t('Go to Line {0}', toNumber(line + 1, locale));
  return facts.hasLines ? { fix: { label, act: { type: 'openPlace', line, start, end } } } : {};
}

/** Returns the exceeded limit if the footer shows it after a first press. */
function shownLimitOf(facts: SheetFacts): OverLimit | undefined {
  const exceeded = limitOf(facts);
  return exceeded !== undefined && isLimitShown(exceeded, facts) ? exceeded : undefined;
}

function toCreateLabel(facts: SheetFacts, report: BatchFileReport, context: MessageContext): string {
  const { translate: t, locale } = context;
  const { repeats, outgoing } = facts;
  const exceeded = shownLimitOf(facts);
  if (exceeded !== undefined) {
    return toOverLimitLabel(exceeded, { ...context, currency: facts.currency });
  }
  const count = outgoing?.requestCount ?? report.requestCount;
  const requests = count === 1 ? t('1 Request') : t('{0} Requests', toNumber(count, locale));
  if (sendability(report, outgoing) === 'anyway' || isAllRefused(report, outgoing)) {
    return t('Send {0} Anyway', requests);
  }
  return repeats.length > 0 ? t('Send {0} Again', requests) : t('Send {0}', requests);
}

function toStatus(facts: SheetFacts, context: MessageContext): SheetFoot['status'] {
  const { translate: t } = context;
  const { survey, changes, report } = facts;
  if (facts.isSending) {
    return toSending(facts, context);
  }
  if (facts.isChecking) {
    return { tone: 'plain', text: t('Checking…'), share: 0 };
  }
  if (changes.length > 0) {
    return { tone: 'warning', text: changes.join(' '), links: [{ label: t('Check Again'), act: { type: 'checkAgain' } }] };
  }
  if (facts.notice !== undefined) {
    return { tone: 'warning', text: facts.notice };
  }
  if (survey.name === 'running') {
    return {
      tone: 'plain',
      text: t('Estimating tokens, searching for shared prefixes and secrets…'),
      share: survey.share,
      links: [{ label: t('Stop'), name: t('Stop the estimate'), act: { type: 'stopEstimate' } }],
    };
  }
  if (facts.count.name === 'running') {
    return {
      tone: 'plain',
      text: t('Counting the tokens of a sample…'),
      share: facts.count.share,
      links: [{ label: t('Stop'), name: t('Stop counting'), act: { type: 'stopCount' } }],
    };
  }
  if (shownLimitOf(facts) !== undefined) {
    return { tone: 'warning', text: t('Press again to send above your limit.') };
  }
  const why = report === undefined ? undefined : whyNot(facts, report, context);
  if (why !== undefined) {
    return { tone: 'error', text: why };
  }
  if (survey.name === 'stopped' || survey.name === 'failed') {
    return {
      tone: 'warning',
      text: join(
        ' ',
        survey.name === 'stopped' ? t('The estimate was stopped.') : t('The estimate failed. {0}', toSentence(survey.problem)),
        t("Secrets weren't checked."),
      ),
      links: [{ label: t('Estimate Again'), act: { type: 'startEstimate' } }],
    };
  }
  return { tone: 'plain', text: '' };
}

function toSending({ connection, outgoing, sending }: SheetFacts, { translate: t, locale }: MessageContext): SheetFoot['status'] {
  const name = toLabel(connection?.name ?? '', 80);
  if (sending === undefined) {
    return { tone: 'plain', text: t('Sending to {0}…', name) };
  }
  const { share, index, isWaiting } = sending;
  const links = [{ label: t('Cancel'), name: t('Cancel sending'), act: { type: 'stopSending' } }] as const;
  const { parts } = outgoing ?? {};
  if (parts !== undefined) {
    const [number, count] = [toNumber(index + 1, locale), toNumber(parts.length, locale)];
    const text = isWaiting
      ? t('Part {0} of {1}: waiting for {2}…', number, count, name)
      : t('Part {0} of {1}: sending to {2}…', number, count, name);
    return { tone: 'plain', text, share, links };
  }
  return share < 1
    ? { tone: 'plain', text: t('Sending {0} to {1}', toByteSize(outgoing?.bodyBytes ?? 0, locale), name), share, links }
    : { tone: 'plain', text: t('Waiting for {0}…', name), links };
}

/** Returns the reason why nothing can be sent, or `undefined` if sending is possible. */
function whyNot(facts: SheetFacts, report: BatchFileReport, { translate: t, locale }: MessageContext): string | undefined {
  if (facts.isToSend && facts.hasNoBatches) {
    return t("{0} doesn't support batches. Choose another connection.", toLabel(facts.connection?.name ?? '', 80));
  }
  if (isToConvert(facts, report)) {
    return t('The file is in another format. Convert it first.');
  }
  if (report.requestCount === 0) {
    return t('The file has no requests.');
  }
  if (facts.outgoing?.parts?.length === 0) {
    return t('One request exceeds the limits of a batch. Shorten it first.');
  }
  if (sendability(report, facts.outgoing) === 'no') {
    const wrong = Math.max(withoutLimits(report).problemCounts.error, report.invalidCount);
    if (wrong < report.unjoinableCount) {
      return t('Requests without a unique custom_id: {0}. Fix them first.', toNumber(report.unjoinableCount, locale));
    }
    return t('Errors: {0}. Fix them first.', toNumber(wrong, locale));
  }
  if (facts.isToSend && facts.repeats.some(({ state }) => state === 'sending')) {
    return t('Another window is sending the same content.');
  }
  return undefined;
}

/** Returns the text for screen readers, spoken when it changes. */
export function toSpoken(facts: SheetFacts, context: MessageContext): string {
  const { translate: t, locale } = context;
  const change = facts.changes.join(' ') || facts.notice;
  if (change !== undefined) {
    return change;
  }
  const prediction = predictionOf(facts);
  if (facts.survey.name !== 'done' || prediction === undefined || facts.isChecking) {
    return '';
  }
  const exceeded = shownLimitOf(facts);
  if (exceeded !== undefined) {
    return describeLimit(exceeded, { ...context, currency: facts.currency });
  }
  const { findings } = facts.survey.survey;
  const secrets = findings.reduce((sum, { kind, count }) => (kind === 'secret' ? sum + count : sum), 0);
  const found = secrets === 0 ? '' : ` ${t('Secrets found: {0}.', toNumber(secrets, locale))}`;
  return `${t('The estimate is ready: {0}', t('{0} input tokens.', toRange(prediction.input, context)))}${found}`;
}
