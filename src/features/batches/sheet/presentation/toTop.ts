import { findPrice } from '../../../../common/readPrices';
import { describeRequests } from '../../../../common/text/presentation';
import { formatText, type Problem, severityOrder } from '../../../../contract/problem';
import type { BatchFileReport } from '../../../../jsonl/checking/batchFileReport';
import { hasFixes } from '../../../../jsonl/fixes/fixesOfProblem';
import { rulePages } from '../../../../jsonl/rules/rulePages';
import type { RuleId } from '../../../../jsonl/rules/ruleTable';
import type { FileSurvey } from '../../../../jsonl/survey/fileSurvey';
import { toNumber } from '../../../../shared/formats';
import type { SheetBlock, SheetChoice, SheetItem, SheetLink } from '../../../../shared/sheet/sheetProtocol';
import { join, toLabel, toProblemCount } from '../../../../shared/text';
import type { Submission } from '../../../ledger';
import { describeAct, describeCause, describeCredit, describeReason } from '../../retrying/retryPresentation';
import { addMoney, costOf, describeCost, toMoney, toPredictedMoney } from '../../runCost';
import { describeLimit } from '../../spendLimit';
import { describeRepeat, type MessageContext, toSentence, translateText } from '../../submitting/createBatchMessages';
import type { Choices, ChosenLines } from '../choices';
import type { Prediction } from '../prediction';
import { describeTokens, predictedTotal } from './estimatePresentation';
import {
  hostLabel,
  isToConvert,
  limitOf,
  type OutgoingFacts,
  predictionOf,
  present,
  type SheetFacts,
  sendability,
  toNote,
  withoutLimits,
} from './sheetFacts';

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
  const { outgoing, survey } = facts;
  const hasRequests = outgoing !== undefined && report.requestCount > 0;
  const exceeded = facts.isToSend && outgoing !== undefined && survey.name !== 'running' ? limitOf(facts) : undefined;
  const hasSecrets = survey.name === 'done' && survey.survey.findings.some(({ kind }) => kind === 'secret');
  return [
    ...toChoiceBlocks(facts, context),
    ...(hasRequests ? [toNote('plain', describeSending(facts, outgoing, context)), toCost(facts, outgoing, context)] : []),
    ...(hasRequests ? toTokensNotes(facts, context) : []),
    ...(outgoing === undefined ? [] : toProblemBlocks(facts, report, context)),
    ...present(
      toPartsNote(facts, context),
      toSessionsNote(facts, context),
      exceeded && toNote('warning', describeLimit(exceeded, { ...context, currency: facts.currency })),
      hasSecrets && toNote('error', t('This file contains secrets. Anyone with access to the batch or its results can read them.')),
    ),
    ...toRepeats(facts, context),
    ...toCauseBlocks(facts, context),
  ];
}

function describeSending({ connection }: SheetFacts, { requestCount, models }: OutgoingFacts, context: MessageContext): string {
  const { translate: t, locale } = context;
  const requests = describeRequests(requestCount, context);
  const kinds = models.length === 1 ? t('1 model') : t('{0} models', toNumber(models.length, locale));
  return connection === undefined ? t('{0}, {1}', requests, kinds) : t('{0} to {1}, {2}', requests, hostLabel(connection), kinds);
}

