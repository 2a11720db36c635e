import { join } from '../../../../common/text/presentation';
import type { FileSurvey, SharedPrefix, TokenRange } from '../../../../jsonl/survey/fileSurvey';
import { prefixAssumptions, tokenAssumptions } from '../../../../jsonl/survey/tokenTable';
import type { SheetBlock, SheetItem, SheetLink, SheetSection } from '../../../../shared/sheet/sheetProtocol';
import { toLabel } from '../../../../shared/text';
import type { MessageContext } from '../../submitting/createBatchMessages';
import { likelyOutput, type PastAnswers } from '../pastOutput';
import { addMoney, costOf, likelyCost, type MoneyRange, savedMoney, savedTokens, toMoney } from './estimateMoney';
import { toNote, toNumber } from './sheetBlocks';
import type { SheetFacts } from './sheetFacts';

const modelsShown = 8;
const prefixesShown = 5;
/** In a cell whose number is not known yet. */
const unknown = '…';

/** The models of a file with their requests, which the check knows, and the tokens and money of each, which the survey adds. */
export function toTokensSection(facts: SheetFacts, context: MessageContext): SheetSection {
  const { translate: t, locale } = context;
  const { survey: state, prices, currency } = facts;
  const survey = state.name === 'done' ? state.survey : undefined;
  const pending = state.name === 'running' ? unknown : '–';
  const counted = survey?.models ?? (facts.report?.models ?? []).map(([model, requests]) => ({ model, requests, input: undefined }));
  const hasPrices = counted.some(({ model }) => prices.has(model));
  const costs: MoneyRange[] = [];
  const rows = counted.map(model => {
    const price = prices.get(model.model);
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
      ...(hasPrices ? [cost === undefined ? (price === undefined ? t('no price') : pending) : toMoneyRange(cost, currency, context)] : []),
    ];
  });
  const total = [
    t('All'),
    toNumber(facts.report?.requestCount ?? survey?.requests ?? 0, locale),
    survey === undefined ? pending : toRange(survey.input, context),
    survey === undefined ? pending : toUpTo(survey.maxOutput, context),
    ...(hasPrices ? [survey === undefined ? pending : toMoneyRange(addMoney(costs), currency, context)] : []),
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
  const unpriced = counted.filter(({ model }) => !prices.has(model)).map(({ model }) => model);
  return {
    id: 'tokens',
    title: t('Tokens and Cost'),
    blocks: [
      ...(facts.outgoing?.selected === undefined
        ? []
        : [
            toNote(
              'plain',
              t(
                'This is of the whole file, {0} requests. {1} of them are sent.',
                toNumber(facts.report?.requestCount ?? 0, locale),
                toNumber(facts.outgoing.requestCount, locale),
              ),
            ),
          ]),
      table,
      ...toLikely(survey, facts, context),
      ...toMoneyNote(hasPrices, unpriced, context),
      toAssumptions(survey, facts, context),
    ],
  };
}

/** What is likely between the bounds of the table, by what past answers had; nothing without a past. */
function toLikely(survey: FileSurvey | undefined, { past, prices, currency }: SheetFacts, context: MessageContext): readonly SheetBlock[] {
  const { translate: t, locale } = context;
  const likely = (survey?.models ?? []).flatMap(model => {
    const output = likelyOutput(model, past);
    return output === undefined ? [] : [{ ...model, ...output, cost: likelyCost(model, output.tokens, prices.get(model.model)) }];
  });
  if (survey === undefined || likely.length === 0) {
    return [];
  }
  const describe = (tokens: number, cost: number | undefined) => {
    const output = toTokens(tokens, locale, Math.round);
    return cost === undefined
      ? t('likely {0} output tokens', output)
      : t('likely {0} output tokens, {1} in all', output, toMoney(cost, currency, locale, 'nearest'));
  };
  const sum = likely.reduce((all, { tokens, cost }) => ({ tokens: all.tokens + tokens, cost: plusKnown(all.cost, cost) }), {
    tokens: 0,
    cost: 0 as number | undefined,
  });
  const items = likely.slice(0, modelsShown).map<SheetItem>(({ model, tokens, cost, from }) => ({
    tone: 'plain',
    text: t(
      '{0}: {1}, {2}.',
      model === '' ? t('Others, or none') : toLabel(model, 100),
      describe(tokens, cost),
      describePast(from, past.byModel.has(model), context),
    ),
  }));
  const isWhole = likely.length > 1 && likely.length === survey.models.length;
  const all: readonly SheetItem[] = isWhole ? [{ tone: 'plain', text: t('All: {0}.', describe(sum.tokens, sum.cost)) }] : [];
  return [{ kind: 'list', items: [...items, ...all] }];
}

