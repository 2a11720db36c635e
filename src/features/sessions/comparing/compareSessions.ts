import type { TokenBuckets } from '../../../shared/session/rows/rows';
import { alignSequences, type Pieces, type Score, sameScore } from './alignSequences';
import type { ComparedStep, ComparedTurn, StepKind } from './comparedTurns';

/**
 * A difference between two sessions. A step can be missing in one session (`onlyA`, `onlyB`). The steps of a pair can differ in a call's
 * `arguments`, `result` or `state`, or in a message's `text`. Turns can differ in the number of `calls`, much more `tokens`, or the stop
 * reason (`end`).
 */
export type Difference = 'onlyA' | 'onlyB' | 'arguments' | 'result' | 'state' | 'text' | 'calls' | 'tokens' | 'end';

interface PointOf<Kind, Side> {
  readonly kind: Kind;
  /** Indexes of the turns, 0-based. */
  readonly turns: readonly [one: number | undefined, other: number | undefined];
  readonly one: Side | undefined;
  readonly other: Side | undefined;
  readonly differences: readonly Difference[];
}

/** A turn, or a step in a turn, of both sessions. At least one side is set. */
export type ComparedPoint = PointOf<'turn', ComparedTurn> | PointOf<StepKind, ComparedStep>;

interface SessionComparison {
  /** Turns in order, each followed by its steps. Items of only one session come before the next common item, items of A first. */
  readonly points: readonly ComparedPoint[];
  /** True if a list was too long to be compared at once. Far moved items may then be listed as removed and added. */
  readonly isPiecewise: boolean;
}

/** Compares the turns of two sessions, and the steps of each pair of turns. */
export function* compareSessions(ones: readonly ComparedTurn[], others: readonly ComparedTurn[]): Pieces<SessionComparison> {
  const { pairs, isPiecewise } = yield* alignSequences(ones.map(signed), others.map(signed), scoreTurns);
  let isAnyPiecewise = isPiecewise;
  const points: ComparedPoint[] = [];
  for (const [oneIndex, otherIndex] of withLone(pairs, ones.length, others.length)) {
    const turns = [oneIndex, otherIndex] as const;
    const [one, other] = [atOf(ones, oneIndex), atOf(others, otherIndex)];
    points.push({ kind: 'turn', turns, one, other, differences: ofTurns(one, other) });
    const isLong = yield* compareSteps(one?.steps ?? [], other?.steps ?? [], turns, points);
    isAnyPiecewise ||= isLong;
    yield;
  }
  return { points, isPiecewise: isAnyPiecewise };
}

/** Returns whether a point counts as a difference. Steps don't count if only one session has their turn. */
export function isDifference({ kind, turns, differences }: ComparedPoint): boolean {
  return differences.length > 0 && (kind === 'turn' || !turns.includes(undefined));
}

/** Returns the sum of input and output tokens, as shown in lists, or `undefined` if neither count is reported. */
export function sumOfTokens(tokens: TokenBuckets | undefined): number | undefined {
  return tokens?.input === undefined && tokens?.output === undefined ? undefined : (tokens.input ?? 0) + (tokens.output ?? 0);
}

/** Turn or step with the signature of its text. */
interface Signed<T> {
  readonly item: T;
  readonly signature: Signature;
}

function signed<T extends { readonly asked: string }>(item: T): Signed<T> {
  return { item, signature: signatureOf(item.asked) };
}

/** Returns the score of two items with different texts. Items with different texts are only paired if there is no better match. */
function scoreOf(one: Signed<unknown>, other: Signed<unknown>): number {
  return 10 + 8 * likenessOf(one.signature, other.signature);
}

/** Compares turns by the user's messages. */
const scoreTurns: Score<Signed<ComparedTurn>> = (one, other) => (one.item.asked === other.item.asked ? sameScore : scoreOf(one, other));

/** Compares steps by kind, name and input. The result only decides between steps with the same input. */
const scoreSteps: Score<Signed<ComparedStep>> = (first, second) => {
  const [one, other] = [first.item, second.item];
  if (one.kind !== other.kind || one.name !== other.name) {
    return 0;
  }
  if (one.asked !== other.asked) {
    return scoreOf(first, second);
  }
  return one.came === other.came && one.data === other.data && one.state === other.state ? sameScore : sameScore - 10;
};

function* compareSteps(
  ones: readonly ComparedStep[],
  others: readonly ComparedStep[],
  turns: ComparedPoint['turns'],
  points: ComparedPoint[],
): Pieces<boolean> {
  const { pairs, isPiecewise } = yield* alignSequences(ones.map(signed), others.map(signed), scoreSteps);
  for (const [oneIndex, otherIndex] of withLone(pairs, ones.length, others.length)) {
    const [one, other] = [atOf(ones, oneIndex), atOf(others, otherIndex)];
    const kind = (one ?? other)?.kind ?? 'other';
    points.push({ kind, turns, one, other, differences: ofSteps(one, other) });
  }
  return isPiecewise;
}

/** Yields the pairs and the unpaired members in between, members of the first sequence first. */
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
  const isOtherResult = one.came !== other.came || one.data !== other.data;
  if (one.kind !== 'call') {
    return one.asked !== other.asked || isOtherResult ? ['text'] : [];
  }
  const state: readonly Difference[] = one.state === other.state ? [] : ['state'];
  // If the arguments differ, a different result is expected.
  return one.asked !== other.asked ? ['arguments', ...state] : isOtherResult ? ['result', ...state] : state;
}

/** Minimum difference in tokens that counts. The difference must also be at least a tenth of the larger number. */
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

function atOf<T>(list: readonly T[], index: number | undefined): T | undefined {
  return index === undefined ? undefined : list[index];
}

/** MinHash signature of a text: 8 numbers. The more words two texts share, the more numbers are equal. */
type Signature = Uint32Array;

const signatureLength = 8;
/** Maximum number of characters to compare. Similar texts start similarly. */
const maxText = 4000;

/** Returns the signature of a text by its words, in any order. */
function signatureOf(text: string): Signature {
  const signature = new Uint32Array(signatureLength).fill(0xffff_ffff);
  for (const [word] of text.slice(0, maxText).matchAll(/[\p{L}\p{N}_]+/gu)) {
    const hash = hashOf(word);
    for (let index = 0; index < signatureLength; index++) {
      // Each position uses a different permutation of the hashes. The minimum of a permutation belongs to a random word.
      const mixed = Math.imul(hash ^ (index * 0x9e37_79b9), 0x85eb_ca6b + index * 2);
      signature[index] = Math.min(signature[index] ?? 0, (mixed ^ (mixed >>> 15)) >>> 0);
    }
  }
  return signature;
}

/** Returns the similarity of two texts by their signatures, from 0 to 8. */
function likenessOf(one: Signature, other: Signature): number {
  let count = 0;
  for (let index = 0; index < signatureLength; index++) {
    count += one[index] === other[index] ? 1 : 0;
  }
  return count;
}

function hashOf(word: string): number {
  let hash = 0x811c_9dc5;
  for (let index = 0; index < word.length; index++) {
    hash = Math.imul(hash ^ word.charCodeAt(index), 0x0100_0193);
  }
  return hash;
}
