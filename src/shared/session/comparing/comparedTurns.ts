import type { Money } from '../facts/tokens';
import { toTokensOverTime } from '../facts/tokensOverTime';
import type { Row, StatusRow, TokenBuckets } from '../rows/rows';
import { type ComparedLog, type ComparedStep, toStep } from './comparedSteps';

/** What a turn took, as far as it is told. */
export interface TurnNumbers {
  readonly calls: number;
  readonly tokens: TokenBuckets | undefined;
  /** Milliseconds in which the session ran, without its waits for people; where it does not say when it ran, from begin to end. */
  readonly ms: number | undefined;
  readonly cost: Money | undefined;
}

/** From what the user said to what the user said next: `from` is the place of its first event, `to` that behind its last. */
export interface ComparedTurn extends TurnNumbers {
  readonly from: number;
  readonly to: number;
  readonly steps: readonly ComparedStep[];
  /** What the user said. */
  readonly asked: string;
  readonly words: string;
  /** Why it rested last: `end_turn`, or another word of the service; '' while it runs, or where that is not told. */
  readonly end: string;
}

/**
 * The turns of a log. Each begins with what the user said after the agent did something; what is said in a row is one. What stands before the
 * first belongs to it, so that every event is in exactly one.
 */
export function toTurns(log: ComparedLog): readonly ComparedTurn[] {
  const { length } = log.events;
  if (length === 0) {
    return [];
  }
  const turns: Row[][] = [[]];
  const begins = [0];
  const points: Row[] = [];
  let hasBegun = false;
  for (const row of log.wholeRows()) {
    const isUsers = isOfUser(row);
    if (isUsers && hasBegun) {
      turns.push([]);
      begins.push(row.seq);
      hasBegun = false;
    }
    hasBegun ||= !isUsers && (toStep(row, log) !== undefined || row.kind === 'model');
    turns.at(-1)?.push(row);
    if (row.kind === 'model' || row.kind === 'usage') {
      points.push(row);
    }
  }
  const used = new UsedSoFar(points);
  return turns.map((rows, place) => {
    const from = begins[place] ?? 0;
    const to = begins[place + 1] ?? length;
    return { from, to, ...toTurn(rows, log), ...used.upTo(to) };
  });
}

/** What begins a turn: a message, or what is to come out. */
function isOfUser(row: Row): boolean {
  return row.thread === undefined && (row.type === 'user.message' || (row.kind === 'outcome' && row.step === 'defined'));
}

function toTurn(rows: readonly Row[], log: ComparedLog): Omit<ComparedTurn, 'from' | 'to' | 'tokens' | 'cost'> {
  const steps = rows.flatMap(row => toStep(row, log) ?? []);
  const last = steps.findLastIndex(({ kind }) => kind === 'text');
  // What is said before a call announces it; what nothing is called after is the answer.
  const isAnswer = last !== -1 && !steps.slice(last).some(({ kind }) => kind === 'call');
  const told = steps.map((step, place): ComparedStep => (isAnswer && place === last ? { ...step, kind: 'answer' } : step));
  const asked = told.filter(({ kind, name }) => kind === 'message' && name === '');
  return {
    steps: told,
    calls: told.filter(({ kind }) => kind === 'call').length,
    asked: asked.map(step => step.asked).join('\n'),
    words: asked[0]?.words ?? '',
    ms: toTime(rows),
    end: toEnd(rows),
  };
}

function statesOf(rows: readonly Row[]): readonly StatusRow[] {
  return rows.filter((row): row is StatusRow => row.kind === 'status' && row.type.startsWith('session.status_'));
}

function toEnd(rows: readonly Row[]): string {
  const last = statesOf(rows).at(-1);
  return last?.stopReason ?? (last === undefined || last.status === 'running' ? '' : last.status);
}

function toTime(rows: readonly Row[]): number | undefined {
  const times = rows.flatMap(row => [row.at, 'endAt' in row ? row.endAt : undefined, row.kind === 'tool' ? row.result?.at : undefined]);
  const known = times.filter(at => at !== undefined);
  const latest = known.reduce((most, at) => Math.max(most, at), Number.NEGATIVE_INFINITY);
  const states = statesOf(rows);
  const runs = states.flatMap(({ status, at }, place) => {
    const end = states[place + 1]?.at ?? (place === states.length - 1 ? latest : undefined);
    return status === 'running' && at !== undefined && end !== undefined ? [Math.max(0, end - at)] : [];
  });
  const [first] = known;
  return runs.length > 0 ? runs.reduce((sum, run) => sum + run, 0) : first === undefined ? undefined : Math.max(0, latest - first);
}

/** Tokens and costs between one place of a log and the next that is asked for. */
class UsedSoFar {
  readonly #points: ReturnType<typeof toTokensOverTime>['points'];
  #next = 0;
  #tokens: TokenBuckets | undefined;
  #cost: Money | undefined;

  constructor(rows: readonly Row[]) {
    this.#points = toTokensOverTime(rows).points;
  }

  /** What was used since the place before; undefined where nothing of it is told. */
  upTo(seq: number): Pick<TurnNumbers, 'tokens' | 'cost'> {
    const before = { tokens: this.#tokens, cost: this.#cost };
    const first = this.#next;
    for (let point = this.#points[this.#next]; point !== undefined && point.seq < seq; point = this.#points[++this.#next]) {
      this.#tokens = point.tokens;
      this.#cost = point.cost;
    }
    const isTold = this.#next > first;
    return {
      tokens: isTold && this.#tokens !== undefined ? tokensSince(before.tokens, this.#tokens) : undefined,
      cost: isTold ? costSince(before.cost, this.#cost) : undefined,
    };
  }
}

function tokensSince(before: TokenBuckets | undefined, now: TokenBuckets): TokenBuckets {
  const since = (bucket: keyof TokenBuckets) => {
    const told = now[bucket];
    return told === undefined ? undefined : told - (before?.[bucket] ?? 0);
  };
  return { input: since('input'), output: since('output'), cacheRead: since('cacheRead'), cacheWrite: since('cacheWrite') };
}

function costSince(before: Money | undefined, now: Money | undefined): Money | undefined {
  if (now === undefined || (before !== undefined && before.currency !== now.currency)) {
    return undefined;
  }
  return { cents: now.cents - (before?.cents ?? 0), currency: now.currency };
}
