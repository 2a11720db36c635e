import { join } from '../../../common/presentation';
import { toByteSize, toLabel } from '../../../common/text';
import type { BatchFileReport } from '../../../jsonl/batchFileReport';
import type { FileSurvey } from '../../../jsonl/survey/fileSurvey';
import type { SheetFoot } from '../../../shared/sheet/protocol';
import { type MessageContext, toSentence } from '../submitting/createBatchMessages';
import { describeInput } from './estimatePresentation';
import { toNumber } from './sheetBlocks';
import { isToConvert, partsOf, type SheetFacts, sendability } from './sheetFacts';

/** What stands at the bottom of the sheet: how things are, and what can be done. */
export function toFoot(facts: SheetFacts, context: MessageContext): SheetFoot {
  const { translate: t } = context;
  const { mode, report, isSending } = facts;
  const verdict = report === undefined || isToConvert(facts, report) ? 'no' : sendability(report, facts.limits);
  const isElsewhere = facts.repeats.some(({ state }) => state === 'sending');
  return {
    status: toStatus(facts, context),
    close: t('Close'),
    ...(mode === 'create' &&
      report !== undefined &&
      verdict !== 'no' &&
      !isElsewhere && {
        create: { label: toCreateLabel(facts, report, context), isDisabled: isSending || facts.isChecking || facts.changes.length > 0 },
      }),
    ...(mode === 'estimate' && verdict !== 'no' && { leadOn: { label: t('Create Batch...'), act: { type: 'leadOn' } } }),
  };
}

function toCreateLabel({ repeats, limits }: SheetFacts, report: BatchFileReport, { translate: t, locale }: MessageContext): string {
  const requests = report.requestCount === 1 ? t('1 Request') : t('{0} Requests', toNumber(report.requestCount, locale));
  if (sendability(report, limits) === 'anyway') {
    return t('Create Batch of {0} Anyway', requests);
  }
  return repeats.length > 0 ? t('Create Another Batch of {0}', requests) : t('Create Batch of {0}', requests);
}

function toStatus(facts: SheetFacts, context: MessageContext): SheetFoot['status'] {
  const { translate: t, locale } = context;
  const { survey, changes, report } = facts;
  if (facts.isSending) {
    return toSending(facts, context);
  }
  if (facts.isChecking) {
    return { tone: 'plain', text: t('Checking the file…'), share: 0 };
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
      text:
        facts.mode === 'create'
          ? t('Estimating tokens, looking for shared prefixes… Secrets were not looked for yet.')
          : t('Estimating tokens, looking for shared prefixes and secrets…'),
      share: survey.share,
      links: [{ label: t('Stop'), name: t('Stop the estimate'), act: { type: 'stopEstimate' } }],
    };
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
        facts.mode === 'create' ? t('Secrets were not looked for.') : '',
      ),
      links: [{ label: t('Estimate Again'), act: { type: 'startEstimate' } }],
    };
  }
  const secrets = survey.name === 'done' ? countSecrets(survey.survey) : 0;
  if (secrets > 0) {
    return {
      tone: 'error',
      text: secrets === 1 ? t('1 secret is in the file.') : t('{0} secrets are in the file.', toNumber(secrets, locale)),
    };
  }
  return { tone: 'plain', text: '' };
}

function toSending({ connection, report, sentShare }: SheetFacts, { translate: t, locale }: MessageContext): SheetFoot['status'] {
  const name = toLabel(connection?.name ?? '', 80);
  if (sentShare === undefined) {
    return { tone: 'plain', text: t('Sending to {0}…', name) };
  }
  const links = [{ label: t('Cancel'), name: t('Cancel sending'), act: { type: 'stopSending' } }] as const;
  return sentShare < 1
    ? { tone: 'plain', text: t('Sending {0} to {1}…', toByteSize(report?.bodyBytes ?? 0, locale), name), share: sentShare, links }
    : { tone: 'plain', text: t('Everything was sent to {0}. Waiting for its answer…', name), links };
}

/** Why nothing can be sent as it stands; undefined when it can. */
function whyNot(facts: SheetFacts, report: BatchFileReport, { translate: t, locale }: MessageContext): string | undefined {
  if (isToConvert(facts, report)) {
    return t('It has requests in another form. Convert it first.');
  }
  if (report.requestCount === 0) {
    return t('There are no requests in the file. A batch needs at least one.');
  }
  if (partsOf(report, facts.limits) !== undefined) {
    return t('It is too large for one batch. Split it into parts first.');
  }
  if (sendability(report, facts.limits) === 'no') {
    const wrong = Math.max(report.problemCounts.error, report.invalidCount);
    return wrong === 1
      ? t('No batch can be created: 1 error must be mended first.')
      : t('No batch can be created: {0} errors must be mended first.', toNumber(wrong, locale));
  }
  if (facts.mode === 'create' && facts.repeats.some(({ state }) => state === 'sending')) {
    return t('The same content is being sent by another window.');
  }
  return undefined;
}

/** What is said aloud when it has changed. */
export function toSpoken(facts: SheetFacts, context: MessageContext): string {
  const { translate: t, locale } = context;
  if (facts.changes.length > 0 || facts.notice !== undefined) {
    return facts.changes.length > 0 ? facts.changes.join(' ') : (facts.notice ?? '');
  }
  if (facts.survey.name !== 'done' || facts.isChecking) {
    return '';
  }
  const secrets = countSecrets(facts.survey.survey);
  const found = secrets === 0 ? '' : ` ${t('Secrets found: {0}.', toNumber(secrets, locale))}`;
  return `${t('The estimate is ready: {0}', describeInput(facts.survey.survey, context))}${found}`;
}

function countSecrets({ findings }: FileSurvey): number {
  return findings.reduce((sum, { kind, count }) => (kind === 'secret' ? sum + count : sum), 0);
}
