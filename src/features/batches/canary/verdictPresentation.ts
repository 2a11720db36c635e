import { escapeMarkdown, toFactTable } from '../../../common/text/escapeMarkdown';
import type { PresentationContext } from '../../../common/text/presentation';
import { numberFormat } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';
import { describeCause, describeReason } from '../retrying/retryPresentation';
import { toMoney } from '../sheet/presentation/estimateMoney';
import { isLasting, type Verdict } from './verdict';
import type { ShareRange } from './wilson';

/** The verdict in a sentence or two. */
export function describeVerdict(name: string, verdict: Verdict, context: PresentationContext): string {
  const { translate: t, locale } = context;
  const number = numberFormat(locale);
  const good = t(
    'Canary of {0}: {1} of {2} have a good answer.',
    toLabel(name, 80),
    number.format(verdict.good),
    number.format(verdict.sampled),
  );
  return `${good} ${advice(verdict, context)}`;
}

function advice({ kind, groups, unmet, goodShare }: Verdict, context: PresentationContext): string {
  const { translate: t } = context;
  const lasting = groups.filter(({ group }) => kind === 'passing' || isLasting(group));
  const causes = [
    ...lasting.map(({ group }) => ({ count: group.count, words: describeCause(group, context) })),
    ...unmet.map(({ count, message }) => ({ count, words: t('not as expected: {0}', message) })),
  ];
  const [worst] = causes.sort((a, b) => b.count - a.count);
  const cause = toLabel(worst?.words ?? '', 100);
  switch (kind) {
    case 'clear':
      return t('You can send the rest: {0} of it will be answered well.', toShare(goodShare, context));
    case 'passing':
      return t('What failed can be sent again with the rest ({0}).', cause);
    case 'fix':
      return t('Some of the rest would fail too ({0}). Fix them first.', cause);
    case 'stop':
      return t('Most of the rest would fail the same way ({0}). Fix it before you send anything else.', cause);
  }
}

/** The whole verdict as a Markdown page; nothing in it is a link. */
export function toVerdictPage(name: string, verdict: Verdict, currency: string, context: PresentationContext): string {
  const { translate: t, locale } = context;
  const number = (value: number) => numberFormat(locale, { maximumFractionDigits: 0 }).format(value);
  const parts = [`# ${escapeMarkdown(t('Canary of {0}', name))}`, escapeMarkdown(describeVerdict(name, verdict, context))];
  const { rest } = verdict;
  if (rest !== undefined) {
    const range = ({ low, likely, high }: { readonly low: number; readonly likely: number; readonly high: number }) =>
      t('about {0} ({1} to {2})', number(likely), number(low), number(high));
    const rows: (readonly [string, string])[] = [
      [t('Requests that are left'), number(rest.requests)],
      [t('Answered well'), toShare(verdict.goodShare, context)],
      [t('Input tokens'), range(rest.input)],
      [t('Output tokens'), range(rest.output)],
    ];
    if (rest.money !== undefined) {
      const { low, high } = rest.money;
      rows.push([t('Cost'), t('{0} to {1}', toMoney(low, currency, locale, 'down'), toMoney(high, currency, locale, 'up'))]);
    }
    parts.push(toFactTable(t('The rest'), rows));
    parts.push(
      escapeMarkdown(
        t('Each range holds what is to be expected of a sample of {0} in 19 of 20 cases, if the rest is like it.', number(verdict.sampled)),
      ),
    );
  }
  for (const { group, share } of verdict.groups) {
    parts.push(
      toFactTable(`${number(group.count)} ${describeCause(group, context)}`, [
        [t('Of the canary'), toShare({ low: group.count / verdict.sampled, high: group.count / verdict.sampled }, context)],
        [
          t('Of the rest'),
          `${toShare(share, context)}${rest === undefined ? '' : `: ${t('{0} to {1} requests', number(share.low * rest.requests), number(share.high * rest.requests))}`}`,
        ],
        [t('Why'), describeReason(group, context)],
        [t('Lines'), [...group.lines.subarray(0, 20)].map(line => number(line + 1)).join(', ')],
      ]),
    );
  }
  for (const { message, count, share } of verdict.unmet) {
    parts.push(
      toFactTable(`${number(count)} ${t('not as expected')}`, [
        [t('What is expected'), toLabel(message, 300)],
        [t('Of the canary'), toShare({ low: count / verdict.sampled, high: count / verdict.sampled }, context)],
        [t('Of the rest'), toShare(share, context)],
      ]),
    );
  }
  return parts.join('\n\n');
}

/** A share in percent; a range as both ends. */
function toShare({ low, high }: ShareRange, { translate: t, locale }: PresentationContext): string {
  const format = numberFormat(locale, { style: 'percent', maximumFractionDigits: high < 0.1 ? 1 : 0 });
  return low === high ? format.format(low) : t('{0} to {1}', format.format(low), format.format(high));
}
