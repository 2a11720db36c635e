import { escapeMarkdown } from '../../../common/text/escapeMarkdown';
import { join } from '../../../common/text/presentation';
import { toCsvRecord } from '../../../jsonl/exporting/csvCell';
import type { SpendLimit } from '../../../settingValues';
import { dateTimeFormat, numberFormat, toNumber } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';
import { type BatchContext, labelOfSource } from '../batchPresentation';
import { toPageLink } from '../details/pageLinks';
import { describeEstimate } from '../runCost';
import { toMoney, toMoneyRange } from '../sheet/presentation/estimateMoney';
import { startOfDay } from '../spendLimit';
import { costOf, type SpendRow } from './spendRows';

export interface SpendContext extends BatchContext {
  readonly currency: string;
  readonly limit: SpendLimit;
}

/** Maximum number of rows on the page. An export has all. */
const maxRows = 500;
const dayMs = 24 * 60 * 60 * 1000;

/** Returns the page of all spending in Markdown. */
export function toSpendPage(rows: readonly SpendRow[], context: SpendContext): string {
  const { translate: t, locale } = context;
  if (rows.length === 0) {
    return `# ${t('Spend')}\n\n${t('Batches that you send and sessions that report their cost appear here.')}`;
  }
  const heads = [t('Day'), t('Connection'), t('Model'), t('File or agent'), ...[t('Requests'), t('Estimated'), t('Actual')]];
  const head = [...heads, t('From cache'), t('Failed')];
  const more = rows.length - maxRows;
  return [
    `# ${t('Spend')}`,
    escapeMarkdown(join(' ', describeTotals(rows, context), describeLimits(context))),
    toPageLink('managedAgents.spend.export', t('Export as CSV...')),
    [head.map(escapeMarkdown), head.map(() => ':--'), ...rows.slice(0, maxRows).map(row => toCells(row, context).map(escapeMarkdown))]
      .map(cells => `| ${cells.join(' | ')} |`)
      .join('\n'),
    ...(more > 0 ? [t('{0} more rows are in the export.', toNumber(more, locale))] : []),
    t('Batches use your current prices, sessions the cost that the service reports.'),
  ].join('\n\n');
}

function toCells(row: SpendRow, context: SpendContext): readonly string[] {
  const { translate: t, locale } = context;
  const { day, connection, model, source, isAgent, requests, currency, estimated, actual, isOpen, cached, failed } = row;
  const money = { translate: t, locale, currency };
  return [
    dateTimeFormat(locale, { dateStyle: 'medium' }).format(day),
    toLabel(connection, 80),
    model === '' ? '–' : toLabel(model, 80),
    isAgent ? t('{0} (agent)', toLabel(source, 80)) : labelOfSource(source, context),
    isAgent ? (requests === 1 ? t('1 session') : t('{0} sessions', toNumber(requests, locale))) : toNumber(requests, locale),
    estimated === undefined ? '–' : describeEstimate(estimated, money),
    actual === undefined
      ? isOpen
        ? t('not fetched')
        : '–'
      : isOpen
        ? t('at least {0}', toMoney(actual.low, currency, locale, 'down'))
        : toMoneyRange(actual, money),
    cached === undefined ? '–' : numberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(cached),
    failed === 0 ? '–' : toNumber(failed, locale),
  ];
}

function describeTotals(rows: readonly SpendRow[], { translate: t, locale, now, currency }: SpendContext): string {
  const today = startOfDay(now);
  const since = (days: number) =>
    toMoney(
      rows.filter(row => row.currency === currency && row.day > today - days * dayMs).reduce((sum, row) => sum + costOf(row), 0),
      ...([currency, locale, 'nearest'] as const),
    );
  return t('{0} today, {1} in the last 7 days, {2} in the last 30 days.', since(1), since(7), since(30));
}

function describeLimits({ translate: t, locale, currency, limit: { batch, day } }: SpendContext): string {
  const money = (amount: number) => toMoney(amount, currency, locale, 'nearest');
  return join(
    ' ',
    batch === undefined ? '' : t('Limit per batch: {0}.', money(batch)),
    day === undefined ? '' : t('Daily limit: {0}.', money(day)),
  );
}

/** Returns all rows as a CSV file with English column names. Amounts are not rounded. */
export function toSpendCsv(rows: readonly SpendRow[]): string {
  const head = [
    ...(['day', 'connection', 'model', 'kind', 'file_or_agent', 'requests', 'currency'] as const),
    ...([
      'estimated_low',
      'estimated_likely',
      'estimated_high',
      'actual_low',
      'actual_high',
      'is_complete',
      'cache_share',
      'failed',
    ] as const),
  ];
  const number = (value: number | undefined) => (value === undefined ? '' : Number(value.toPrecision(12)));
  const records = rows.map(({ day, connection, model, isAgent, source, requests, currency, estimated, actual, isOpen, cached, failed }) => [
    ...[toDay(day), connection, model, isAgent ? 'agent' : 'file', source, requests, currency],
    ...[estimated?.low, estimated !== undefined && 'likely' in estimated ? estimated.likely : undefined, estimated?.high].map(number),
    ...[number(actual?.low), number(actual?.high), isOpen ? 'no' : 'yes', number(cached), failed],
  ]);
  return [head, ...records].map(cells => toCsvRecord(cells)).join('');
}

/** Returns the day of a time in this machine's time zone: `2026-11-29`. */
function toDay(time: number): string {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
