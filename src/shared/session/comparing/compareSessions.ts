import type { TokenBuckets } from '../rows/rows';
import { alignSequences, type Likeness, type Pieces, sameScore } from './alignSequences';
import type { ComparedStep, StepKind } from './comparedSteps';
import type { ComparedTurn, TurnNumbers } from './comparedTurns';
import { compareTexts, likenessOf, type Signature, signatureOf } from './likeTexts';

/**
 * A difference between two sessions. A step can be missing in one session (`onlyA`, `onlyB`). The steps of a pair can differ in a call's
 * `arguments`, `result` or `state`, or in a message's `text`. Turns can differ in the number of `calls`, much more `tokens`, or the stop
 * reason (`end`).
 */
export type Difference = 'onlyA' | 'onlyB' | 'arguments' | 'result' | 'state' | 'text' | 'calls' | 'tokens' | 'end';

/** A step in the list. The compared content is read from the log again when it is opened. */
export type ListedStep = Pick<ComparedStep, 'key' | 'name' | 'words' | 'cameWords' | 'state'>;

/** A turn in the list. `index` is 0-based. */
export interface ListedTurn extends TurnNumbers {
  readonly index: number;
  readonly words: string;
  readonly end: string;
}

interface PointOf<Kind, Side> {
  readonly kind: Kind;
  readonly turns: readonly [one: number | undefined, other: number | undefined];
  readonly one: Side | undefined;
  readonly other: Side | undefined;
  readonly differences: readonly Difference[];
}

/** A turn, or a step in a turn, of both sessions. At least one side is set. */
export type ComparedPoint = PointOf<'turn', ListedTurn> | PointOf<StepKind, ListedStep>;

export interface SessionComparison {
  /**
   * Turns in order, each followed by its steps. Items of only one session come before the next common item, those of the first session
   * first.
   */
  readonly points: readonly ComparedPoint[];
  /** True if a list was too long to be compared at once. Items that moved far may then be listed as removed and added. */
  readonly isPiecewise: boolean;
}

/** Compares the turns of two sessions, and the steps of each pair of turns. Symmetric if the sessions are swapped. */
export function* compareSessions(ones: readonly ComparedTurn[], others: readonly ComparedTurn[]): Pieces<SessionComparison> {
  const { pairs, isPiecewise } = yield* alignSequences(ones.map(signed), others.map(signed), turnLikeness);
  let isAnyPiecewise = isPiecewise;
  const points: ComparedPoint[] = [];
  for (const [oneIndex, otherIndex] of withLone(pairs, ones.length, others.length)) {
    const turns = [oneIndex, otherIndex] as const;
    const [first, second] = [atOf(ones, oneIndex), atOf(others, otherIndex)];
    points.push({
      kind: 'turn',
      turns,
      one: listTurn(first, oneIndex),
      other: listTurn(second, otherIndex),
      differences: ofTurns(first, second),
    });
    const isLong = yield* compareSteps(first?.steps ?? [], second?.steps ?? [], turns, points);
    isAnyPiecewise ||= isLong;
    yield;
  }
  return { points, isPiecewise: isAnyPiecewise };
}

/** Returns whether a point counts as a difference. Steps of a turn that only one session has don't count. */
export function isDifference({ kind, turns, differences }: ComparedPoint): boolean {
  return differences.length > 0 && (kind === 'turn' || !turns.includes(undefined));
}

/** Returns the sum of input and output tokens, as shown in lists; `undefined` if neither is reported. */
export function sumOfTokens(tokens: TokenBuckets | undefined): number | undefined {
  return tokens?.input === undefined && tokens?.output === undefined ? undefined : (tokens.input ?? 0) + (tokens.output ?? 0);
}

/** A turn or a step with the signature of its text. */
interface Signed<T> {
  readonly item: T;
  readonly signature: Signature;
}

function signed<T extends { readonly asked: string }>(item: T): Signed<T> {
  return { item, signature: signatureOf(item.asked) };
}

/** Returns the score of two items with different texts. They are only paired if there is no better match. */
function scoreOf(one: Signed<unknown>, other: Signed<unknown>): number {
  return 10 + 8 * likenessOf(one.signature, other.signature);
}

/** Compares turns by the user's messages. */
const turnLikeness: Likeness<Signed<ComparedTurn>> = {
  score: (one, other) => (one.item.asked === other.item.asked ? sameScore : scoreOf(one, other)),
  compare: (one, other) => compareTexts(one.item.asked, other.item.asked),
};

