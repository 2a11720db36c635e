import type { Citation } from '../session/asking/sessionRequest';
import type { ColumnLayout, FromWebview, ResultOrder, ShownState } from './fromResultsSchema';
import type { ResultStatus } from './resultStatus';

export type { ColumnLayout, FromWebview, ResultOrder, ShownState };

/** Check result of a request that was not sent. `fine`: no problems. `doubtful`: at most warnings. `faulty`: errors. */
export type RequestMark = 'fine' | 'doubtful' | 'faulty';

export const resultColumns = ['line', 'id', 'status', 'stop_reason', 'input_tokens', 'output_tokens'] as const;

/** A column with its title. `words` is the start of the answer or request. `width` is in pixels, if the user set it. */
export type TableColumn = Readonly<ColumnLayout[number]> & { readonly title: string };

export const [minWidth, maxWidth] = [40, 2000] as const;
/** Maximum length of a path to a value, in characters. */
export const longestPath = 200;

/** One row of the table. Texts are one line and safe as labels. */
export interface ResultRow {
  readonly id: string;
  /** Key of the row if ids are not unique. */
  readonly key?: string;
  /** Line in the request file (1-based); missing if unknown. */
  readonly line?: number;
  readonly mark: ResultStatus | RequestMark;
  /** Stop reason, or error type. */
  readonly reason: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly words: string;
  /** Values of the displayed columns that were read, one line each. */
  readonly values?: Readonly<Record<string, string>>;
}

/** Row positions in an arrangement, `to` exclusive. Ranges are ascending and disjoint. */
export type PositionRange = readonly [from: number, to: number];

export type TableSubject = 'results' | 'requests';

/** A common query, with the number of matching rows if known. */
export interface QueryChip {
  readonly label: string;
  readonly query: string;
  readonly count?: number;
}

/** Header of the table. All texts are in the user's language. */
export interface ResultsHead {
  /** Content of the table. Results by default. */
  readonly subject?: TableSubject;
  readonly title: string;
  readonly facts: readonly string[];
  /** Further facts, one per line, for the tooltip of the title. */
  readonly details?: string;
  readonly chips: readonly QueryChip[];
  readonly notices: readonly {
    readonly tone: 'plain' | 'warning' | 'error';
    readonly text: string;
    readonly act?: { readonly label: string; readonly act: HeadAct };
  }[];
  readonly isReady: boolean;
  readonly acts: readonly HeadAct[];
}

export const headActs = [
  'export',
  'compare',
  'more',
  'fetch',
  'showMissing',
  'showReport',
  'createBatch',
  'fix',
  'openRequests',
  'save',
] as const;
export type HeadAct = (typeof headActs)[number];

export interface PairPart {
  /** Format: `markdown` is rendered without HTML, active links or images, and `code` is shown unchanged. */
  readonly form: 'markdown' | 'plain' | 'code';
  readonly title?: string;
  readonly text: string;
  readonly isFolded?: boolean;
  readonly isProblem?: boolean;
}

export interface PairSide {
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly parts: readonly PairPart[];
  /** Notice above the parts that the request is missing, or has changed since it was sent. */
  readonly notice?: string;
  /** True if only the start of the text is included. */
  readonly isCut: boolean;
}

/** A request and its answer. A request that was not sent has its problems instead of an answer. */
export interface ResultPair {
  /** The complete original id. For requests that were not sent, the key of the row. */
  readonly customId: string;
  readonly row: ResultRow;
  readonly request: PairSide;
  readonly answer: PairSide;
  /** Status of the request in each generation, oldest first. */
  readonly history: readonly string[];
  readonly canGoToLine: boolean;
  readonly citations?: readonly Citation[];
}

export const pairActs = ['openInEditor', 'goToLine', 'copyAnswer', 'copyRequest', 'copyId', 'copyLink', 'goToEvent'] as const;
export type PairAct = (typeof pairActs)[number];

/** Actions on several rows. `expect` writes the answers to the file of expectations. */
export const rowsActs = ['copyIds', 'copyRows', 'copyJson', 'expect', 'saveRequests', 'saveResults'] as const;
export type RowsAct = (typeof rowsActs)[number];

export const menuActs = ['openInEditor', 'goToLine', 'copyAnswer', 'copyRows', 'expect', 'saveRequests'] as const;
export type MenuAct = (typeof menuActs)[number];

/** A bar of a chart: its label, the number of rows, and the query for these rows. */
export interface SurveyBar {
  readonly label: string;
  readonly count: number;
  readonly query?: string;
  readonly mark?: ResultStatus;
  readonly detail?: string;
}

export interface SurveyPicture {
  readonly name: string;
  readonly bars: readonly SurveyBar[];
  readonly summary?: string;
}

export interface QueryCompletion {
  readonly label: string;
  readonly detail: string;
  /** Text to replace the query's characters from `start` to `end` (exclusive). */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Host to panel. A revision is one arrangement of one set of results. Messages and requests for an older revision are ignored. After
 * `ready`, the host sends a `snapshot`, and another `snapshot` whenever the results change.
 */
export type ToWebview =
  | {
      readonly type: 'snapshot';
      readonly head: ResultsHead;
      readonly columns: readonly TableColumn[];
      /** Number that changes with the results. The rows then have to be requested again. */
      readonly data: number;
    }
  | {
      readonly type: 'arranged';
      readonly request: number;
      /** The query in current syntax. */
      readonly query: string;
      readonly revision: number;
      readonly count: number;
      /** Number of rows without a query. */
      readonly all: number;
      readonly inputTokens: number;
      readonly outputTokens: number;
      /** Position of the request `keep`, if the rows include it. */
      readonly place?: number;
    }
  /** Progress of the search for rows, from 0 to 1. Not sent if the rows are found immediately. */
  | { readonly type: 'searched'; readonly request: number; readonly share: number }
  /** Values that were missing from rows already sent are now available. */
  | { readonly type: 'filled'; readonly revision: number }
  /** The query can't be parsed. `start` and `end` are the range of the error. */
  | {
      readonly type: 'refused';
      readonly request: number;
      readonly query: string;
      readonly message: string;
      readonly start: number;
      readonly end: number;
    }
  | { readonly type: 'rows'; readonly revision: number; readonly from: number; readonly rows: readonly ResultRow[] }
  | { readonly type: 'survey'; readonly revision: number; readonly pictures: readonly SurveyPicture[]; readonly problem?: string }
  | { readonly type: 'pair'; readonly revision: number; readonly place: number; readonly pair?: ResultPair; readonly problem?: string }
  | { readonly type: 'completions'; readonly request: number; readonly items: readonly QueryCompletion[] }
  | { readonly type: 'menu'; readonly act: MenuAct }
  | { readonly type: 'filter'; readonly query: string }
  /** Shows the pair of a request. Clears the query if the query hides the pair. */
  | { readonly type: 'reveal'; readonly customId: string };

/** State that the panel saves across a reload. The host writes the shown content into the page. */
export interface ResultsState extends ShownState {
  readonly query?: string;
  readonly order?: ResultOrder;
  readonly open?: string;
  readonly active?: number;
  /** Share of the height that the pair takes, in percent. */
  readonly split?: number;
  readonly memory?: Readonly<Record<string, string>>;
}
