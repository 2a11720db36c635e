import type { Translations } from '../session/sessionProtocol';
import type { ResultStatus } from './resultStatus';

/** How a request that was not sent is marked: without problems, with warnings or less, with errors. */
export type RequestMark = 'fine' | 'doubtful' | 'faulty';

/** Columns that rows can be put in order by. */
export const resultColumns = ['line', 'id', 'status', 'stop_reason', 'input_tokens', 'output_tokens'] as const;
/**
 * Columns whose values are read from the results: the model that answered, the outcome of the test, a value in the answer's JSON, an extra field
 * of the request. For requests: the requested model, the rules with problems, a value in the request's JSON.
 */
export type ReadColumn = 'model' | 'test' | 'problem' | `$.${string}` | `fields.${string}`;
export type ResultColumn = (typeof resultColumns)[number] | ReadColumn;

/** A column of the table. */
export interface TableColumn {
  /** `words`: the first words of the answer or request. */
  readonly name: ResultColumn | 'words';
  /** In the user's language. */
  readonly title: string;
  /** In pixels, where the user chose it. */
  readonly width?: number;
}

/** Columns as the user wants them: which, in which order, how wide. */
export type ColumnLayout = readonly Omit<TableColumn, 'title'>[];

export const [leastWidth, mostWidth] = [40, 2000] as const;

export interface ResultOrder {
  readonly by: ResultColumn;
  readonly isDescending: boolean;
}

/** One row of the table. Texts are one line and safe as labels. */
export interface ResultRow {
  readonly id: string;
  /** By what it is found again where ids need not differ. */
  readonly key?: string;
  /** Line in the request file, from 1; absent when it is not known. */
  readonly line?: number;
  readonly mark: ResultStatus | RequestMark;
  /** Stop reason, or type of the error. */
  readonly reason: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** First words of the answer, or of what the error says. */
  readonly words: string;
  /** Of the columns that are shown and whose values were read; one line each. */
  readonly values?: Readonly<Record<string, string>>;
}

/** Places of an arrangement, ascending and apart: from the first to before the second. */
export type PlaceRange = readonly [from: number, to: number];

/** What a table shows. */
export type TableSubject = 'results' | 'requests';

/** A query that is often wanted, with the number of rows that it fits if that is known. */
export interface QueryChip {
  readonly label: string;
  readonly query: string;
  readonly count?: number;
}

/** What stands above the table. All texts are in the user's language. */
export interface ResultsHead {
  /** Absent: results. */
  readonly subject?: TableSubject;
  readonly title: string;
  readonly facts: readonly string[];
  /** Further facts, one per line, which the title shows as its tooltip. */
  readonly details?: string;
  readonly chips: readonly QueryChip[];
  readonly notices: readonly {
    readonly tone: 'plain' | 'warning' | 'error';
    readonly text: string;
    readonly act?: { readonly label: string; readonly act: HeadAct };
  }[];
  /** Whether there are results to show. */
  readonly isReady: boolean;
  /** What can be done with them as a whole. */
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

/** A piece of a request or an answer. */
export interface PairPart {
  /** How it is written: `markdown` is rendered without HTML, links or pictures that could act; `code` stands as it is. */
  readonly form: 'markdown' | 'plain' | 'code';
  readonly title?: string;
  readonly text: string;
  readonly isFolded?: boolean;
  readonly isProblem?: boolean;
}

export interface PairSide {
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly parts: readonly PairPart[];
  /** Said first: the request is gone, or is not what was sent any more. */
  readonly notice?: string;
  /** Only the beginning is here. */
  readonly isCut: boolean;
}

/** A request and its answer; of a request that was not sent, its problems stand for the answer. */
export interface ResultPair {
  /** The whole id, as it came; of requests that were not sent, the key of the row. */
  readonly customId: string;
  readonly row: ResultRow;
  readonly request: PairSide;
  readonly answer: PairSide;
  /** What became of it in each generation, oldest first. */
  readonly history: readonly string[];
  readonly canGoToLine: boolean;
}

export const pairActs = ['openInEditor', 'goToLine', 'copyAnswer', 'copyRequest', 'copyId', 'copyLink'] as const;
export type PairAct = (typeof pairActs)[number];

/** What is done with several rows. `expect`: write the answers to the file of expectations. */
export const rowsActs = ['copyIds', 'copyRows', 'copyJson', 'expect', 'saveRequests', 'saveResults'] as const;
export type RowsAct = (typeof rowsActs)[number];

/** Entries of the context menu of a row. */
export const menuActs = ['openInEditor', 'goToLine', 'copyAnswer', 'copyRows', 'expect', 'saveRequests'] as const;
export type MenuAct = (typeof menuActs)[number];

/** A bar of a picture: what it stands for, how often, and the query that shows just these. */
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
  /** What can be said of it in one line: least, median, most. */
  readonly summary?: string;
}

