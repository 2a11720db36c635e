import { findPrice } from '../../../../common/readPrices';
import { join } from '../../../../common/text/presentation';
import type { FileSurvey, SharedPrefix } from '../../../../jsonl/survey/fileSurvey';
import { toNumber } from '../../../../shared/formats';
import type { SheetItem, SheetLink, SheetSection } from '../../../../shared/sheet/sheetProtocol';
import { toLabel } from '../../../../shared/text';
import type { MessageContext } from '../../submitting/createBatchMessages';
import { savedMoney, savedTokens, toMoney } from './estimateMoney';
import type { SheetFacts } from './sheetFacts';
import { toRange } from './estimatePresentation';

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
      ...(isMany ? ([{ kind: 'acts', links: toCacheLinks(t('All of These'), {}, context) }] as const) : []),
      {
        kind: 'fold',
        title: t('How this is estimated'),
        lines: [
          t('Requests run in any order. A prefix is only read from the cache after another request has written it.'),
          t('A prefix that is written and never read costs more than an unmarked one.'),
          ...(prefixesAreExact ? [] : [t('Only the most frequent prefixes are listed.')]),
          t('A primer writes the prefix for 1 hour. Send it first.'),
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
    name: t('Line {0}, first of {1}', line, toNumber(requests, locale)),
    act: { type: 'openPlace', line: firstLine, start: 0, end: 0 },
  } as const;
  const text = t(
    '{0} requests to {1} begin with the same {2} tokens.',
    toNumber(requests, locale),
    toLabel(prefix.model, 60),
    toRange(prefix.tokens, context),
  );
  if (marked >= requests) {
    return { tone: 'good', text, detail: t('{0} of them are already marked.', toNumber(marked, locale)), links: [goTo] };
  }
  const already = marked === 0 ? '' : t('{0} of them are already marked.', toNumber(marked, locale));
  const nested = prefix.parent === undefined ? '' : t("Extends another prefix: savings don't add up.");
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

function toCacheLinks(
  all: string | undefined,
  about: { readonly prefix?: string },
  { translate: t }: MessageContext,
): readonly SheetLink[] {
  const label = (text: string) => (all === undefined ? text : t('{0}: {1}', all, text));
  return [
    { label: label(t('Insert cache_control (5 Minutes) in a New File...')), act: { type: 'mark', ttl: '5m', ...about } },
    { label: label(t('Insert cache_control (1 Hour) in a New File...')), act: { type: 'mark', ttl: '1h', ...about } },
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
