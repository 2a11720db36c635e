import { findPrice } from '../../../../common/readPrices';
import type { FileSurvey } from '../../../../jsonl/survey/fileSurvey';
import { toNumber } from '../../../../shared/formats';
import type { SheetBlock, SheetItem, SheetSection } from '../../../../shared/sheet/sheetProtocol';
import { toLabel } from '../../../../shared/text';
import { describeAliases } from '../../fileRuns/runCost';
import type { MessageContext } from '../../submitting/createBatchMessages';
import { likelyOutput } from '../pastOutput';
import { addMoney, costOf, likelyCost, type MoneyRange, toMoney, toMoneyRange } from './estimateMoney';
import { toNote } from './sheetBlocks';
import type { SheetFacts } from './sheetFacts';
import { toRange, toTokens, toUpTo } from './tokenRange';

const modelsShown = 8;
/** In a cell whose number is not known yet. */
const unknown = '…';

/** The models of what would be sent with their requests, which the check knows, and the tokens and money of each, which the survey adds. */
export function toTokensSection(facts: SheetFacts, context: MessageContext): SheetSection {
  const { translate: t, locale } = context;
  const { survey: state, prices, currency } = facts;
  const survey = state.name === 'done' ? state.survey : undefined;
  const pending = state.name === 'running' ? unknown : '–';
  const counted =
    survey?.models ?? ((facts.outgoing ?? facts.report)?.models ?? []).map(([model, requests]) => ({ model, requests, input: undefined }));
  const hasPrices = counted.some(({ model }) => findPrice(prices, model) !== undefined);
  const money = { translate: t, currency, locale };
  const costs: MoneyRange[] = [];
  const rows = counted.map(model => {
    const price = findPrice(prices, model.model)?.price;
    const isKnown = model.input !== undefined;
    const cost = isKnown && price !== undefined ? costOf(model, price) : undefined;
    if (cost !== undefined) {
      costs.push(cost);
    }
    return [
      model.model === '' ? t('Others, or none') : toLabel(model.model, 100),
      toNumber(model.requests, locale),
      isKnown ? toRange(model.input, context) : pending,
      isKnown ? toUpTo(model.maxOutput, context) : pending,
      ...(hasPrices ? [cost === undefined ? (price === undefined ? t('no price') : pending) : toMoneyRange(cost, money)] : []),
    ];
  });
  const total = [
    t('All'),
    toNumber((facts.outgoing ?? facts.report)?.requestCount ?? survey?.requests ?? 0, locale),
    survey === undefined ? pending : toRange(survey.input, context),
    survey === undefined ? pending : toUpTo(survey.maxOutput, context),
    ...(hasPrices ? [survey === undefined ? pending : toMoneyRange(addMoney(costs), money)] : []),
  ];
  const table: SheetBlock = {
    kind: 'table',
    name: t('Requests, tokens and cost by model'),
    head: [t('Model'), t('Requests'), t('Input tokens'), t('Output tokens'), ...(hasPrices ? [t('Cost')] : [])],
    rows,
    ...(rows.length > 1 && { total }),
    shown: modelsShown,
    more: t('Show {0} More', toNumber(rows.length - modelsShown, locale)),
    fewer: t('Show Fewer'),
  };
  return {
    id: 'tokens',
    title: t('Tokens and Cost'),
    blocks: [table, ...toLikely(survey, facts, context), ...toPriceNotes(counted, facts, context), toAssumptions(survey, facts, context)],
  };
}

/** Returns the likely output and cost of each model, by past answers. */
function toLikely(survey: FileSurvey | undefined, { past, prices, currency }: SheetFacts, context: MessageContext): readonly SheetBlock[] {
  const { translate: t, locale } = context;
  const items = likelyModels(survey, { past, prices })
    .slice(0, modelsShown)
    .map<SheetItem>(({ model, tokens, cost, from }) => {
      const name = model === '' ? t('Others, or none') : toLabel(model, 100);
      const about = t('{0}: about {1} output tokens', name, toTokens(tokens, locale, Math.round));
      const money = cost === undefined ? '' : `, ${t('{0} in all', toMoney(cost, currency, locale, 'nearest'))}`;
      const answers = toNumber(from.answers, locale);
      const source = t('based on past results ({0})', answers);
      return { tone: 'plain', text: `${about}${money}, ${source}` };
    });
  return items.length === 0 ? [] : [{ kind: 'list', items }];
}

