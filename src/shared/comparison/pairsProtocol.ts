import type { Translations } from '../session/sessionProtocol';

/** What a list of pairs asks its host for. Places count within what the filter lists. */
export type AskForPairs<Filter> =
  | { readonly type: 'window'; readonly filter: Filter; readonly from: number; readonly count: number }
  | { readonly type: 'open'; readonly filter: Filter; readonly place: number };

/** Panel to host, of a panel that lists pairs: `fromPairsSchema` parses it. */
export type FromPairs<Filter, Act, PairAct> =
  | { readonly type: 'ready' }
  | AskForPairs<Filter>
  | { readonly type: 'pair'; readonly filter: Filter; readonly place: number; readonly act: PairAct }
  | { readonly type: 'act'; readonly act: Act }
  | { readonly type: 'openLink'; readonly href: string }
  | { readonly type: 'copyText'; readonly text: string };

/** What stands above a list of pairs, and in which language. */
export interface PairsSnapshot<Head> {
  readonly locale: string;
  readonly translations: Translations;
  readonly head: Head;
}

/** A pair that was asked for, or why it is not here. */
export interface OpenPair<Pair> {
  readonly place: number;
  readonly pair?: Pair | undefined;
  readonly problem?: string | undefined;
}

/** Host to panel. After `ready` comes a `snapshot`; a further one takes the place of all before it. */
export type ToPairs<Filter, Row, Pair, Head> =
  | (PairsSnapshot<Head> & { readonly type: 'snapshot' })
  | { readonly type: 'rows'; readonly filter: Filter; readonly from: number; readonly rows: readonly Row[] }
  | (OpenPair<Pair> & { readonly type: 'pair'; readonly filter: Filter });

/** What a panel of pairs keeps while it is hidden, and over a reload. */
export interface PairsState<Filter> {
  readonly filter?: Filter;
  readonly active?: number;
  readonly isOpen?: boolean;
  readonly split?: number;
  readonly memory?: Readonly<Record<string, string>>;
}
