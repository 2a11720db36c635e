import { findPrice } from '../../../../common/readPrices';
import type { BatchFileReport } from '../../../../jsonl/checking/batchFileReport';
import type { FileSurvey } from '../../../../jsonl/survey/fileSurvey';
import { toNumber } from '../../../../shared/formats';
import type { SheetBlock, SheetItem, SheetLink } from '../../../../shared/sheet/sheetProtocol';
import { toLabel } from '../../../../shared/text';
import type { Submission } from '../../../ledger';
import { toCauseBlocks, toChoiceBlocks } from './choicePresentation';
import { describeRequests } from '../../batchPresentation';
import { describeLimit } from '../../spendLimit';
import { describeRepeat, type MessageContext, toSentence } from '../../submitting/createBatchMessages';
import type { Prediction } from '../prediction';
import { describeTokens, predictedTotal } from './estimatePresentation';
import { addMoney, costOf, toMoney, toPredictedMoney } from './estimateMoney';
import { toProblemBlocks } from './toProblemBlocks';
import { isToConvert, limitOf, predictionOf, type SheetFacts, toNote } from './sheetFacts';

const pricesShown = 20;

/** Returns the top of the sheet: the choice of requests, their number and destination, the cost, the problems and warnings. */
export function toTop(facts: SheetFacts, report: BatchFileReport, context: MessageContext): readonly SheetBlock[] {
  const { translate: t } = context;
  if (isToConvert(facts, report)) {
    return [
      toNote('warning', t('The file is in another format. Convert it first.')),
      { kind: 'acts', links: [{ label: t('Convert...'), act: { type: 'convert' } }], isMain: true },
    ];
  }
  const { outgoing } = facts;
  return [
    ...toChoiceBlocks(facts, context),
    ...(outgoing === undefined || report.requestCount === 0
      ? []
      : [toNote('plain', describeSending(facts, outgoing, context)), toCost(facts, outgoing, context), ...toTokensNotes(facts, context)]),
    ...(outgoing === undefined ? [] : toProblemBlocks(facts, report, context)),
    ...toPartsNote(facts, context),
    ...toSessionsNote(facts, context),
    ...toLimitNote(facts, context),
    ...toSecretsNote(facts, context),
    ...toRepeats(facts, context),
    ...toCauseBlocks(facts, context),
  ];
}

function describeSending(
  { connection }: SheetFacts,
  { requestCount, models }: NonNullable<SheetFacts['outgoing']>,
  context: MessageContext,
): string {
  const { translate: t, locale } = context;
  const requests = describeRequests(requestCount, context);
  const kinds = models.length === 1 ? t('1 model') : t('{0} models', toNumber(models.length, locale));
  return connection === undefined
    ? t('{0}, {1}', requests, kinds)
    : t('{0} to {1}, {2}', requests, toLabel(connection.host === '' ? connection.name : connection.host, 200), kinds);
}

function toCost(facts: SheetFacts, { models }: NonNullable<SheetFacts['outgoing']>, context: MessageContext): SheetBlock {
  const { translate: t } = context;
  const { survey, prices } = facts;
  const names = models.map(([model]) => model).filter(model => model !== '');
  const hasPrices = names.every(model => findPrice(prices, model) !== undefined);
  const prediction = predictionOf(facts);
  const canCount =
    facts.connection !== undefined &&
    !facts.hasNoCounts &&
    survey.name === 'done' &&
    (facts.count.name === 'none' || facts.count.name === 'failed');
  const text =
    survey.name === 'done' && prediction !== undefined
      ? (describeMoney(survey.survey, prediction, facts, context) ?? t('Set prices to see the cost'))
      : survey.name === 'running'
        ? t('Estimating…')
        : t('No estimate');
  return {
    kind: 'prices',
    text,
    ...(canCount && {
      count: {
        label: t('Count a Sample'),
        name: t('Count a Sample ({0})', toLabel(facts.connection?.host || (facts.connection?.name ?? ''), 200)),
        act: { type: 'countSample' },
      },
    }),
    edit: hasPrices ? t('Edit Prices') : t('Set Prices'),
    head: [t('Price of 1M tokens, {0}', toLabel(facts.currency, 20)), t('Input'), t('Output')],
    models: names.slice(0, pricesShown).map(model => {
      const { input, output } = findPrice(prices, model)?.price ?? {};
      return { model, label: toLabel(model, 100), ...(input !== undefined && { input }), ...(output !== undefined && { output }) };
    }),
    save: t('Save in User Settings'),
  };
}

