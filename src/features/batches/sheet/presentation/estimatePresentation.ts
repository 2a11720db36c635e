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
/** Placeholder for an unknown number in a cell. */
const unknown = '…';

/** Returns the table of models: their requests from the check, and the tokens and cost from the survey. */
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
    more: t('Show {0} More Models', toNumber(rows.length - modelsShown, locale)),
    fewer: t('Show Fewer Models'),
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
      const source = from.isOfFile
        ? t('based on past results of this file ({0})', answers)
        : t('based on past results of other files ({0})', answers);
      return { tone: 'plain', text: `${about}${money}, ${source}` };
    });
  return items.length === 0 ? [] : [{ kind: 'list', items }];
}

/**
 * Returns the likely output of all models together, and its cost with the input if each has a price. `undefined` if a model has no past
 * answers.
 */
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
      : [toNote('plain', t('No price is set for {0}: they are not part of the sum.', listModels(unpriced, context)))]),
    ...(byAlias.length === 0 ? [] : [toNote('plain', describeAliases(byAlias.slice(0, 5), context))]),
    ...(ofFolder.length === 0
      ? []
      : [
          toNote(
            'warning',
            t("The prices of {0} come from this folder's settings. Set your own to replace them.", listModels(ofFolder, context)),
          ),
        ]),
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
      t('Input: from the text of tools, system prompts and messages. How the service cuts text into tokens is not known, hence a range.'),
      t('Output: from nothing to the sum of max_tokens. More cannot be generated, and usually less is.'),
      ...(likelyModels(survey, { past, prices }).length === 0
        ? []
        : [t('Likely output: the average of the answers that you fetched to this file, or else of the same model, within max_tokens.')]),
      ...(survey === undefined || survey.withoutMaxTokens === 0
        ? []
        : [
            t('Requests without a max_tokens that counts: {0}. Their output is not in the sum.', toNumber(survey.withoutMaxTokens, locale)),
          ]),
      ...(survey === undefined || survey.skippedLines === 0
        ? []
        : [t('Lines that are no requests: {0}. They are not counted.', toNumber(survey.skippedLines, locale))]),
      ...(opaque === 0 ? [] : [t('Images, documents and other blocks: {0}. They are not counted.', toNumber(opaque, locale))]),
      t('Cached prompts: the upper bound writes everything up to a cache marker, the lower bound reads it.'),
    ],
  };
}

/** Describes the input of a survey in one sentence for screen readers. */
export function describeInput({ input }: FileSurvey, context: MessageContext): string {
  return context.translate('{0} input tokens.', toRange(input, context));
}
