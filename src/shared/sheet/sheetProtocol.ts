/** How something is meant; never told by its colour alone. */
export type Tone = 'plain' | 'good' | 'warning' | 'error';

/**
 * What the sheet may say to the host; `fromWebviewSchema` parses it. It carries places in the file and ids of what the sheet
 * shows, never a command, a path or an address.
 */
export type SheetAct =
  | { readonly type: 'close' }
  /** Checks the file again, as it stands now. */
  | { readonly type: 'checkAgain' }
  | { readonly type: 'stopSending' }
  | { readonly type: 'stopEstimate' }
  | { readonly type: 'startEstimate' }
  | { readonly type: 'copySha' }
  /** A place in the file: line from 0, UTF-16 columns. */
  | { readonly type: 'openPlace'; readonly line: number; readonly start: number; readonly end: number }
  | { readonly type: 'showProblems' }
  | { readonly type: 'showReport' }
  /** The requests of the file in a table. */
  | { readonly type: 'showTable' }
  | { readonly type: 'fix' }
  /** Makes requests of what the file holds in another form. */
  | { readonly type: 'convert' }
  | { readonly type: 'split' }
  /** Finds out what became of an earlier submission. */
  | { readonly type: 'resolve' }
  /** Shows why just these requests were chosen. */
  | { readonly type: 'showWhy' }
  | { readonly type: 'openPrices' }
  /** Asks for the user profile that batches of the connection are attributed to. */
  | { readonly type: 'setUserProfile' }
  /** Without a prefix all of those that are listed. */
  | { readonly type: 'mark'; readonly prefix?: string; readonly ttl: '5m' | '1h' }
  | { readonly type: 'writePrimer'; readonly prefix?: string }
  /** From an estimate to the sheet that can send. */
  | { readonly type: 'leadOn' };

export type FromWebview =
  | SheetAct
  | { readonly type: 'ready' }
  /** Sends what the sheet of this revision shows, and nothing when it shows something else by now. */
  | { readonly type: 'create'; readonly revision: number };

/** What one can do at a place, in words. `name` says it to a screen reader where the label alone does not. */
export interface SheetLink {
  readonly label: string;
  readonly act: SheetAct;
  readonly name?: string;
}

/** A line of a list: what, how much of it, more about it, and where it leads. */
export interface SheetItem {
  readonly tone: Tone;
  readonly text: string;
  readonly detail?: string;
  /** Text as it stands in the file, in the editor's font. */
  readonly samples?: readonly string[];
  readonly links?: readonly SheetLink[];
}

/** A piece of a section. All texts are in the user's language and safe as labels. */
export type SheetBlock =
  | {
      readonly kind: 'facts';
      readonly rows: readonly { readonly name: string; readonly value: string; readonly links?: readonly SheetLink[] }[];
    }
  /** What a person asks first, in large letters, and what belongs to it. */
  | { readonly kind: 'lead'; readonly text: string; readonly detail: string }
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
  /** Of a list with `folded` the first `shown`, the others behind `more`. */
  | {
      readonly kind: 'list';
      readonly items: readonly SheetItem[];
      readonly folded?: { readonly shown: number; readonly more: string; readonly fewer: string };
    }
  | { readonly kind: 'note'; readonly tone: Tone; readonly text: string; readonly links?: readonly SheetLink[] }
  /** `isMain`: what the sheet leads to, where nothing can be sent. */
  | { readonly kind: 'acts'; readonly links: readonly SheetLink[]; readonly isMain?: boolean }
  | { readonly kind: 'fold'; readonly title: string; readonly lines: readonly string[] };

export interface SheetSection {
  readonly id: 'cost' | 'what' | 'foreign' | 'repeats' | 'problems' | 'parts' | 'tokens' | 'sensitive' | 'prefixes';
  readonly title: string;
  readonly blocks: readonly SheetBlock[];
}

/** The part below that always stands at the same place. */
export interface SheetFoot {
  readonly status: {
    readonly tone: Tone;
    readonly text: string;
    /** From 0 to 1, of work that is under way. */
    readonly share?: number;
    readonly links?: readonly SheetLink[];
  };
  /** To the requests themselves, whatever the status is. */
  readonly table?: SheetLink;
  readonly close: string;
  /** What sends; absent where nothing can be sent as it stands. */
  readonly create?: {
    readonly label: string;
    readonly isDisabled: boolean;
    /** True if sending is probably not what the user wants: the button is then not the primary one. */
    readonly isDoubtful?: boolean;
  };
  /** From an estimate to sending. */
  readonly leadOn?: SheetLink;
  /** To what has to be put right first; Enter does it where nothing else has the keyboard. */
  readonly fix?: SheetLink;
}

/** Everything that the sheet shows. The host makes it whole each time; the webview is a picture of it. */
export interface SheetView {
  /** Another one for everything else that would be sent, or that the user would be told of it. */
  readonly revision: number;
  readonly mode: SheetMode;
  readonly title: string;
  readonly subtitle: string;
  readonly isBusy: boolean;
  readonly sections: readonly SheetSection[];
  readonly foot: SheetFoot;
  /** Said aloud when it has changed. */
  readonly spoken: string;
}

export type ToWebview =
  | { readonly type: 'view'; readonly view: SheetView }
  /** How far the work is that `foot.status` tells of. */
  | { readonly type: 'progress'; readonly share: number };

/** Chosen requests of a file as they are kept over a reload of the window. */
export interface KeptRequests {
  readonly purpose: 'part' | 'canary' | 'rest' | 'changed';
  /** Their lines as ranges: how many lines lie before each, and with `+` how many it has: `3,0+5`. */
  readonly lines: string;
  readonly sha256: string;
  readonly description: string;
  readonly note?: string | undefined;
  readonly follows?: { readonly runId: string; readonly purpose: 'retry' | 'changed' | 'rest' } | undefined;
  readonly compared?: { readonly connection: string; readonly submissions: readonly string[] } | undefined;
}

export type SheetMode = 'create' | 'estimate';

/** What the sheet keeps while it is hidden, and over a reload of the window. */
export interface SheetState {
  /** URI string of the file; absent where the sheet is of more requests that were chosen than can be kept. */
  readonly target?: string;
  readonly mode?: SheetMode;
  /** Time when the sheet was opened, in milliseconds since 1970. */
  readonly shownAt?: number;
  /** When not all requests of the file were chosen. */
  readonly chosen?: KeptRequests;
  readonly folds?: readonly string[];
  readonly scrolled?: number;
}