function toCost(facts: SheetFacts, { models }: OutgoingFacts, context: MessageContext): SheetBlock {
  const { translate: t } = context;
  const { survey, prices } = facts;
  const names = models.map(([model]) => model).filter(model => model !== '');
  const hasPrices = names.every(model => findPrice(prices, model) !== undefined);
  const prediction = predictionOf(facts);
  const canCount = !facts.hasNoCounts && survey.name === 'done' && (facts.count.name === 'none' || facts.count.name === 'failed');
  const text =
    survey.name === 'done' && prediction !== undefined
      ? (describeMoney(survey.survey, prediction, facts, context) ?? t('Set prices to see the cost'))
      : survey.name === 'running'
        ? t('Estimating…')
        : t('No estimate');
  return {
    kind: 'prices',
    text,
    ...(facts.connection !== undefined &&
      canCount && {
        count: {
          label: t('Count a Sample'),
          name: t('Count a Sample ({0})', hostLabel(facts.connection)),
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

/** Describes the likely and the highest cost. `undefined` if a model has no price. */
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
  const open = opaqueBlocks + withoutMaxTokens > 0 ? t("plus content that can't be estimated") : '';
  return join(', ', amount, open, isOfFolder ? t("with prices from this folder's settings") : '');
}

function toTokensNotes(facts: SheetFacts, context: MessageContext): readonly SheetBlock[] {
  const { translate: t } = context;
  const { count, hasNoCounts, connection } = facts;
  const tokens = describeTokens(facts, context);
  return present(
    tokens !== '' && toNote('plain', tokens),
    count.name === 'failed' &&
      (hasNoCounts
        ? toNote('plain', t("{0} doesn't count tokens, so the estimate is based on the text.", toLabel(connection?.name ?? '', 80)))
        : toNote('warning', t("Couldn't count the tokens of the sample. {0}", toSentence(toLabel(count.problem, 500))))),
  );
}

function toPartsNote({ outgoing, limits, choice }: SheetFacts, { translate: t, locale }: MessageContext): SheetBlock | undefined {
  const { parts } = outgoing ?? {};
  // If a single request is over the limits, the footer reports it.
  if (parts === undefined || parts.length === 0) {
    return undefined;
  }
  const most = toNumber(limits.maxRequests, locale);
  const text = t('Sent as {0} batches of at most {1} requests, shown as one.', toNumber(parts.length, locale), most);
  const split: SheetLink = { label: t('Split into Files...'), act: { type: 'split' } };
  return { kind: 'note', tone: 'plain', text, ...(choice === 'all' && { links: [split] }) };
}

function toSessionsNote(facts: SheetFacts, { translate: t, locale }: MessageContext): SheetBlock | undefined {
  const { isAboutSessions, outgoing, connection } = facts;
  if (!isAboutSessions || outgoing === undefined || connection === undefined) {
    return undefined;
  }
  const host = hostLabel(connection);
  const { requestCount } = outgoing;
  const singular = t('The transcript of 1 session is sent to {0}.', host);
  return toNote(
    'plain',
    requestCount === 1 ? singular : t('The transcripts of {0} sessions are sent to {1}.', toNumber(requestCount, locale), host),
  );
}

function toRepeats(facts: SheetFacts, context: MessageContext): readonly SheetBlock[] {
  const { translate: t } = context;
  const { repeats, isToSend } = facts;
  if (repeats.length === 0 || !isToSend) {
    return [];
  }
  const resolve: SheetLink = { label: t('Show Submission Log'), act: { type: 'resolve' } };
  // Submissions of another file with the same state share one line.
  const keyOf = ({ id, source, state }: Submission) => (source === facts.source ? id : `${source} ${state}`);
  const shown = repeats.filter((repeat, index) => repeats.findIndex(other => keyOf(other) === keyOf(repeat)) === index);
  const items = shown.slice(0, 3).map<SheetItem>(repeat => ({
    tone: 'warning',
    text: describeRepeat(repeat, context, { source: facts.source, requestCount: facts.outgoing?.requestCount }),
    ...(repeat.state === 'unknown' && { links: [resolve] }),
  }));
  return [{ kind: 'list', items }];
}

const linesLinked = 3;

/** Returns the choice of requests, with notes about the selected requests and about missing choices. */
function toChoiceBlocks(facts: SheetFacts, context: MessageContext): readonly SheetBlock[] {
  const { translate: t } = context;
  const { choice, choices, total } = facts;
  const rows = toChoices(facts, context);
  const { note, unfetched = [], trial } = choices ?? {};
  const fetch: SheetLink = { label: t('Fetch Results'), act: { type: 'fetchEarlier' } };
  return present<SheetBlock>(
    rows.length > 1 && { kind: 'choices', name: t('Send'), chosen: choice, choices: rows },
    trial && toTrialNote(trial, facts, context),
    choice === undefined &&
      choices !== undefined &&
      toNote(
        'plain',
        note !== undefined || choices.follows === undefined
          ? t('Select the requests to send.')
          : total === 1
            ? t('The request has a result for its current text, or is running.')
            : t('All {0} requests have results for their current text, or are running.', toNumber(total, context.locale)),
      ),
    note !== undefined && { kind: 'note', tone: 'plain', text: note, ...(unfetched.length > 0 && { links: [fetch] }) },
    choice === 'changed' && choices?.changed && toNote('plain', describeChanged(choices.changed.counts, context)),
  );
}

type ChoiceRow = Extract<SheetBlock, { kind: 'choices' }>['choices'][number];

function toChoices({ choices, total, trialSize }: SheetFacts, { translate: t, locale }: MessageContext): readonly ChoiceRow[] {
  const number = (value: number) => toNumber(value, locale);
  const row = (choice: SheetChoice, label: string) => ({ choice, label });
  const { rest, changed, retry } = choices ?? {};
  const retried = retry?.plan.groups.reduce((sum, { lines }) => sum + lines.length, 0) ?? 0;
  const size = { value: trialSize, most: total - 1, name: t('Trial size') };
  return present<ChoiceRow>(
    rest && row('rest', t('The remaining {0}', number(rest.lines.length))),
    row('all', t('All {0}', number(total))),
    changed && row('changed', t('Changed since the last run: {0}', number(changed.lines.length))),
    retried > 0 && row('retry', t('Without a good result: {0}', number(retried))),
    total > 1 && rest === undefined && { ...row('trial', t('Trial: {size} first')), size },
  );
}

function toTrialNote(
  { sampled, succeeded, unmet, low, high, cost }: NonNullable<Choices['trial']>,
  { choices, currency }: SheetFacts,
  { translate: t, locale }: MessageContext,
): SheetBlock {
  const number = (value: number) => toNumber(value, locale);
  const money = cost === undefined ? '' : `, ${describeCost(cost, { translate: t, locale, currency })}`;
  const outcome = t('Trial: {0} of {1} succeeded{2}.', number(succeeded), number(sampled), money);
  const failed = unmet === 0 ? '' : t('Not as expected: {0}.', number(unmet));
  const [from, to] = [number(Math.floor(low * 100)), number(Math.ceil(high * 100))];
  const { rest } = choices ?? {};
  const expected = rest ? t('Expect {0} to {1}% of the remaining {2} to succeed.', from, to, number(rest.lines.length)) : '';
  return toNote(succeeded < sampled ? 'warning' : 'good', join(' ', outcome, failed, expected));
}

function describeChanged({ new: added, changed, unknown }: ChosenLines['counts'], { translate: t, locale }: MessageContext): string {
  const number = (value: number) => toNumber(value, locale);
  const reasons = present(
    added > 0 && t('{0} new', number(added)),
    changed > 0 && t('{0} changed', number(changed)),
    unknown > 0 && t('{0} sent before, charged again', number(unknown)),
  );
  return t('{0}. Answers from different runs may differ.', reasons.join(', '));
}

/** Returns a row for each cause of a retry, with the change in its requests. */
function toCauseBlocks(facts: SheetFacts, context: MessageContext): readonly SheetBlock[] {
  const { retry } = facts.choices ?? {};
  if (facts.choice !== 'retry' || retry === undefined) {
    return [];
  }
  const { plan, sources, choice } = retry;
  const { translate: t, locale } = context;
  const items = plan.groups.map<SheetItem>(group => {
    const presentation = { ...context, now: Date.now() };
    const isGone = group.lines.length === 0;
    const change: SheetLink = {
      label: t('Change...'),
      name: t('Change the requests to send: {0}', toLabel(describeCause(group, presentation), 60)),
      act: { type: 'changeCause', cause: group.key },
    };
    const lines = [...group.lines.subarray(0, linesLinked)]
      .filter((_, at) => sources.files[group.places[at * 2] ?? -1]?.source === facts.source)
      .map((line): SheetLink => ({ label: t('Line {0}', toNumber(line + 1, locale)), act: { type: 'openPlace', line, start: 0, end: 0 } }));
    const goneNote = group.gone === 0 ? '' : t('No longer in a file: {0}.', toNumber(group.gone, locale));
    const unknownNote =
      group.unknown === 0 ? '' : t('Left out because the request list of their batch is missing: {0}.', toNumber(group.unknown, locale));
    const detail = join(' ', describeReason(group, presentation), describeCredit(group, presentation) ?? '', goneNote, unknownNote);
    return {
      tone: 'plain',
      check: { cause: group.key, isChosen: choice.has(group), isDisabled: isGone || facts.isSending },
      text: t(
        '{0} {1}: {2}',
        toNumber(group.count, locale),
        toLabel(describeCause(group, presentation), 90),
        toLabel(describeAct(group, choice.actOf(group), presentation), 80),
      ),
      detail: toLabel(detail, 400),
      links: isGone ? [] : [...lines, change],
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

const rulesShown = 12;
/** Number of rules that are listed without expanding the list if there are errors. */
const errorsShown = 3;

/** Returns the problems of the file: one line with counts and links, and a list by rule, worst first. */
function toProblemBlocks(facts: SheetFacts, report: BatchFileReport, context: MessageContext): readonly SheetBlock[] {
  const { translate: t, locale } = context;
  // The note about parts covers the limits.
  const { problemCounts: counts, ruleCounts } = withoutLimits(report);
  if (ruleCounts.length === 0) {
    return [toNote('good', report.ruleCounts.length === 0 ? t('No problems found') : t('No other problems'))];
  }
  // If a rule has several problems, the first problem wins.
  const worst = new Map(report.problems.toReversed().map(problem => [problem.rule, problem]));
  // The listed problems are the most severe. A rule without a listed problem ranks below them.
  const rank = (rule: string) => severityOrder.indexOf(worst.get(rule)?.severity ?? 'hint');
  const rules = [...ruleCounts].sort((a, b) => rank(a.rule) - rank(b.rule));
  const isAsWorst = ({ rule, text }: Problem) => formatText(text) === formatText(worst.get(rule)?.text ?? text);
  const varied = new Set(report.problems.filter(problem => !isAsWorst(problem)).map(({ rule }) => rule));
  const items = rules.slice(0, rulesShown).map<SheetItem>(({ rule, count, firstLine }) => {
    const first = worst.get(rule);
    const { line, start, end, severity } = first ?? { line: firstLine, start: 0, end: 0, severity: undefined };
    const number = toNumber(line + 1, locale);
    const sentence = first === undefined ? rule : toSentence(translateText(first.text, context));
    const page = rulePages[rule as RuleId];
    const isTitled = varied.has(rule) && page !== undefined;
    const label = isTitled ? t(page.title) : sentence;
    return {
      tone: severity === 'error' || severity === 'warning' ? severity : 'plain',
      text: count === 1 ? label : t('{0} ({1} times)', label, toNumber(count, locale)),
      detail: isTitled ? sentence : rule,
      ...(facts.hasLines && {
        links: [
          { label: t('Line {0}', number), name: t('Line {0}, first of {1}', number, rule), act: { type: 'openPlace', line, start, end } },
        ],
      }),
    };
  });
  const rest = rules.length - items.length;
  const raised = facts.folderRules.filter(id => rules.some(({ rule }) => rule === id));
  const shown = counts.error > 0 || report.refusedCount > 0 ? Math.min(errorsShown, items.length) : 0;
  return [
    {
      kind: 'note',
      tone: counts.error > 0 ? 'error' : counts.warning > 0 ? 'warning' : 'plain',
      text: join(
        '. ',
        toProblemCount(counts, t, locale),
        report.refusedCount > 0
          ? t(
              'Requests that the service may reject: {0} of {1}.',
              toNumber(report.refusedCount, locale),
              toNumber(report.requestCount, locale),
            )
          : '',
      ),
      links: present<SheetLink>(rules.some(({ rule }) => hasFixes(rule)) && { label: t('Fix...'), act: { type: 'fix' } }, {
        label: t('Show in Problems View'),
        act: { type: 'showProblems' },
      }),
    },
    ...present(
      sendability(report, facts.outgoing) === 'anyway' && toNote('warning', t('The service may reject the batch or fail these requests.')),
    ),
    {
      kind: 'list',
      items,
      ...(shown < items.length && {
        folded: { shown, more: shown === 0 ? t('Show Problems') : t('Show {0} More', items.length - shown), fewer: t('Show Fewer') },
      }),
    },
    ...present(
      raised.length > 0 && toNote('plain', t("This folder's settings raise the severity of {0}.", raised.join(', '))),
      rest > 0 && toNote('plain', t('Other rules with problems: {0}', toNumber(rest, locale))),
    ),
  ];
}
