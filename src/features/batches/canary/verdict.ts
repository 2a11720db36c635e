import { findPrice, type Prices } from '../../../common/readPrices';
import type { RetryGroup, RetryPlan } from '../../../jsonl/retrying/retryingJobs';
import type { Mean, ShareRange } from './wilson';
import { wilson } from './wilson';

/** What a canary says about the whole file. */
export type VerdictKind = 'clear' | 'passing' | 'fix' | 'stop';

export interface VerdictFacts {
  /** Requests of the canary, and of the whole file; undefined when the file cannot be read any more. */
  readonly sampled: number;
  readonly whole: number | undefined;
  readonly plan: Pick<RetryPlan, 'groups' | 'kept' | 'underWay'>;
  /** Good answers that are not what is expected of them, by what they are not; undefined without expectations. */
  readonly unmet: readonly UnmetGroup[] | undefined;
  /** Tokens of answers that were paid for. */
  readonly input: Mean;
  readonly output: Mean;
  /** Models of the canary's requests. */
  readonly models: readonly string[];
  readonly prices: Prices;
}

/** Answers that fail one kind of expectation for one cause. */
export interface UnmetGroup {
  readonly message: string;
  readonly count: number;
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
  /** The largest first. */
  readonly unmet: readonly (UnmetGroup & { readonly share: ShareRange })[];
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

/** From this share of failures on that do not pass by themselves, sending the rest is money thrown away. */
const stopShare = 0.5;

/** Judges a canary by its answers: what failed and why, how much of the whole that may be, and what the rest will cost. */
export function judge({ sampled, whole, plan, unmet = [], input, output, models, prices }: VerdictFacts): Verdict {
  const groups = plan.groups.map(group => ({ group, share: wilson(group.count, sampled) }));
  const lasting = plan.groups.filter(isLasting);
  const failing = unmet.reduce((sum, { count }) => sum + count, 0);
  const lost = lasting.reduce((sum, { count }) => sum + count, failing);
  const good = Math.max(0, plan.kept - failing);
  const kind =
    plan.groups.length === 0 && failing === 0
      ? 'clear'
      : lost === 0
        ? 'passing'
        : lost / Math.max(1, sampled) >= stopShare
          ? 'stop'
          : 'fix';
  // An answer that was cut short or refused is one: the same request would be answered the same way.
  const answered = plan.groups
    .filter(({ kind }) => kind === 'cut_short' || kind === 'refused' || kind === 'empty')
    .reduce((sum, { count }) => sum + count, plan.kept);
  const left = whole === undefined ? undefined : Math.max(0, whole - answered);
  return {
    kind,
    sampled,
    good,
    goodShare: wilson(good, sampled),
    groups,
    unmet: unmet.map(group => ({ ...group, share: wilson(group.count, sampled) })).sort((a, b) => b.count - a.count),
    rest: left === undefined ? undefined : { requests: left, ...restOf(left, input, output, models, prices) },
  };
}

/** Whether the rest would fail for the same cause as things stand: the request has to change, or the account, or nobody knows. */
export function isLasting({ action, isSensible }: Pick<RetryGroup, 'action' | 'isSensible'>): boolean {
  return action !== 'resend' || !isSensible;
}

function restOf(left: number, input: Mean, output: Mean, models: readonly string[], prices: Prices) {
  const tokens = { input: input.times(left), output: output.times(left) };
  const known = models.flatMap(model => findPrice(prices, model)?.price ?? []);
  if (known.length === 0 || known.length < models.length || input.size === 0) {
    return { ...tokens, money: undefined };
  }
  const million = 1_000_000;
  // Which model has which share of the rest is not known: between all of the cheapest and all of the dearest.
  const costs = (bound: 'low' | 'high') =>
    known.map(price => (tokens.input[bound] * price.input + tokens.output[bound] * price.output) / million);
  return { ...tokens, money: { low: Math.min(...costs('low')), high: Math.max(...costs('high')) } };
}