function describePast({ batches, answers }: PastAnswers, isOfModel: boolean, { translate: t, locale }: MessageContext): string {
  const [number, count] = [toNumber(batches, locale), answers === 1 ? t('1 answer') : t('{0} answers', toNumber(answers, locale))];
  if (batches === 1) {
    return isOfModel ? t('as in your last batch with this model ({0})', count) : t('as in your last batch, with any model ({0})', count);
  }
  return isOfModel
    ? t('as in your last {0} batches with this model ({1})', number, count)
    : t('as in your last {0} batches with any model ({1})', number, count);
}

function plusKnown(sum: number | undefined, more: number | undefined): number | undefined {
  return sum === undefined || more === undefined ? undefined : sum + more;
}

function toMoneyNote(hasPrices: boolean, unpriced: readonly string[], { translate: t, locale }: MessageContext): readonly SheetBlock[] {
  const links = [{ label: t('Set Prices'), act: { type: 'openPrices' } }] as const;
  if (!hasPrices) {
    return [{ kind: 'note', tone: 'plain', text: t('No money is shown, because no prices are set for these models.'), links }];
  }
  if (unpriced.length === 0) {
    return [];
  }
  const shown = unpriced.slice(0, 5).map(model => toLabel(model, 60));
  const rest = unpriced.length - shown.length;
  const names = rest > 0 ? t('{0} and {1} more', shown.join(', '), toNumber(rest, locale)) : shown.join(', ');
  return [{ kind: 'note', tone: 'plain', text: t('No price is set for {0}: they are not part of the sum.', names), links }];
}

function toAssumptions(
  survey: FileSurvey | undefined,
  { currency, past }: SheetFacts,
  { translate: t, locale }: MessageContext,
): SheetBlock {
  const opaque = survey?.opaqueBlocks ?? 0;
  return {
    kind: 'fold',
    title: t('How this is estimated'),
    lines: [
      t('Input: from the text of tools, system prompts and messages. How the service cuts text into tokens is not known, hence a range.'),
      ...tokenAssumptions.map(({ template, args }) => t(template, ...args)),
      t('Output: from nothing to the sum of max_tokens. More cannot be generated, and usually less is.'),
      ...(survey === undefined || past.all === undefined
        ? []
        : [
            t(
              'Likely output: what the answers had on average that you fetched, as far as max_tokens let it. Other prompts can get longer or shorter ones.',
            ),
          ]),
      ...(survey === undefined || survey.withoutMaxTokens === 0
        ? []
        : [
            t('Requests without a max_tokens that counts: {0}. Their output is not in the sum.', toNumber(survey.withoutMaxTokens, locale)),
          ]),
      ...(survey === undefined || survey.skippedLines === 0
        ? []
        : [t('Lines that are no requests: {0}. They are not counted.', toNumber(survey.skippedLines, locale))]),
      ...(opaque === 0
        ? []
        : [
            opaque === 1
              ? t('1 image, document or other block is not counted: its tokens cannot be told from its text.')
              : t(
                  '{0} images, documents and other blocks are not counted: their tokens cannot be told from their text.',
                  toNumber(opaque, locale),
                ),
          ]),
      t('What tools of the service bring in, and what is read from or written to a cache, is not counted either.'),
      t('Cost: your prices of the setting managedAgents.estimate.prices, in {0} for one million tokens.', toLabel(currency, 20)),
    ],
  };
}