/** Compares steps by kind, name and input. The result only decides between steps with the same input. */
const stepLikeness: Likeness<Signed<ComparedStep>> = {
  score: (one, other) => {
    const differs = (field: 'kind' | 'name' | 'asked' | 'came' | 'state'): boolean => one.item[field] !== other.item[field];
    return differs('kind') || differs('name')
      ? 0
      : differs('asked')
        ? scoreOf(one, other)
        : sameScore - (differs('came') || differs('state') ? 10 : 0);
  },
  compare: ({ item: one }, { item: other }) =>
    compareTexts(one.kind, other.kind) ||
    compareTexts(one.name, other.name) ||
    compareTexts(one.asked, other.asked) ||
    compareTexts(one.came, other.came) ||
    compareTexts(one.state, other.state),
};

function* compareSteps(
  ones: readonly ComparedStep[],
  others: readonly ComparedStep[],
  turns: ComparedPoint['turns'],
  points: ComparedPoint[],
): Pieces<boolean> {
  const { pairs, isPiecewise } = yield* alignSequences(ones.map(signed), others.map(signed), stepLikeness);
  for (const [oneIndex, otherIndex] of withLone(pairs, ones.length, others.length)) {
    const [one, other] = [atOf(ones, oneIndex), atOf(others, otherIndex)];
    const kind = (one ?? other)?.kind ?? 'other';
    points.push({ kind, turns, one: listStep(one), other: listStep(other), differences: ofSteps(one, other) });
  }
  return isPiecewise;
}

/** Yields the pairs and the unpaired members between them, those of the first sequence first. */
function* withLone(
  pairs: readonly (readonly [number, number])[],
  ones: number,
  others: number,
): Generator<readonly [number | undefined, number | undefined]> {
  let [one, other] = [0, 0];
  for (const [nextOne, nextOther] of [...pairs, [ones, others] as const]) {
    for (; one < nextOne; one++) {
      yield [one, undefined];
    }
    for (; other < nextOther; other++) {
      yield [undefined, other];
    }
    if (one < ones && other < others) {
      yield [one++, other++];
    }
  }
}

function ofSteps(one: ComparedStep | undefined, other: ComparedStep | undefined): readonly Difference[] {
  if (one === undefined || other === undefined) {
    return [one === undefined ? 'onlyB' : 'onlyA'];
  }
  const isOtherResult = one.came !== other.came;
  if (one.kind !== 'call') {
    return one.asked !== other.asked || isOtherResult ? ['text'] : [];
  }
  const state: readonly Difference[] = one.state === other.state ? [] : ['state'];
  // If the arguments differ, a different result is expected.
  return one.asked !== other.asked ? ['arguments', ...state] : isOtherResult ? ['result', ...state] : state;
}

/** Minimum difference in tokens that counts: at least 100, and at least a tenth. */
const minTokens = 100;
const minShare = 0.1;

function ofTurns(one: ComparedTurn | undefined, other: ComparedTurn | undefined): readonly Difference[] {
  if (one === undefined || other === undefined) {
    return [one === undefined ? 'onlyB' : 'onlyA'];
  }
  const [tokens, otherTokens] = [sumOfTokens(one.tokens), sumOfTokens(other.tokens)];
  const more = tokens === undefined || otherTokens === undefined ? 0 : Math.abs(tokens - otherTokens);
  const isNotable = more >= minTokens && more >= minShare * Math.max(tokens ?? 0, otherTokens ?? 0);
  return [
    ...(one.calls === other.calls ? [] : (['calls'] as const)),
    ...(isNotable ? (['tokens'] as const) : []),
    ...(one.end === other.end ? [] : (['end'] as const)),
  ];
}

function listStep(step: ComparedStep | undefined): ListedStep | undefined {
  return step && { key: step.key, name: step.name, words: step.words, cameWords: step.cameWords, state: step.state };
}

function listTurn(turn: ComparedTurn | undefined, index: number | undefined): ListedTurn | undefined {
  if (turn === undefined || index === undefined) {
    return undefined;
  }
  const { words, end, calls, tokens, ms, cost } = turn;
  return { index, words, end, calls, tokens, ms, cost };
}

function atOf<T>(list: readonly T[], index: number | undefined): T | undefined {
  return index === undefined ? undefined : list[index];
}
