/** Severity of an item; never conveyed by colour alone. */
export type Tone = 'plain' | 'good' | 'warning' | 'error';

/**
 * Actions of the sheet that its host performs; `fromWebviewSchema` parses them. They contain positions in the file and ids of the sheet,
 * never a command, a path or an address.
 */
export type SheetAct =
  | { readonly type: 'close' }
  /** Checks the current content of the file again. */
  | { readonly type: 'checkAgain' }
  | { readonly type: 'stopSending' }
  | { readonly type: 'stopEstimate' }
  | { readonly type: 'startEstimate' }
  | { readonly type: 'copySha' }
  /** A position in the file: 0-based line, UTF-16 columns. */
  | { readonly type: 'openPlace'; readonly line: number; readonly start: number; readonly end: number }
  | { readonly type: 'showProblems' }
  | { readonly type: 'showReport' }
  /** Shows the requests of the file in a table. */
  | { readonly type: 'showTable' }
  | { readonly type: 'fix' }
  /** Converts content of another format to requests. */
  | { readonly type: 'convert' }
  | { readonly type: 'split' }
  /** Finds out whether an earlier submission created a batch. */
  | { readonly type: 'resolve' }
  /** Shows why exactly these requests were chosen. */
  | { readonly type: 'showWhy' }
  | { readonly type: 'openPrices' }
  /** Asks for the user profile that batches of the connection are attributed to. */
  | { readonly type: 'setUserProfile' }
  /** Marks all listed prefixes if there is no `prefix`. */
  | { readonly type: 'mark'; readonly prefix?: string; readonly ttl: '5m' | '1h' }
  | { readonly type: 'writePrimer'; readonly prefix?: string }
  /** Continues from an estimate to the sheet that can send. */
  | { readonly type: 'leadOn' };

export type FromWebview =
  | SheetAct
  | { readonly type: 'ready' }
  /** Sends the content of this revision. Does nothing if the sheet has changed since. */
  | { readonly type: 'create'; readonly revision: number };

/** A link with an action. `name` is the accessible name if the label alone doesn't say everything. */
export interface SheetLink {
  readonly label: string;
  readonly act: SheetAct;
  readonly name?: string;
}

/** An item of a list: text, details, samples and links. */
export interface SheetItem {
  readonly tone: Tone;
  readonly text: string;
  readonly detail?: string;
  /** Text from the file, shown in the editor's font. */
  readonly samples?: readonly string[];
  readonly links?: readonly SheetLink[];
}

/** A block of a section. All texts are in the user's language and safe as labels. */
export type SheetBlock =
  | {
      readonly kind: 'facts';
      readonly rows: readonly { readonly name: string; readonly value: string; readonly links?: readonly SheetLink[] }[];
    }
  /** Main fact in large letters, with details. */
  | { readonly kind: 'lead'; readonly text: string; readonly detail: string }
  /** The first column names a row; `total` is the last row. Rows beyond `shown` are folded behind `more`. */
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
  | { readonly kind: 'note'; readonly tone: Tone; readonly text: string; readonly links?: readonly SheetLink[] }
  /** `isMain` marks the main actions of a sheet that can't send. */
  | { readonly kind: 'acts'; readonly links: readonly SheetLink[]; readonly isMain?: boolean }
  | { readonly kind: 'fold'; readonly title: string; readonly lines: readonly string[] };

export interface SheetSection {
  readonly id: 'cost' | 'what' | 'foreign' | 'repeats' | 'problems' | 'parts' | 'tokens' | 'sensitive' | 'prefixes';
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
  /** Send button; missing if nothing can be sent now. */
  readonly create?: {
    readonly label: string;
    readonly isDisabled: boolean;
    /** True if sending is probably not what the user wants: the button is then not the primary one. */
    readonly isDoubtful?: boolean;
  };
  /** Continues from an estimate to sending. */
  readonly leadOn?: SheetLink;
  /** Link to what has to be fixed first. Enter activates it unless something else has the focus. */
  readonly fix?: SheetLink;
}

/** Complete content of the sheet. The host creates it anew for each change. */
export interface SheetView {
  /** Changes whenever something else would be sent, or the user would see other facts about it. */
  readonly revision: number;
  readonly mode: SheetMode;
  readonly title: string;
  readonly subtitle: string;
  readonly isBusy: boolean;
  readonly sections: readonly SheetSection[];
  readonly foot: SheetFoot;
  /** Announced to screen readers when it changes. */
  readonly spoken: string;
}

export type ToWebview =
  | { readonly type: 'view'; readonly view: SheetView }
  /** Progress of the work described by `foot.status`. */
  | { readonly type: 'progress'; readonly share: number };

/** Chosen requests of a file, as saved over a reload of the window. */
export interface KeptRequests {
  readonly purpose: 'part' | 'canary' | 'rest' | 'changed';
  /** Line ranges: the number of lines before each, followed by `+` and its length, such as `3,0+5`. */
  readonly lines: string;
  readonly sha256: string;
  readonly description: string;
  readonly note?: string | undefined;
  readonly follows?: { readonly runId: string; readonly purpose: 'retry' | 'changed' | 'rest' } | undefined;
  readonly compared?: { readonly connection: string; readonly submissions: readonly string[] } | undefined;
}

export type SheetMode = 'create' | 'estimate';

/** State that the sheet saves over a reload of the window. */
export interface SheetState {
  /** URI string of the file. Missing if too many requests were chosen to be saved. */
  readonly target?: string;
  readonly mode?: SheetMode;
  /** Time when the sheet was opened, in milliseconds since 1970. */
  readonly shownAt?: number;
  /** Set if not all requests of the file were chosen. */
  readonly chosen?: KeptRequests;
  readonly folds?: readonly string[];
  readonly scrolled?: number;
}
