/** Severity of a text; never shown by colour alone. */
export type Tone = 'plain' | 'good' | 'warning' | 'error';

/**
 * Choices of the requests to send. `rest`: those left after a trial. `changed`: new or changed since they were last sent. `retry`: those
 * without a good result. `trial`: a sample.
 */
export const sheetChoices = ['all', 'rest', 'changed', 'retry', 'trial'] as const;
export type SheetChoice = (typeof sheetChoices)[number];

/**
 * An act of the sheet, parsed by `fromWebviewSchema`. It carries positions in the file and IDs of shown items, never a command, a path or
 * an address.
 */
export type SheetAct =
  | { readonly type: 'close' }
  /** Checks the current content of the file again. */
  | { readonly type: 'checkAgain' }
  /** Chooses which requests are sent; `size` is that of a trial. */
  | { readonly type: 'choose'; readonly choice: SheetChoice; readonly size?: number }
  /** Chooses whether the requests that failed for one cause are sent again. */
  | { readonly type: 'chooseCause'; readonly cause: string; readonly isChosen: boolean }
  /** Asks what to change in the requests of one cause. */
  | { readonly type: 'changeCause'; readonly cause: string }
  /** Writes the requests of the chosen causes to a file instead of sending them. */
  | { readonly type: 'writeRetry' }
  /** Fetches results of earlier runs of the file that are not on this machine. */
  | { readonly type: 'fetchEarlier' }
  /** Stores prices of one million tokens in the user's settings. */
  | { readonly type: 'setPrices'; readonly prices: readonly SheetPrice[] }
  | { readonly type: 'stopSending' }
  | { readonly type: 'stopEstimate' }
  | { readonly type: 'startEstimate' }
  /** Lets the service count the tokens of a sample. */
  | { readonly type: 'countSample' }
  | { readonly type: 'stopCount' }
  | { readonly type: 'copySha' }
  /** A position in the file: 0-based line, UTF-16 columns. */
  | { readonly type: 'openPlace'; readonly line: number; readonly start: number; readonly end: number }
  | { readonly type: 'showProblems' }
  /** The requests of the file in a table. */
  | { readonly type: 'showTable' }
  | { readonly type: 'fix' }
  /** Converts content of another format to requests. */
  | { readonly type: 'convert' }
  | { readonly type: 'split' }
  /** Finds out whether an earlier submission created a batch. */
  | { readonly type: 'resolve' }
  | { readonly type: 'switchConnection' }
  /** Asks for the user profile that batches of the connection are attributed to. */
  | { readonly type: 'setUserProfile' }
  /** Marks all listed prefixes if there is no `prefix`. */
  | { readonly type: 'mark'; readonly prefix?: string; readonly ttl: '5m' | '1h' }
  | { readonly type: 'writePrimer'; readonly prefix?: string }
  /** From a check to the connection over which the requests can be sent. */
  | { readonly type: 'leadOn' };

/** Prices of one million tokens of a model. */
export interface SheetPrice {
  readonly model: string;
  readonly input: number;
  readonly output: number;
}

export type FromWebview =
  | SheetAct
  | { readonly type: 'ready' }
  /** Sends the content of this revision. Does nothing if the sheet has changed since. */
  | { readonly type: 'create'; readonly revision: number };

/** A link or button. `name` replaces the label for screen readers. */
export interface SheetLink {
  readonly label: string;
  readonly act: SheetAct;
  readonly name?: string;
}

/** An item of a list. */
export interface SheetItem {
  readonly tone: Tone;
  readonly text: string;
  readonly detail?: string;
  /** Text from the file, shown in the editor's font. */
  readonly samples?: readonly string[];
  readonly links?: readonly SheetLink[];
  /** Checkbox of a cause. */
  readonly check?: { readonly cause: string; readonly isChosen: boolean; readonly isDisabled: boolean };
}

