import type { Session } from '../../../client/schemas/sessions';
import { aliasOf, type Prices } from '../../../common/readPrices';
import { addUsage, type ModelUsage, type TokenCounts } from '../../../jsonl/results/resultUsage';
import { toMoney, toTokens } from '../../../shared/session/facts/tokens';
import { addTo, mayHaveBatch, type Run, resultsOf } from '../../ledger';
import { costOfEstimate, costOfUsage, type EstimatedCost, requestedModels } from '../runCost';
import { addPredicted, type MoneyRange } from '../sheet/presentation/estimateMoney';
import { startOfDay } from '../spendLimit';

/** Spending of one day and connection for one model, in batches of a file or in sessions of an agent. */
export interface SpendRow {
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

/** Returns the spending of runs and sessions, newest day first. Batches are priced at today's prices, sessions by their service. */
export function toSpendRows(
  runs: readonly Run[],
  sessions: readonly SpentSession[],
  { prices, currency }: { readonly prices: Prices; readonly currency: string },
): readonly SpendRow[] {
  const parts = new Map<string, Part[]>();
  for (const part of [...runs.flatMap(run => partsOfRun(run, prices, currency)), ...sessions.flatMap(partOfSession)]) {
    const key = JSON.stringify([part.day, part.connection, part.model, part.source, part.isAgent, part.currency]);
    addTo(parts, key, part);
  }
  return [...parts.values()].map(toRow).sort((a, b) => b.day - a.day || costOf(b) - costOf(a));
}

function partsOfRun(run: Run, prices: Prices, currency: string): readonly Part[] {
  const { requests: requested, nameOf } = requestedModels(run.submissions.filter(mayHaveBatch));
  const report = resultsOf(run)?.report;
  return [...requested].map(([model, requests]): Part => {
    const usage = (report?.usage ?? []).filter(one => nameOf(one.model) === model);
    const estimate = (run.lead.estimate ?? []).filter(one => aliasOf(one.model) === model);
    const { input, read } = inputOf(usage);
    return {
      ...{ day: startOfDay(Date.parse(run.startedAt)), connection: run.connection, model, source: run.source, isAgent: false },
      ...{ requests, currency, input, read },
      estimated: costOfEstimate(estimate, prices),
      actual: usage.length === 0 ? undefined : costOfUsage(usage, prices, [model]),
      isOpen: report === undefined,
      failed: report === undefined ? 0 : Math.max(0, requests - usage.reduce((sum, { answers }) => sum + answers, 0)),
    };
  });
}

function inputOf(usage: readonly ModelUsage[]): Pick<Part, 'input' | 'read'> {
  const { inputTokens, cacheReadTokens, cacheWriteTokens }: TokenCounts = addUsage(usage);
  return { input: inputTokens + cacheReadTokens + cacheWriteTokens, read: cacheReadTokens };
}

function partOfSession({ connection, session }: SpentSession): readonly Part[] {
  const money = toMoney(session.usage?.list_cost);
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
  const estimates = parts.flatMap(({ estimated }) => estimated ?? []);
  const actual = parts.flatMap(part => part.actual ?? []);
  return {
    ...first,
    ...{ requests: sum(({ requests }) => requests), failed: sum(({ failed }) => failed), isOpen: parts.some(({ isOpen }) => isOpen) },
    estimated: estimates.length < parts.length ? undefined : addEstimates(estimates),
    actual: actual.length === 0 ? undefined : { low: sum(part => part.actual?.low ?? 0), high: sum(part => part.actual?.high ?? 0) },
    cached: input === 0 ? undefined : sum(({ read }) => read) / input,
  };
}

function addEstimates(estimates: readonly EstimatedCost[]): EstimatedCost {
  const predicted = estimates.flatMap(estimate => ('likely' in estimate ? [estimate] : []));
  const sum = (end: keyof MoneyRange) => estimates.reduce((all, estimate) => all + estimate[end], 0);
  return predicted.length === estimates.length ? addPredicted(predicted) : { low: sum('low'), high: sum('high') };
}

/** Returns the cost of a row, or its maximum estimated cost if the cost is not known. */
export function costOf({ actual, estimated }: Pick<SpendRow, 'actual' | 'estimated'>): number {
  return (actual ?? estimated)?.high ?? 0;
}