/** Prompts that begin alike, and what marking them as cacheable could save. */
export function toPrefixesSection(facts: SheetFacts, survey: FileSurvey, context: MessageContext): SheetSection {
  const { translate: t, locale } = context;
  const title = t('Shared Prompt Prefixes');
  const { prefixes } = survey;
  if (prefixes.length === 0) {
    const least = toNumber(facts.minimumCachedTokens, locale);
    const text = t('No requests share a begin of at least {0} tokens that a cache could serve.', least);
    return { id: 'prefixes', title, blocks: [{ kind: 'note', tone: 'plain', text }] };
  }
  const rest = prefixes.length - prefixesShown;
  const isMany = prefixes.filter(({ requests, marked }) => marked < requests).length > 1;
  return {
    id: 'prefixes',
    title,
    blocks: [
      {
        kind: 'list',
        items: prefixes.map(prefix => toPrefixItem(prefix, facts, context)),
        ...(rest > 0 && {
          folded: {
            shown: prefixesShown,
            more: rest === 1 ? t('Show 1 More Prefix') : t('Show {0} More Prefixes', toNumber(rest, locale)),
            fewer: t('Show Fewer Prefixes'),
          },
        }),
      },
      ...(isMany ? ([{ kind: 'acts', links: toCacheLinks(t('All of These'), {}, context) }] as const) : []),
      {
        kind: 'fold',
        title: t('Why this is not certain'),
        lines: [
          t(
            'The requests of a batch run side by side, in any order. One finds the prefix in the cache only when another has written it before, and not too long ago.',
          ),
          t(
            'Writing to the cache costs more than plain input. A prefix that is written and never read costs more than one that is not marked.',
          ),
          t('In money, cacheWrite is taken as the price of 5 minutes. 1 hour costs more.'),
          ...prefixAssumptions.map(({ template, args }) => t(template, ...args)),
          t('How long a prefix must be to be cached, and for how long it is kept, is up to the service and the model.'),
          ...(survey.prefixesAreExact
            ? []
            : [
                t(
                  'The file has more different prompts than are compared at once. Rare prefixes can be missing, and more requests can share those listed.',
                ),
              ]),
          t('A primer is a batch of one request that writes the prefix for 1 hour. Send it first, and the rest when it has ended.'),
        ],
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
    name: t('Line {0}, the first of them', line),
    act: { type: 'openPlace', line: firstLine, start: 0, end: 0 },
  } as const;
  const text = t(
    '{0} requests to {1} begin with the same {2} tokens.',
    toNumber(requests, locale),
    toLabel(prefix.model, 60),
    toRange(prefix.tokens, context),
  );
  if (marked >= requests) {
    return { tone: 'good', text, detail: t('All of them are marked for the cache already.'), links: [goTo] };
  }
  const already = marked === 0 ? '' : t('{0} of them are marked already.', toNumber(marked, locale));
  const nested = prefix.parent === undefined ? '' : t('It goes on from another one listed here, so that their savings do not add up.');
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

/** What can be done about one prefix, or about all of them. */
function toCacheLinks(
  all: string | undefined,
  about: { readonly prefix?: string },
  { translate: t }: MessageContext,
): readonly SheetLink[] {
  const label = (text: string) => (all === undefined ? text : t('{0}: {1}', all, text));
  return [
    { label: label(t('Insert cache_control (5 Minutes) into a New File...')), act: { type: 'mark', ttl: '5m', ...about } },
    { label: label(t('Insert cache_control (1 Hour) into a New File...')), act: { type: 'mark', ttl: '1h', ...about } },
    { label: label(t('Write Primer Request...')), act: { type: 'writePrimer', ...about } },
  ];
}

function describeMoney(prefix: SharedPrefix, { prices, currency }: SheetFacts, { translate: t, locale }: MessageContext): string {
  const money = savedMoney(prefix, prices.get(prefix.model));
  if (money === undefined) {
    return '';
  }
  const saves = toMoney(money.saves.high, currency, locale, 'down');
  return money.costs === 0
    ? t('Kept for 5 minutes, that saves up to {0}.', saves)
    : t(
        'Kept for 5 minutes, that saves up to {0}, or costs up to {1} more when nothing is found there.',
        saves,
        toMoney(money.costs, currency, locale, 'up'),
      );
}

/** The input of a survey in one sentence, to be said aloud. */
export function describeInput({ input }: FileSurvey, context: MessageContext): string {
  return context.translate('{0} input tokens.', toRange(input, context));
}

/** `1.24M to 1.53M`: the lower bound rounded down and the upper one up. */
function toRange({ low, high }: TokenRange, { translate: t, locale }: MessageContext): string {
  const [from, to] = [toTokens(low, locale, Math.floor), toTokens(high, locale, Math.ceil)];
  return from === to ? to : t('{0} to {1}', from, to);
}

function toUpTo(most: number, { translate: t, locale }: MessageContext): string {
  return t('0 to {0}', toTokens(most, locale, Math.ceil));
}

function toMoneyRange({ low, high }: MoneyRange, currency: string, { translate: t, locale }: MessageContext): string {
  return t('{0} to {1}', toMoney(low, currency, locale, 'down'), toMoney(high, currency, locale, 'up'));
}

/** Three digits that count, and the rest as `K` or `M` in the user's language. */
function toTokens(tokens: number, locale: string, round: (value: number) => number): string {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, tokens))) - 2);
  return new Intl.NumberFormat(locale, { notation: 'compact', maximumSignificantDigits: 3 }).format(round(tokens / step) * step);
}
