import type { PairSide } from '../results/resultsProtocol';

/** Requests of a list of pairs to its host. Positions count the pairs that the filter lists. */
export type AskForPairs<Filter> =
  | { readonly type: 'window'; readonly filter: Filter; readonly from: number; readonly count: number }
  | { readonly type: 'open'; readonly filter: Filter; readonly place: number };

/** A requested pair, or the reason why it is missing. */
export interface OpenPair<Pair> {
  readonly place: number;
  readonly pair?: Pair | undefined;
  readonly problem?: string | undefined;
}

/** Host to panel. After `ready`, the host sends a `snapshot`. A new one replaces everything before it. */
export type ToPairs<Filter, Row, Pair, Head> =
  | { readonly type: 'snapshot'; readonly head: Head }
  | { readonly type: 'rows'; readonly filter: Filter; readonly from: number; readonly rows: readonly Row[] }
  | (OpenPair<Pair> & { readonly type: 'pair'; readonly filter: Filter });

/** Header of a comparison. All texts are in the user's language. */
export interface ComparedHead<Filter extends string> {
  readonly title: string;
  readonly summary: string;
  /** Numbers without a statistical test. */
  readonly numbers: readonly { readonly name: string; readonly before: string; readonly after: string }[];
  readonly notices: readonly string[];
  readonly method: string;
  readonly counts: Readonly<Record<Filter, number>>;
}

/** A row with the full content of both sides. */
export interface ComparedSides<Row> {
  readonly row: Row;
  readonly before?: PairSide;
  readonly after?: PairSide;
}

/** State that a panel of pairs saves over a reload. */
export interface PairsState<Filter> {
  readonly filter?: Filter;
  readonly active?: number;
  readonly isOpen?: boolean;
  readonly split?: number;
  readonly memory?: Readonly<Record<string, string>>;
}