/** A piece of a sheet. All texts are in the user's language and safe as labels. */
export type SheetBlock =
  | {
      readonly kind: 'facts';
      readonly rows: readonly { readonly name: string; readonly value: string; readonly links?: readonly SheetLink[] }[];
    }
  /** Radio buttons for the requests to send. `size` is an editable number in place of `{size}` in the label. */
  | {
      readonly kind: 'choices';
      readonly name: string;
      readonly chosen: SheetChoice | undefined;
      readonly choices: readonly {
        readonly choice: SheetChoice;
        readonly label: string;
        readonly size?: { readonly value: number; readonly most: number; readonly name: string };
      }[];
    }
  /** The first column names a row; `total` is its last. Rows beyond `shown` are folded behind `more`. */
  | {
      readonly kind: 'table';
      readonly name: string;
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
      readonly total?: readonly string[];
      readonly shown: number;
      readonly more: string;
      readonly fewer: string;
    }
  /** With `folded`, the list shows its first `shown` items and folds the others behind `more`. */
  | {
      readonly kind: 'list';
      readonly items: readonly SheetItem[];
      readonly folded?: { readonly shown: number; readonly more: string; readonly fewer: string };
    }
  /** The cost, and a form for the prices of the models behind `edit`. */
  | {
      readonly kind: 'prices';
      readonly text: string;
      /** Button that counts a sample. */
      readonly count?: SheetLink;
      readonly edit: string;
      readonly head: readonly [model: string, input: string, output: string];
      readonly models: readonly (Partial<SheetPrice> & { readonly model: string; readonly label: string })[];
      readonly save: string;
    }
  | { readonly kind: 'note'; readonly tone: Tone; readonly text: string; readonly links?: readonly SheetLink[] }
  /** `isMain` marks the main actions of a sheet that can't send. */
  | { readonly kind: 'acts'; readonly links: readonly SheetLink[]; readonly isMain?: boolean }
  | { readonly kind: 'fold'; readonly title: string; readonly lines: readonly string[] };

export interface SheetSection {
  readonly id: 'what' | 'runs' | 'tokens' | 'sensitive' | 'prefixes';
  readonly title: string;
  readonly blocks: readonly SheetBlock[];
}

/** Footer, always in the same position. */
export interface SheetFoot {
  readonly status: {
    readonly tone: Tone;
    readonly text: string;
    /** Progress of the current work, from 0 to 1. */
    readonly share?: number;
    readonly links?: readonly SheetLink[];
  };
  /** Link to the table of requests, independent of the status. */
  readonly table?: SheetLink;
  readonly close: string;
  /** Button that sends; absent if nothing can be sent. */
  readonly create?: {
    readonly label: string;
    readonly isDisabled: boolean;
    /** True if sending is probably not what the user wants: the button is then not the primary one. */
    readonly isDoubtful?: boolean;
  };
  /** From a check to sending. */
  readonly leadOn?: SheetLink;
  /** Link to what has to be fixed first. Enter activates it unless something else has the focus. */
  readonly fix?: SheetLink;
}

/** Complete content of the sheet. The host creates it anew for each change. */
export interface SheetView {
  /** Changes whenever something else would be sent, or the user would see other facts about it. */
  readonly revision: number;
  readonly title: string;
  readonly subtitle: string;
  readonly connection: SheetLink | undefined;
  readonly isBusy: boolean;
  /** Part above the fold. */
  readonly top: readonly SheetBlock[];
  /** Folded behind `detailsTitle`. */
  readonly details: readonly SheetSection[];
  readonly detailsTitle: string;
  readonly foot: SheetFoot;
  /** Announced to screen readers when it changes. */
  readonly spoken: string;
  /** The choice to restore after a reload. */
  readonly wish: SheetWish | undefined;
}

export type ToWebview =
  | { readonly type: 'view'; readonly view: SheetView }
  /** Progress of the work in `foot.status`. */
  | { readonly type: 'progress'; readonly share: number };

/** The choice that a sheet is opened with. */
export interface SheetWish {
  readonly choice: SheetChoice;
  /** Number of requests of a trial. */
  readonly size?: number | undefined;
  /** The run whose requests without a good result are sent again. */
  readonly runId?: string | undefined;
}

/** State that survives hiding the sheet and a reload of the window. */
export interface SheetState {
  /** URI string of the file. */
  readonly target?: string;
  /** Time when the sheet was opened, in milliseconds since 1970. */
  readonly shownAt?: number;
  readonly wish?: SheetWish | undefined;
  readonly folds?: readonly string[];
  readonly scrolled?: number;
}
