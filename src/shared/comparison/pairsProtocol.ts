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

/** State that a panel of pairs saves over a reload. */
export interface PairsState<Filter> {
  readonly filter?: Filter;
  readonly active?: number;
  readonly isOpen?: boolean;
  readonly split?: number;
  readonly memory?: Readonly<Record<string, string>>;
}