/** Something that can be written at a place of a query. */
export interface QueryCompletion {
  readonly label: string;
  readonly detail: string;
  /** What takes the place of the query's characters from `start` to `end`. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Panel to host; `fromWebviewSchema` parses it. It carries places of what is shown, never a command, a path or an address but that
 * of a link in an answer, which the user is asked about.
 */
export type FromWebview =
  | { readonly type: 'ready' }
  /** Which rows in which order. `keep` is the id of a request whose place in them is wanted. */
  | { readonly type: 'arrange'; readonly request: number; readonly query: string; readonly order?: ResultOrder; readonly keep?: string }
  | { readonly type: 'window'; readonly revision: number; readonly from: number; readonly count: number }
  | { readonly type: 'survey'; readonly revision: number }
  | { readonly type: 'open'; readonly revision: number; readonly place: number }
  | { readonly type: 'pair'; readonly revision: number; readonly place: number; readonly act: PairAct }
  | { readonly type: 'actOnRows'; readonly revision: number; readonly ranges: readonly PlaceRange[]; readonly act: RowsAct }
  | { readonly type: 'complete'; readonly request: number; readonly query: string; readonly at: number }
  | { readonly type: 'columns'; readonly columns: ColumnLayout }
  | { readonly type: 'chooseColumns' }
  | { readonly type: 'act'; readonly act: HeadAct }
  | { readonly type: 'openLink'; readonly href: string }
  | { readonly type: 'copyText'; readonly text: string };

/**
 * Host to panel. A revision is one arrangement of one set of results: what comes or is asked of an older one is dropped. After
 * `ready` comes the `snapshot`, and another one whenever the results are others.
 */
export type ToWebview =
  | {
      readonly type: 'snapshot';
      readonly locale: string;
      readonly translations: Translations;
      readonly head: ResultsHead;
      readonly columns: readonly TableColumn[];
      /** Other results than before: what was arranged is to be asked for again. */
      readonly data: number;
    }
  | {
      readonly type: 'arranged';
      readonly request: number;
      /** The query in current terms. */
      readonly query: string;
      readonly revision: number;
      readonly count: number;
      /** Rows without any query. */
      readonly all: number;
      readonly inputTokens: number;
      readonly outputTokens: number;
      /** Place of `keep`, when it is among the rows. */
      readonly place?: number;
    }
  /** How far the rows that were asked for were looked for, of 1; not told when they are found at once. */
  | { readonly type: 'searched'; readonly request: number; readonly share: number }
  /** Values of rows have been read that were still missing when these rows were told. */
  | { readonly type: 'filled'; readonly revision: number }
  /** The query cannot be parsed, at these characters of it. */
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
  /** Was chosen in the menu of the row that was pointed at last. */
  | { readonly type: 'menu'; readonly act: MenuAct }
  /** Shows the rows that a query fits. */
  | { readonly type: 'filter'; readonly query: string }
  /** Shows the pair of a request, without the query when it does not let it through. */
  | { readonly type: 'reveal'; readonly customId: string };

/** What a panel shows. */
export interface ShownState {
  readonly runId?: string;
  /** True to show the run with its retries. */
  readonly withRetries?: boolean;
  /** Path of a results file of which no run is known. */
  readonly file?: string;
  /** Path of a request file. */
  readonly requests?: string;
}

/** What the panel keeps over a reload. What it shows the host writes into the page. */
export interface ResultsState extends ShownState {
  readonly query?: string;
  readonly order?: ResultOrder;
  /** Id of the request whose pair is open. */
  readonly open?: string;
  /** Place of the row with the keyboard. */
  readonly active?: number;
  readonly hasPictures?: boolean;
  /** Share of the height that the pair takes, in percent. */
  readonly split?: number;
  readonly memory?: Readonly<Record<string, string>>;
}
