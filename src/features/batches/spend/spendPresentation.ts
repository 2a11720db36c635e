import type { Session } from '../../../client/resources/sessions';
import { aliasOf, type Prices } from '../../../common/readPrices';
import { escapeMarkdown } from '../../../common/text/escapeMarkdown';
import { toCsvRecord } from '../../../jsonl/exporting/csvCell';
import { addUsage, type TokenCounts } from '../../../jsonl/results/resultUsage';
import type { SpendLimit } from '../../../settingValues';
import { dateTimeFormat, numberFormat, toNumber } from '../../../shared/formats';
import { toMoney as toListCost, toTokens } from '../../../shared/session/facts/tokens';
import { join, toLabel } from '../../../shared/text';
import { groupBy, mayHaveBatch, type Run, resultsOf } from '../../ledger';
import { type BatchContext, labelOfSource } from '../batchPresentation';
import { toPageLink } from '../details/batchDetails';
import {
  addMoney,
  addPredicted,
  costOfEstimate,
  costOfUsage,
  describeEstimate,
  type EstimatedCost,
  type MoneyRange,
  requestedModels,
  toMoney,
  toMoneyRange,
} from '../runCost';
import { startOfDay } from '../spendLimit';

export interface SpendContext extends BatchContext {
  readonly currency: string;
  readonly limit: SpendLimit;
}

/** Maximum number of rows on the page. The export has all rows. */
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
    ...(more > 0 ? [t('Further rows, only in the export: {0}.', toNumber(more, locale))] : []),
    t('Batch costs use your current prices. Session costs are reported by the service.'),
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
    ...'day,connection,model,kind,file_or_agent,requests,currency'.split(','),
    ...'estimated_low,estimated_likely,estimated_high,actual_low,actual_high,is_complete,cache_share,failed'.split(','),
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
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}

/** Spending of one day and connection for one model, in batches of a file or in sessions of an agent. */
interface SpendRow {
  /** Start of the day, in milliseconds since 1970. */
  readonly day: number;
  readonly connection: string;
  readonly model: string;
  /** URI string of a file, or the name of an agent. */
  readonly source: string;
  readonly isAgent: boolean;
  /** Number of requests, or of sessions. */
  readonly requests: number;
  readonly currency: string;
  readonly estimated: EstimatedCost | undefined;
  /** Cost by the reported tokens. `undefined` if nothing was reported, or the model has no price. */
  readonly actual: MoneyRange | undefined;
  /** True if results of some requests are missing, so that `actual` does not include them. */
  readonly isOpen: boolean;
  /** Share of input tokens that were read from a cache, from 0 to 1. */
  readonly cached: number | undefined;
  /** Number of requests that ended without an answer. */
  readonly failed: number;
}

/** A session with the name of its connection. */
export interface SpentSession {
  readonly connection: string;
  readonly session: Session;
}

/** Part of a row: one model of one run, or one session. */
interface Part extends Omit<SpendRow, 'cached'> {
  readonly input: number;
  readonly read: number;
}

/**
 * Returns the spending of runs and sessions, newest day first. Batches are priced at today's prices. Sessions have the cost that their
 * service reported.
 */
export function toSpendRows(
  runs: readonly Run[],
  sessions: readonly SpentSession[],
  { prices, currency }: { readonly prices: Prices; readonly currency: string },
): readonly SpendRow[] {
  const all = [...runs.flatMap(run => partsOfRun(run, prices, currency)), ...sessions.flatMap(partOfSession)];
  const parts = groupBy(all, part => JSON.stringify([part.day, part.connection, part.model, part.source, part.isAgent, part.currency]));
  return [...parts.values()].map(toRow).sort((a, b) => b.day - a.day || costOf(b) - costOf(a));
}

function partsOfRun(run: Run, prices: Prices, currency: string): readonly Part[] {
  const { requests: requested, nameOf } = requestedModels(run.submissions.filter(mayHaveBatch));
  const report = resultsOf(run)?.report;
  return [...requested].map(([model, requests]): Part => {
    const usage = (report?.usage ?? []).filter(one => nameOf(one.model) === model);
    const estimate = (run.lead.estimate ?? []).filter(one => aliasOf(one.model) === model);
    const { inputTokens, cacheReadTokens: read, cacheWriteTokens }: TokenCounts = addUsage(usage);
    return {
      ...{ day: startOfDay(Date.parse(run.startedAt)), connection: run.connection, model, source: run.source, isAgent: false },
      ...{ requests, currency, input: inputTokens + read + cacheWriteTokens, read },
      estimated: costOfEstimate(estimate, prices),
      actual: usage.length === 0 ? undefined : costOfUsage(usage, prices, [model]),
      isOpen: report === undefined,
      failed: report === undefined ? 0 : Math.max(0, requests - usage.reduce((sum, { answers }) => sum + answers, 0)),
    };
  });
}

function partOfSession({ connection, session }: SpentSession): readonly Part[] {
  const money = toListCost(session.usage?.list_cost);
  const day = Date.parse(session.created_at ?? '');
  if (money === undefined || Number.isNaN(day)) {
    return [];
  }
  const { input = 0, cacheRead = 0, cacheWrite = 0 } = toTokens(session.usage) ?? {};
  const model = session.agent?.model;
  const amount = money.cents / 100;
  return [
    {
      ...{ day: startOfDay(day), connection, source: session.agent?.name ?? '', isAgent: true, requests: 1, currency: money.currency },
      model: aliasOf(typeof model === 'string' ? model : (model?.id ?? '')),
      ...{ estimated: undefined, actual: { low: amount, high: amount }, isOpen: false, failed: 0 },
      ...{ input: input + cacheRead + cacheWrite, read: cacheRead },
    },
  ];
}

function toRow(parts: readonly Part[]): SpendRow {
  const [{ input: _input, read: _read, ...first }] = parts as [Part];
  const sum = (numberOf: (part: Part) => number) => parts.reduce((all, part) => all + numberOf(part), 0);
  const input = sum(part => part.input);
  const estimates = parts.flatMap<EstimatedCost>(({ estimated }) => estimated ?? []);
  const predicted = estimates.flatMap(estimate => ('likely' in estimate ? [estimate] : []));
  const actual = parts.flatMap(part => part.actual ?? []);
  return {
    ...first,
    ...{ requests: sum(({ requests }) => requests), failed: sum(({ failed }) => failed), isOpen: parts.some(({ isOpen }) => isOpen) },
    estimated:
      estimates.length < parts.length ? undefined : predicted.length < parts.length ? addMoney(estimates) : addPredicted(predicted),
    actual: actual.length === 0 ? undefined : addMoney(actual),
    cached: input === 0 ? undefined : sum(({ read }) => read) / input,
  };
}

/** Returns the cost of a row, or its maximum estimated cost if the cost is not known. */
export function costOf({ actual, estimated }: Pick<SpendRow, 'actual' | 'estimated'>): number {
  return (actual ?? estimated)?.high ?? 0;
}