/** The output that is likely of all models together, and what it costs with the input where each has a price; undefined where a model has no past. */
export function likelyOf(
  survey: FileSurvey,
  known: Pick<SheetFacts, 'past' | 'prices'>,
): { readonly tokens: number; readonly cost: number | undefined } | undefined {
  const likely = likelyModels(survey, known);
  if (likely.length === 0 || likely.length < survey.models.length) {
    return undefined;
  }
  const plus = (sum: number | undefined, more: number | undefined) => (sum === undefined || more === undefined ? undefined : sum + more);
  return {
    tokens: likely.reduce((sum, { tokens }) => sum + tokens, 0),
    cost: likely.reduce<number | undefined>((sum, { cost }) => plus(sum, cost), 0),
  };
}

function likelyModels(survey: FileSurvey | undefined, { past, prices }: Pick<SheetFacts, 'past' | 'prices'>) {
  return (survey?.models ?? []).flatMap(model => {
    const output = likelyOutput(model, past);
    return output === undefined
      ? []
      : [{ ...model, ...output, cost: likelyCost(model, output.tokens, findPrice(prices, model.model)?.price) }];
  });
}

/** Notes which prices are missing, are those of an alias, or come from the folder's settings. */
function toPriceNotes(
  models: readonly { readonly model: string }[],
  { prices, folderModels }: SheetFacts,
  context: MessageContext,
): readonly SheetBlock[] {
  const { translate: t } = context;
  const idOf = (model: string) => findPrice(prices, model)?.id;
  const names = models.map(({ model }) => model);
  const unpriced = names.filter(model => idOf(model) === undefined);
  const ofFolder = names.filter(model => folderModels.has(idOf(model) ?? ''));
  const byAlias = names.flatMap(model => {
    const alias = idOf(model) ?? model;
    return alias === model ? [] : [{ model, alias }];
  });
  return [
    ...(unpriced.length === 0 || unpriced.length === names.length
      ? []
      : [toNote('plain', t('No price for {0}.', listModels(unpriced, context)))]),
    ...(byAlias.length === 0 ? [] : [toNote('plain', describeAliases(byAlias.slice(0, 5), context))]),
    ...(ofFolder.length === 0 ? [] : [toNote('warning', t("Prices from this folder's settings"))]),
  ];
}

/** Lists the first five models for a sentence, and counts the others. */
function listModels(models: readonly string[], { translate: t, locale }: MessageContext): string {
  const shown = models.slice(0, 5).map(model => (model === '' ? t('other models') : toLabel(model, 60)));
  const rest = models.length - shown.length;
  return rest > 0 ? t('{0} and {1} more', shown.join(', '), toNumber(rest, locale)) : shown.join(', ');
}

function toAssumptions(survey: FileSurvey | undefined, { past, prices }: SheetFacts, { translate: t, locale }: MessageContext): SheetBlock {
  const opaque = survey?.opaqueBlocks ?? 0;
  return {
    kind: 'fold',
    title: t('How this is estimated'),
    lines: [
      t("Input is a range, because the service's tokenizer is unknown."),
      t('Output is at most the sum of max_tokens.'),
      ...(likelyModels(survey, { past, prices }).length === 0 ? [] : [t('Likely output is the average of past answers.')]),
      ...(survey === undefined || survey.withoutMaxTokens === 0
        ? []
        : [t('Without max_tokens: {0}. Not counted.', toNumber(survey.withoutMaxTokens, locale))]),
      ...(survey === undefined || survey.skippedLines === 0
        ? []
        : [t('Not requests: {0}. Not counted.', toNumber(survey.skippedLines, locale))]),
      ...(opaque === 0 ? [] : [t('Images, documents and other blocks: {0}. Not counted.', toNumber(opaque, locale))]),
      t('Cached prompts: written in the upper bound, read in the lower.'),
    ],
  };
}

/** The input of a survey in one sentence, to be said aloud. */
export function describeInput({ input }: FileSurvey, context: MessageContext): string {
  return context.translate('{0} input tokens.', toRange(input, context));
}
