import { defined } from '../../shared/defined';
import { addTokens, type Money, tokenBuckets } from '../../shared/session/facts/tokens';
import { toUsageEvents, type UsageEvent } from '../../shared/session/facts/tokensOverTime';
import type { RequestUsage, Row, TokenBuckets } from '../../shared/session/rows/rows';
import type { OwnPrices, TokenPrices } from '../../shared/session/sessionProtocol';

/** A model request, or an event that reports the session's cost. */
export interface CostPoint extends UsageEvent {
  /** Latest cost of the session that the service reported up to this event. */
  readonly reported?: Money;
  readonly request?: RequestCost;
  /** Sum of the known costs of requests up to this event, by the user's prices. */
  readonly ownSum?: number;
}

interface RequestCost {
  /** The requested models; empty if unknown. */
  readonly models: readonly string[];
  /** Cost by the user's prices, in whole units. `undefined` if a price, a model or a count is unknown. */
  readonly cost?: number;
}

export interface CostOverTime {
  readonly points: readonly CostPoint[];
  /** Number of requests whose cost is unknown, and their models that have no price. */
  readonly unknown: number;
  readonly unpriced: readonly string[];
}

interface CostOptions {
  readonly prices: OwnPrices | undefined;
  /** Model of the session's own agent, for requests of the primary thread without a model. */
  readonly agentModel: string | undefined;
}

/**
 * Returns a session's cost over time: as reported by the service, and by the user's prices for each request. Nothing is guessed. The cost
 * of a request is unknown if its model has no price. The cost is also unknown for a request without a model before the session got its
 * current agent.
 */
export function toCostOverTime(rows: readonly Row[], { prices, agentModel }: CostOptions): CostOverTime {
  const priceOf = new Map(prices?.models ?? []);
  const changedAt = rows.findLast(row => row.kind === 'update' && row.changesAgent === true)?.seq ?? -1;
  const unpriced = new Set<string>();
  let unknown = 0;
  let reported: Money | undefined;
  let ownSum: number | undefined;
  const points: CostPoint[] = [];
  for (const { row, ...event } of toUsageEvents(rows)) {
    if (row.kind === 'model' ? row.end === undefined : row.cost === undefined) {
      continue;
    }
    let request: RequestCost | undefined;
    if (row.kind === 'model') {
      const used = toUsed(row, row.thread === undefined && row.seq > changedAt ? agentModel : undefined);
      const cost = sumCosts(used, priceOf);
      const models = used.flatMap(({ model }) => model ?? []);
      request = { models, ...defined({ cost }) };
      unknown += cost === undefined ? 1 : 0;
      ownSum = cost === undefined ? ownSum : (ownSum ?? 0) + cost;
      for (const model of models.filter(one => !priceOf.has(one))) {
        unpriced.add(model);
      }
    } else {
      reported = row.cost ?? reported;
    }
    points.push({ ...event, ...defined({ reported, request, ownSum }) });
  }
  return { points, unknown, unpriced: [...unpriced] };
}

/** Returns the cost of one request by the user's prices, in whole units, or `undefined` if a price, a model or a count is not known. */
export function costOfRequest(usage: RequestUsage, { prices, agentModel }: CostOptions): number | undefined {
  return prices === undefined ? undefined : sumCosts(toUsed(usage, agentModel), new Map(prices.models));
}

interface Used {
  readonly model: string | undefined;
  readonly tokens: TokenBuckets | undefined;
}

function sumCosts(used: readonly Used[], priceOf: ReadonlyMap<string, TokenPrices>): number | undefined {
  const costs = used.map(({ model, tokens }) => toCost(tokens, priceOf.get(model ?? '')));
  return costs.includes(undefined) ? undefined : costs.reduce<number>((sum, one) => sum + (one ?? 0), 0);
}

function toUsed({ byModel, model, tokens }: RequestUsage, agentModel: string | undefined): readonly Used[] {
  const [only, ...others] = byModel ?? [];
  if (byModel === undefined || only === undefined) {
    return [{ model: model ?? agentModel, tokens }];
  }
  if (others.length === 0) {
    return [{ model: only.model, tokens }];
  }
  const counted = byModel.map(one => one.tokens).reduce(addTokens);
  const isWhole = tokens === undefined || tokenBuckets.every(bucket => (tokens[bucket] ?? 0) === (counted[bucket] ?? 0));
  // Tokens outside the per-model counts can't be assigned to a model.
  return isWhole ? byModel : byModel.map(one => ({ model: one.model, tokens: undefined }));
}

const million = 1_000_000;

/** Returns the cost of tokens, or `undefined` if a price or count is missing. Missing cache counts are treated as 0. */
function toCost(tokens: TokenBuckets | undefined, prices: TokenPrices | undefined): number | undefined {
  if (prices === undefined || tokens?.input === undefined || tokens.output === undefined) {
    return undefined;
  }
  let cost = tokens.input * prices.input + tokens.output * prices.output;
  for (const bucket of ['cacheRead', 'cacheWrite'] as const) {
    const count = tokens[bucket] ?? 0;
    const price = prices[bucket];
    if (count > 0 && price === undefined) {
      return undefined;
    }
    cost += count * (price ?? 0);
  }
  return cost / million;
}