/** Describes the likely and the highest cost; `undefined` if a model has no price. */
function describeMoney(
  { opaqueBlocks, withoutMaxTokens }: FileSurvey,
  prediction: Prediction,
  { prices, currency, folderModels }: SheetFacts,
  { translate: t, locale }: MessageContext,
): string | undefined {
  const { models } = prediction;
  const costs = models.flatMap(model => {
    const price = findPrice(prices, model.model)?.price;
    return price === undefined ? [] : [costOf(model, price)];
  });
  if (costs.length === 0 || costs.length < models.length) {
    return undefined;
  }
  const most = toMoney(addMoney(costs).high, currency, locale, 'up');
  const likely = predictedTotal(prediction, prices);
  const amount =
    likely === undefined
      ? t('At most {0}', most)
      : t('About {0}, at most {1}', toPredictedMoney(likely, { translate: t, currency, locale }), most);
  const isOfFolder = models.some(({ model }) => folderModels.has(findPrice(prices, model)?.id ?? ''));
  return [
    amount,
    ...(opaqueBlocks + withoutMaxTokens > 0 ? [t("plus what can't be estimated")] : []),
    ...(isOfFolder ? [t("with prices from this folder's settings")] : []),
  ].join(', ');
}

function toTokensNotes(facts: SheetFacts, context: MessageContext): readonly SheetBlock[] {
  const { translate: t } = context;
  const { count, hasNoCounts, connection } = facts;
  const tokens = describeTokens(predictionOf(facts), facts, context);
  return [
    ...(tokens === '' ? [] : [toNote('plain', tokens)]),
    ...(count.name === 'failed' && hasNoCounts
      ? [toNote('plain', t("{0} doesn't count tokens, so the estimate comes from the text.", toLabel(connection?.name ?? '', 80)))]
      : count.name === 'failed'
        ? [toNote('warning', t("The sample couldn't be counted. {0}", toSentence(toLabel(count.problem, 500))))]
        : []),
  ];
}

function toLimitNote(facts: SheetFacts, context: MessageContext): readonly SheetBlock[] {
  const exceeded = facts.isToSend && facts.survey.name !== 'running' ? limitOf(facts) : undefined;
  return exceeded === undefined || facts.outgoing === undefined
    ? []
    : [toNote('warning', describeLimit(exceeded, { ...context, currency: facts.currency }))];
}

function toPartsNote({ outgoing, limits, choice }: SheetFacts, { translate: t, locale }: MessageContext): readonly SheetBlock[] {
  const { parts } = outgoing ?? {};
  if (parts === undefined) {
    return [];
  }
  const most = toNumber(limits.maxRequests, locale);
  const text =
    parts.length === 0
      ? t('One request exceeds the limits of a batch. Shorten it first.')
      : t('Sent as {0} batches of at most {1} requests, shown as one.', toNumber(parts.length, locale), most);
  const split: SheetLink = { label: t('Split into Files...'), act: { type: 'split' } };
  return [{ kind: 'note', tone: parts.length === 0 ? 'error' : 'plain', text, ...(choice === 'all' && { links: [split] }) }];
}

function toSessionsNote(facts: SheetFacts, { translate: t, locale }: MessageContext): readonly SheetBlock[] {
  const { isAboutSessions, outgoing, connection } = facts;
  if (!isAboutSessions || outgoing === undefined || connection === undefined) {
    return [];
  }
  const host = toLabel(connection.host === '' ? connection.name : connection.host, 200);
  const { requestCount } = outgoing;
  return [
    toNote(
      'plain',
      requestCount === 1
        ? t('The transcript of 1 session is sent to {0}.', host)
        : t('The transcripts of {0} sessions are sent to {1}.', toNumber(requestCount, locale), host),
    ),
  ];
}

function toSecretsNote({ survey }: SheetFacts, { translate: t }: MessageContext): readonly SheetBlock[] {
  return survey.name === 'done' && survey.survey.findings.some(({ kind }) => kind === 'secret')
    ? [toNote('error', t('This file contains secrets. Anyone with access to the batch or its results can read them.'))]
    : [];
}

function toRepeats(facts: SheetFacts, context: MessageContext): readonly SheetBlock[] {
  const { translate: t } = context;
  const { repeats, isToSend } = facts;
  if (repeats.length === 0 || !isToSend) {
    return [];
  }
  const resolve: SheetLink = { label: t('Show Submission Log'), act: { type: 'resolve' } };
  // One line for each other file, however often it was sent.
  const keyOf = ({ id, source, state }: Submission) => (source === facts.source ? id : `${source} ${state}`);
  const shown = repeats.filter((repeat, index) => repeats.findIndex(other => keyOf(other) === keyOf(repeat)) === index);
  const items = shown.slice(0, 3).map<SheetItem>(repeat => ({
    tone: 'warning',
    text: describeRepeat(repeat, context, { source: facts.source, requestCount: facts.outgoing?.requestCount }),
    ...(repeat.state === 'unknown' && { links: [resolve] }),
  }));
  return [{ kind: 'list', items }];
}
