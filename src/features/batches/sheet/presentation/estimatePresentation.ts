import { findPrice, type Prices } from '../../../../common/readPrices';
import type { FileSurvey, SharedPrefix, TokenRange } from '../../../../jsonl/survey/fileSurvey';
import { numberFormat, toNumber } from '../../../../shared/formats';
import type { SheetBlock, SheetItem, SheetLink, SheetSection } from '../../../../shared/sheet/sheetProtocol';
import { join, toLabel } from '../../../../shared/text';
import {
  addMoney,
  addPredicted,
  costOf,
  describeAliases,
  type MoneyRange,
  type PredictedMoney,
  predictedCost,
  savedMoney,
  savedTokens,
  toMoney,
  toMoneyRange,
  toPredictedMoney,
} from '../../runCost';
import type { MessageContext } from '../../submitting/createBatchMessages';
import { sampleSize } from '../countSample';
import type { Prediction } from '../prediction';
import { hostLabel, predictionOf, present, type SheetFacts, toNote } from './sheetFacts';

const modelsShown = 8;
const unknown = '…';

/** Returns the table of models: their requests from the check, and the tokens and cost from the survey. */
export function toTokensSection(facts: SheetFacts, context: MessageContext): SheetSection {
  const { translate: t, locale } = context;
  const { survey: state, prices, currency } = facts;
  const survey = state.name === 'done' ? state.survey : undefined;
  const prediction = predictionOf(facts);
  const pending = state.name === 'running' ? unknown : '–';
  const counted =
    prediction?.models ??
    ((facts.outgoing ?? facts.report)?.models ?? []).map(([model, requests]) => ({ model, requests, input: undefined }));
  const hasPrices = counted.some(({ model }) => findPrice(prices, model) !== undefined);
  const money = { translate: t, currency, locale };
  const costs: MoneyRange[] = [];
  const toCells = (name: string, requests: number, input: TokenRange | undefined, maxOutput: number | undefined, cost: string) => [
    name,
    toNumber(requests, locale),
    input === undefined ? pending : toRange(input, context),
    maxOutput === undefined ? pending : t('0 to {0}', toTokens(maxOutput, locale, Math.ceil)),
    ...(hasPrices ? [cost] : []),
  ];
  const rows = counted.map(model => {
    const price = findPrice(prices, model.model)?.price;
    const isKnown = model.input !== undefined;
    const cost = isKnown && price !== undefined ? costOf(model, price) : undefined;
    costs.push(...(cost === undefined ? [] : [cost]));
    const costText = cost === undefined ? (price === undefined ? t('no price') : pending) : toMoneyRange(cost, money);
    return toCells(nameOf(model.model, context), model.requests, model.input, isKnown ? model.maxOutput : undefined, costText);
  });
  const requests = (facts.outgoing ?? facts.report)?.requestCount ?? survey?.requests ?? 0;
  const totalCost = survey === undefined ? pending : toMoneyRange(addMoney(costs), money);
  const total = toCells(t('All'), requests, prediction?.input, survey?.maxOutput, totalCost);
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
    blocks: [
      table,
      ...toLikely(prediction, facts, context),
      ...toPriceNotes(
        counted.map(({ model }) => model),
        facts,
        context,
      ),
      toAssumptions(survey, facts, context),
    ],
  };
}

function nameOf(model: string, { translate: t }: MessageContext): string {
  return model === '' ? t('Other or no model') : toLabel(model, 100);
}

function toLikely(prediction: Prediction | undefined, { prices, currency }: SheetFacts, context: MessageContext): readonly SheetBlock[] {
  const { translate: t, locale } = context;
  const items = (prediction?.models ?? []).flatMap<SheetItem>(({ model, input, output, cacheMix }) => {
    if (output === undefined) {
      return [];
    }
    const price = findPrice(prices, model)?.price;
    const about = t(
      '{0}: about {1} output tokens ({2})',
      nameOf(model, context),
      toTokens(output.likely, locale, Math.round),
      toRange(output, context),
    );
    const cost = price && predictedCost({ input, output, cacheMix }, price);
    const money = cost === undefined ? '' : `, ${t('{0} in total', toPredictedMoney(cost, { translate: t, currency, locale }))}`;
    const answers = toNumber(output.from.answers, locale);
    const source = {
      file: () => t('based on past results of this file ({0})', answers),
      template: () => t('based on past results of the same system prompt and tools ({0})', answers),
      model: () => t('based on past results of other files ({0})', answers),
    }[output.from.scope]();
    return [{ tone: 'plain', text: `${about}${money}, ${source}` }];
  });
  return items.length === 0 ? [] : [{ kind: 'list', items: items.slice(0, modelsShown) }];
}

