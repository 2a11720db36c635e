import { eachBucket, noTokens } from '../facts/tokens';
import { toTokensOverTime } from '../facts/usageOverTime';
import type { Row, TokenBuckets } from '../rows/rows';
import type { Transcript } from '../transcript';
import type { Pieces } from './alignSequences';
import { type ComparedStep, toStep } from './comparedSteps';

/** A turn, from one message of the user to the next. */
export interface ComparedTurn {
  /** Key of its first event. */
  readonly key: string;
  readonly steps: readonly ComparedStep[];
  readonly asked: string;
  readonly words: string;
  /** Last stop reason: `end_turn` or another word of the service; '' while the turn runs, or if there is none. */
  readonly end: string;
  readonly calls: number;
  /** Tokens that were reported during the turn. `undefined` if there are none. */
  readonly tokens: TokenBuckets | undefined;
}

interface OpenTurn {
  readonly first: Row;
  readonly steps: ComparedStep[];
  end: string;
}

const rowsAtOnce = 2000;

/**
 * Yields the turns of a log. A turn starts with the user's first message after the agent did something; consecutive messages are one.
 * Events before the first message belong to the first turn, so that every event is in exactly one.
 */
export function* toTurns(log: Pick<Transcript, 'wholeRows' | 'partOf'>): Pieces<readonly ComparedTurn[]> {
  const turns: OpenTurn[] = [];
  const usage: Row[] = [];
  let count = 0;
  let isAnswered = false;
  for (const row of log.wholeRows()) {
    const step = toStep(row, log);
    const isMessage = row.thread === undefined && (row.type === 'user.message' || (row.kind === 'outcome' && row.step === 'defined'));
    let turn = turns.at(-1);
    if (turn === undefined || (isMessage && isAnswered)) {
      turn = { first: row, steps: [], end: '' };
      turns.push(turn);
      isAnswered = false;
    }
    isAnswered ||= !isMessage && (step !== undefined || row.kind === 'model');
    if (step !== undefined) {
      turn.steps.push(step);
    }
    if (row.kind === 'status' && row.type.startsWith('session.status_')) {
      turn.end = row.stopReason ?? (row.status === 'running' ? '' : row.status);
    }
    if (row.kind === 'model' || row.kind === 'usage') {
      usage.push(row);
    }
    if (++count % rowsAtOnce === 0) {
      yield;
    }
  }
  const tokens = tokensOf(
    usage,
    turns.map((_, index) => turns[index + 1]?.first.seq ?? Number.POSITIVE_INFINITY),
  );
  return turns.map((turn, index) => toTurn(turn, tokens[index]));
}

function toTurn({ first, steps, end }: OpenTurn, tokens: TokenBuckets | undefined): ComparedTurn {
  const last = steps.findLastIndex(({ kind }) => kind === 'text' || kind === 'call');
  const answer = steps[last];
  // Text before a call announces the call. Text without a later call is the answer.
  if (answer?.kind === 'text') {
    steps[last] = { ...answer, kind: 'answer' };
  }
  const asked = steps.filter(({ kind, name }) => kind === 'message' && name === '');
  const calls = steps.filter(({ kind }) => kind === 'call').length;
  return { key: first.key, steps, end, calls, tokens, asked: asked.map(step => step.asked).join('\n'), words: asked[0]?.words ?? '' };
}

/** Returns the tokens of each turn, by the sequence numbers (exclusive) at which the turns end. `undefined` if nothing was reported. */
function tokensOf(usage: readonly Row[], ends: readonly number[]): readonly (TokenBuckets | undefined)[] {
  const { points } = toTokensOverTime(usage);
  let next = 0;
  let before = noTokens;
  return ends.map(end => {
    let now = before;
    for (let point = points[next]; point !== undefined && point.seq < end; point = points[++next]) {
      now = point.tokens;
    }
    const earlier = before;
    before = now;
    return now === earlier ? undefined : eachBucket(bucket => difference(earlier[bucket], now[bucket]));
  });
}

function difference(before: number | undefined, now: number | undefined): number | undefined {
  return now === undefined ? undefined : now - (before ?? 0);
}
