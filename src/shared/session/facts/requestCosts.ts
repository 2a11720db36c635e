import type { ModelRow, NoteRow, RequestUsage, Row, TokenBuckets } from '../rows/rows';
import { addTokens, type Money, tokenBuckets } from './tokens';

/** What one million tokens of a model cost. */
export interface TokenPrices {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

/** The prices that the user has given, by model id, and their currency as a code of three letters. */
export interface OwnPrices {
  readonly currency: string;
  readonly models: readonly (readonly [model: string, prices: TokenPrices])[];
}

/** A request to the model, or an event that tells what the session has cost. */
export interface CostPoint {
  readonly key: string;
  readonly seq: number;
  readonly at: number | undefined;
  /** What the service told last that the session has cost, up to here. */
  readonly told?: Money;
  readonly request?: RequestCost;
  /** The sum of what the requests up to here cost by the user's prices, of those that could be reckoned. */
  readonly ownSum?: number;
}

export interface RequestCost {
  /** The models that were asked; none where nothing tells. */
  readonly models: readonly string[];
  /** What it cost by the user's prices, in whole units; undefined where a price, a model or a count is not known. */
  readonly cost?: number;
}

export interface CostOverTime {
  /** In the order of the log. */
  readonly points: readonly CostPoint[];
  readonly requests: number;
  /** How many of the requests cannot be reckoned, and the models among theirs that have no price. */
  readonly unknown: number;
  readonly unpriced: readonly string[];
}

interface CostOptions {
  readonly prices: OwnPrices | undefined;
  /** The model of the session's own agent, for requests of the primary thread that name none. */
  readonly agentModel: string | undefined;
}

/**
 * What a session has cost as it went on: what the service told, and beside it what each request costs by the user's prices. Nothing is
 * guessed: a request of a model without a price, or before the session got its present agent and without a model of its own, is unknown.
 */
export function toCostOverTime(rows: readonly Row[], { prices, agentModel }: CostOptions): CostOverTime {
  const priceOf = new Map(prices?.models ?? []);
  const changedAt = rows.findLast(row => row.kind === 'update' && row.changesAgent === true)?.seq ?? -1;
  const unpriced = new Set<string>();
  let requests = 0;
  let unknown = 0;
  let told: Money | undefined;
  let ownSum: number | undefined;
  const points: CostPoint[] = [];
  for (const { row, seq, at } of toEvents(rows)) {
    let request: RequestCost | undefined;
    if (row.kind === 'model') {
      const used = toUsed(row, row.thread === undefined && row.seq > changedAt ? agentModel : undefined);
      const cost = sumCosts(used, priceOf);
      const models = used.flatMap(({ model }) => model ?? []);
      request = { models, ...(cost === undefined ? {} : { cost }) };
      requests++;
      unknown += cost === undefined ? 1 : 0;
      ownSum = cost === undefined ? ownSum : (ownSum ?? 0) + cost;
      for (const model of models.filter(one => !priceOf.has(one))) {
        unpriced.add(model);
      }
    } else {
      told = row.cost ?? told;
    }
    points.push({
      ...{ key: row.key, seq, at },
      ...(told === undefined ? {} : { told }),
      ...(request === undefined ? {} : { request }),
      ...(ownSum === undefined ? {} : { ownSum }),
    });
  }
  return { points, requests, unknown, unpriced: [...unpriced] };
}

interface CostEvent {
  readonly row: ModelRow | NoteRow;
  readonly seq: number;
  readonly at: number | undefined;
}

/** Requests where they ended, and what the service told of costs, in the order of the log. */
function toEvents(rows: readonly Row[]): readonly CostEvent[] {
  return rows
    .flatMap((row): readonly CostEvent[] => {
      if (row.kind === 'model' && row.ended) {
        return [{ row, seq: row.endSeq ?? row.seq, at: row.endAt ?? row.at }];
      }
      return row.kind === 'usage' && row.cost !== undefined ? [{ row, seq: row.seq, at: row.at }] : [];
    })
    .sort((a, b) => a.seq - b.seq);
}

/** Returns the cost of one request by the user's prices, in whole units; `undefined` if a price, a model or a count is not known. */
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
  // Tokens that are told beside those of the models may be of any of them.
  return isWhole ? byModel : byModel.map(one => ({ model: one.model, tokens: undefined }));
}

const million = 1_000_000;

/** Undefined without a price, or a count, of anything that was used. What is not told of the cache was not used as far as anybody knows. */
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