/** Returns the predicted cost of all models, or `undefined` if the output or the price of a model is not known. */
export function predictedTotal({ models }: Prediction, prices: Prices): PredictedMoney | undefined {
  const costs = models.flatMap(({ output, ...model }) => {
    const price = findPrice(prices, model.model)?.price;
    return output === undefined || price === undefined ? [] : [predictedCost({ ...model, output }, price)];
  });
  return costs.length === 0 || costs.length < models.length ? undefined : addPredicted(costs);
}

/** Describes counted or learned input and predicted output. Empty if neither is known. */
export function describeTokens(facts: SheetFacts, { translate: t, locale }: MessageContext): string {
  const prediction = predictionOf(facts);
  if (prediction === undefined) {
    return '';
  }
  const { count } = facts;
  const { input, inputFrom, output } = prediction;
  const counted = count.name === 'done' ? count.strata.reduce((sum, stratum) => sum + stratum.counted.length, 0) : 0;
  const halfWidth = numberFormat(locale, { style: 'percent', maximumSignificantDigits: 2 }).format(
    (input.high - input.low) / 2 / Math.max(1, input.likely),
  );
  const tokens = toTokens(input.likely, locale, Math.round);
  const ends = output && ([toTokens(output.low, locale, Math.floor), toTokens(output.high, locale, Math.ceil)] as const);
  return join(
    ' · ',
    inputFrom === 'counted' ? t('{0} input tokens (±{1}, requests counted: {2})', tokens, halfWidth, toNumber(counted, locale)) : '',
    inputFrom === 'past' ? t('{0} input tokens (±{1}, based on past results)', tokens, halfWidth) : '',
    ends === undefined ? '' : t('{0} to {1} output tokens (based on past results)', ...ends),
  );
}

function toPriceNotes(names: readonly string[], { prices, folderModels }: SheetFacts, context: MessageContext): readonly SheetBlock[] {
  const { translate: t } = context;
  const idOf = (model: string) => findPrice(prices, model)?.id;
  const unpriced = names.filter(model => idOf(model) === undefined);
  const ofFolder = names.filter(model => folderModels.has(idOf(model) ?? ''));
  const byAlias = names.flatMap(model => {
    const alias = idOf(model) ?? model;
    return alias === model ? [] : [{ model, alias }];
  });
  const hasSome = unpriced.length > 0 && unpriced.length < names.length;
  const unpricedNames = unpriced.map(model => (model === '' ? t('other models') : toLabel(model, 60)));
  return present(
    hasSome && toNote('plain', t('No price for {0}.', listSome(unpricedNames, context))),
    byAlias.length > 0 && toNote('plain', describeAliases(byAlias.slice(0, 5), context)),
    ofFolder.length > 0 && toNote('warning', t("Prices from this folder's settings")),
  );
}

/** Lists the first five names, and how many more there are. */
export function listSome(names: readonly string[], { translate: t, locale }: MessageContext): string {
  const shown = names.slice(0, 5).join(', ');
  return names.length > 5 ? t('{0} and {1} more', shown, toNumber(names.length - 5, locale)) : shown;
}

function toAssumptions(survey: FileSurvey | undefined, facts: SheetFacts, { translate: t, locale }: MessageContext): SheetBlock {
  const { opaqueBlocks = 0, withoutMaxTokens = 0, skippedLines = 0 } = survey ?? {};
  const { connection } = facts;
  const models = predictionOf(facts)?.models ?? [];
  return {
    kind: 'fold',
    title: t('How this is estimated'),
    lines: present(
      t("Input is a range, because the service's tokenizer is unknown."),
      models.some(({ inputFrom }) => inputFrom === 'past') &&
        t('Past results: the ratio of billed tokens to text in your finished batches, and its range.'),
      connection &&
        t(
          "Count a Sample sends up to {0} requests to {1}, which counts their tokens without running them. Services with documented token counting don't charge for it.",
          toNumber(2 * sampleSize, locale),
          hostLabel(connection),
        ),
      t('Output is at most the sum of max_tokens.'),
      models.some(({ output }) => output !== undefined) &&
        t('Likely output: based on past results of this file, or of the same model. At least 9 of 10 runs should fall in the range.'),
      withoutMaxTokens > 0 && t('Without max_tokens: {0}. Not counted.', toNumber(withoutMaxTokens, locale)),
      skippedLines > 0 && t('Not requests: {0}. Not counted.', toNumber(skippedLines, locale)),
      opaqueBlocks > 0 && t('Images, documents and other blocks: {0}. Not counted.', toNumber(opaqueBlocks, locale)),
      t('The upper bound assumes cache writes, the lower bound cache reads.'),
    ),
  };
}

