import { toCostOverTime } from '../facts/requestCosts';
import { eachBucket, type Money } from '../facts/tokens';
import { toTokensOverTime } from '../facts/tokensOverTime';
import type { Row, TokenBuckets } from '../rows/rows';
import type { Transcript } from '../transcript';
import type { Pieces } from './alignSequences';
import { type ComparedStep, toStep } from './comparedSteps';

/** A turn, from one message of the user to the next, with its statistics as far as they are reported. */
export interface ComparedTurn {
  /** Key of its first event. */
  readonly key: string;
  readonly steps: readonly ComparedStep[];
  readonly asked: string;
  readonly words: string;
  /** Last stop reason: `end_turn` or another word of the service; '' while the turn runs, or if there is none. */
  readonly end: string;
  readonly calls: number;
  readonly tokens: TokenBuckets | undefined;
  /**
   * Time in which the session ran, without waiting for people, in milliseconds. If the log doesn't say when it ran, the time from the first
   * to the last event.
   */
  readonly ms: number | undefined;
  readonly cost: Money | undefined;
}

const rowsAtOnce = 2000;

/**
 * Yields the turns of a log. A turn starts with the user's first message after the agent did something; consecutive messages are one.
 * Events before the first message belong to the first turn, so that every event is in exactly one.
 */
export function* toTurns(log: Pick<Transcript, 'wholeRows' | 'partOf'>): Pieces<readonly ComparedTurn[]> {
  const turns: TurnBuilder[] = [];
  const usage: Row[] = [];
  let count = 0;
  let isAnswered = false;
  for (const row of log.wholeRows()) {
    const step = toStep(row, log);
    const isMessage = row.thread === undefined && (row.type === 'user.message' || (row.kind === 'outcome' && row.step === 'defined'));
    if (turns.length === 0 || (isMessage && isAnswered)) {
      turns.push(new TurnBuilder(row));
      isAnswered = false;
    }
    isAnswered ||= !isMessage && (step !== undefined || row.kind === 'model');
    turns.at(-1)?.add(row, step);
    if (row.kind === 'model' || row.kind === 'usage') {
      usage.push(row);
    }
    if (++count % rowsAtOnce === 0) {
      yield;
    }
  }
  const used = usageOf(
    usage,
    turns.map((_, index) => turns[index + 1]?.first.seq ?? Number.POSITIVE_INFINITY),
  );
  return turns.map((turn, index) => ({ ...turn.result(), tokens: used[index]?.tokens, cost: used[index]?.cost }));
}

class TurnBuilder {
  readonly #steps: ComparedStep[] = [];
  #end = '';
  #firstAt: number | undefined;
  #lastAt: number | undefined;
  #ranMs: number | undefined;
  #runningSince: number | undefined;

  constructor(readonly first: Row) {}

  add(row: Row, step: ComparedStep | undefined): void {
    if (step !== undefined) {
      this.#steps.push(step);
    }
    for (const at of [row.at, row.kind === 'model' ? row.end?.at : row.kind === 'tool' ? row.result?.at : undefined]) {
      this.#firstAt ??= at;
      this.#lastAt = at === undefined || (this.#lastAt ?? at) > at ? this.#lastAt : at;
    }
    if (row.kind === 'status' && row.type.startsWith('session.status_')) {
      const isRunning = row.status === 'running';
      this.#end = row.stopReason ?? (isRunning ? '' : row.status);
      this.#rest(row.at);
      this.#runningSince = isRunning ? row.at : undefined;
    }
  }

  result(): Omit<ComparedTurn, 'tokens' | 'cost'> {
    const steps = [...this.#steps];
    const last = steps.findLastIndex(({ kind }) => kind === 'text' || kind === 'call');
    const answer = steps[last];
    // Text before a call announces the call. Text without a later call is the answer.
    if (answer?.kind === 'text') {
      steps[last] = { ...answer, kind: 'answer' };
    }
    const asked = steps.filter(({ kind, name }) => kind === 'message' && name === '');
    this.#rest(this.#lastAt);
    const spanMs = this.#firstAt === undefined || this.#lastAt === undefined ? undefined : this.#lastAt - this.#firstAt;
    return {
      key: this.first.key,
      steps,
      calls: steps.filter(({ kind }) => kind === 'call').length,
      asked: asked.map(step => step.asked).join('\n'),
      words: asked[0]?.words ?? '',
      ms: this.#ranMs ?? spanMs,
      end: this.#end,
    };
  }

  #rest(at: number | undefined): void {
    if (this.#runningSince !== undefined && at !== undefined) {
      this.#ranMs = (this.#ranMs ?? 0) + Math.max(0, at - this.#runningSince);
      this.#runningSince = undefined;
    }
  }
}

/** Usage reported up to an event, as a sum from the start of the log. */
type Used = Partial<Pick<ComparedTurn, 'tokens' | 'cost'>>;

/** Returns the usage of each turn, by the sequence numbers (exclusive) at which the turns end. `undefined` if nothing was reported. */
function usageOf(rows: readonly Row[], ends: readonly number[]): readonly Used[] {
  const costs = toCostOverTime(rows, { prices: undefined, agentModel: undefined }).points;
  const points: readonly (Used & { readonly seq: number })[] = [
    ...toTokensOverTime(rows).points,
    ...costs.map(({ seq, reported }) => ({ seq, cost: reported })),
  ].sort((one, other) => one.seq - other.seq);
  let next = 0;
  let before: Used = {};
  return ends.map(end => {
    let now = before;
    for (let point = points[next]; point !== undefined && point.seq < end; point = points[++next]) {
      now = { tokens: point.tokens ?? now.tokens, cost: point.cost ?? now.cost };
    }
    const used =
      now === before ? {} : { tokens: now.tokens && tokensSince(before.tokens, now.tokens), cost: costSince(before.cost, now.cost) };
    before = now;
    return used;
  });
}

function tokensSince(before: TokenBuckets | undefined, now: TokenBuckets): TokenBuckets {
  return eachBucket(bucket => {
    const reported = now[bucket];
    return reported === undefined ? undefined : reported - (before?.[bucket] ?? 0);
  });
}

function costSince(before: Money | undefined, now: Money | undefined): Money | undefined {
  if (now === undefined || (before !== undefined && before.currency !== now.currency)) {
    return undefined;
  }
  return { cents: now.cents - (before?.cents ?? 0), currency: now.currency };
}
