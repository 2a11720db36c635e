import type { RetryGroup, RetryPlan } from '../../../jsonl/retrying/retryingJobs';
import type { Prices } from '../sheet/estimateMoney';
import type { Mean, ShareRange } from './wilson';
import { wilson } from './wilson';

/** What a canary says about the whole file. */
export type VerdictKind = 'clear' | 'passing' | 'fix' | 'stop';

export interface VerdictFacts {
  /** Requests of the canary, and of the whole file; undefined when the file cannot be read any more. */
  readonly sampled: number;
  readonly whole: number | undefined;
  readonly plan: Pick<RetryPlan, 'groups' | 'kept' | 'underWay'>;
  /** Tokens of answers that were paid for. */
  readonly input: Mean;
  readonly output: Mean;
  /** Models of the canary's requests. */
  readonly models: readonly string[];
  readonly prices: Prices;
}

export interface VerdictGroup {
  readonly group: RetryGroup;
  readonly share: ShareRange;
}

export interface Verdict {
  readonly kind: VerdictKind;
  readonly sampled: number;
  readonly good: number;
  /** Share of the whole that will have a good answer. */
  readonly goodShare: ShareRange;
  readonly groups: readonly VerdictGroup[];
  /** Requests that are left, and what they will take; undefined when it is not known how many there are. */
  readonly rest:
    | { readonly requests: number; readonly input: TokenRange; readonly output: TokenRange; readonly money: MoneyRange | undefined }
    | undefined;
}

type TokenRange = ReturnType<Mean['times']>;

interface MoneyRange {
  readonly low: number;
  readonly high: number;
}

/** From this share of failures on that an edit alone mends, sending the rest is money thrown away. */
const stopShare = 0.5;

/** Judges a canary by its answers: what failed and why, how much of the whole that may be, and what the rest will cost. */
export function judge({ sampled, whole, plan, input, output, models, prices }: VerdictFacts): Verdict {
  const groups = plan.groups.map(group => ({ group, share: wilson(group.count, sampled) }));
  const lasting = plan.groups.filter(({ action }) => action === 'edit' || action === 'raise_max_tokens');
  const lost = lasting.reduce((sum, { count }) => sum + count, 0);
  const kind = plan.groups.length === 0 ? 'clear' : lost === 0 ? 'passing' : lost / Math.max(1, sampled) >= stopShare ? 'stop' : 'fix';
  const left = whole === undefined ? undefined : Math.max(0, whole - plan.kept);
  return {
    kind,
    sampled,
    good: plan.kept,
    goodShare: wilson(plan.kept, sampled),
    groups,
    rest: left === undefined ? undefined : { requests: left, ...restOf(left, input, output, models, prices) },
  };
}

function restOf(left: number, input: Mean, output: Mean, models: readonly string[], prices: Prices) {
  const tokens = { input: input.times(left), output: output.times(left) };
  const known = models.flatMap(model => prices.get(model) ?? []);
  if (known.length === 0 || known.length < models.length || input.size === 0) {
    return { ...tokens, money: undefined };
  }
  const million = 1_000_000;
  // Which model has which share of the rest is not known: between all of the cheapest and all of the dearest.
  const costs = (bound: 'low' | 'high') =>
    known.map(price => (tokens.input[bound] * price.input + tokens.output[bound] * price.output) / million);
  return { ...tokens, money: { low: Math.min(...costs('low')), high: Math.max(...costs('high')) } };
}