/** Formats a range: `1.24M to 1.53M`. Rounds the lower bound down and the upper bound up. */
export function toRange({ low, high }: TokenRange, { translate: t, locale }: MessageContext): string {
  const [from, to] = [toTokens(low, locale, Math.floor), toTokens(high, locale, Math.ceil)];
  return from === to ? to : t('{0} to {1}', from, to);
}

/** Formats a number with three significant digits, with `K` or `M` in the user's language. */
export function toTokens(tokens: number, locale: string, round: (value: number) => number): string {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, tokens))) - 2);
  return numberFormat(locale, { notation: 'compact', maximumSignificantDigits: 3 }).format(round(tokens / step) * step);
}

const prefixesShown = 5;

/** Returns the section about prompts with a common start, with the savings of marking them as cacheable. */
export function toPrefixesSection(facts: SheetFacts, { prefixes, prefixesAreExact }: FileSurvey, context: MessageContext): SheetSection {
  const { translate: t, locale } = context;
  const rest = prefixes.length - prefixesShown;
  const isMany = prefixes.filter(({ requests, marked }) => marked < requests).length > 1;
  return {
    id: 'prefixes',
    title: t('Shared Prompt Prefixes'),
    blocks: [
      {
        kind: 'list',
        items: prefixes.map(prefix => toPrefixItem(prefix, facts, context)),
        ...(rest > 0 && {
          folded: {
            shown: prefixesShown,
            more: t('Show {0} More', toNumber(rest, locale)),
            fewer: t('Show Fewer'),
          },
        }),
      },
      ...(isMany ? ([{ kind: 'acts', links: toCacheLinks(t('All Prefixes'), {}, context) }] as const) : []),
      {
        kind: 'fold',
        title: t('How this is estimated'),
        lines: present(
          t('Requests run in any order. A prefix is only read from the cache after another request has written it.'),
          t('A cached prefix that is never read costs more than an uncached one.'),
          !prefixesAreExact && t('Only the most frequent prefixes are listed.'),
          t('A primer request caches the prefix for 1 hour. Send it first.'),
        ),
      },
    ],
  };
}

function toPrefixItem(prefix: SharedPrefix, facts: SheetFacts, context: MessageContext): SheetItem {
  const { translate: t, locale } = context;
  const { id, requests, marked, firstLine } = prefix;
  const line = toNumber(firstLine + 1, locale);
  const goTo = {
    label: t('Line {0}', line),
    name: t('Line {0}, first of {1}', line, toNumber(requests, locale)),
    act: { type: 'openPlace', line: firstLine, start: 0, end: 0 },
  } as const;
  const text = t(
    '{0} requests to {1} start with the same {2} tokens.',
    toNumber(requests, locale),
    toLabel(prefix.model, 60),
    toRange(prefix.tokens, context),
  );
  const already = marked === 0 ? '' : t('{0} of them are already marked.', toNumber(marked, locale));
  if (marked >= requests) {
    return { tone: 'good', text, detail: already, links: [goTo] };
  }
  const nested = prefix.parent === undefined ? '' : t("Extends another prefix. Don't add up their savings.");
  return {
    tone: 'plain',
    text,
    detail: join(
      ' ',
      already,
      t('Up to {0} input tokens would be read from the cache.', toRange(savedTokens(prefix), context)),
      describeMoney(prefix, facts, context),
      nested,
    ),
    links: [goTo, ...toCacheLinks(undefined, { prefix: id }, context)],
  };
}

function toCacheLinks(all: string | undefined, about: { prefix?: string }, { translate: t }: MessageContext): readonly SheetLink[] {
  const label = (text: string) => (all === undefined ? text : t('{0}: {1}', all, text));
  return [
    { label: label(t('Insert cache_control (5 Minutes) in New File...')), act: { type: 'mark', ttl: '5m', ...about } },
    { label: label(t('Insert cache_control (1 Hour) in New File...')), act: { type: 'mark', ttl: '1h', ...about } },
    { label: label(t('Write Primer Request...')), act: { type: 'writePrimer', ...about } },
  ];
}

function describeMoney(prefix: SharedPrefix, { prices, currency }: SheetFacts, { translate: t, locale }: MessageContext): string {
  const money = savedMoney(prefix, findPrice(prices, prefix.model)?.price);
  if (money === undefined) {
    return '';
  }
  const saves = toMoney(money.saves.high, currency, locale, 'down');
  return money.costs === 0
    ? t('Saves up to {0} (5 minutes).', saves)
    : t('With a 5-minute cache: saves up to {0}, or adds up to {1}.', saves, toMoney(money.costs, currency, locale, 'up'));
}
