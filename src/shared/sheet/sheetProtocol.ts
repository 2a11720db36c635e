import type { FromWebview, KeptSheet, SheetWish } from './fromSheetSchema';

export type { FromWebview, SheetWish };

/** Severity of a text. Never shown by colour alone. */
export type Tone = 'plain' | 'good' | 'warning' | 'error';

/**
 * Choices of the requests to send. `rest`: requests not in the trial. `changed`: requests that are new or changed since the last
 * submission. `retry`: requests without a good result. `trial`: a sample.
 */
export const sheetChoices = ['all', 'rest', 'changed', 'retry', 'trial'] as const;
export type SheetChoice = (typeof sheetChoices)[number];

export type SheetAct = Exclude<FromWebview, { readonly type: 'ready' | 'create' }>;

/** Prices of one million tokens of a model. */
export type SheetPrice = Extract<SheetAct, { readonly type: 'setPrices' }>['prices'][number];

/** A link or button. `name` replaces the label for screen readers. */
export interface SheetLink {
  readonly label: string;
  readonly act: SheetAct;
  readonly name?: string;
}

/** A line of a list, with links and an icon by its tone. */
export interface SheetItem {
  readonly tone: Tone;
  readonly text: string;
  readonly detail?: string;
  /** Text from the file, shown in the editor's font. */
  readonly samples?: readonly string[];
  readonly links?: readonly SheetLink[];
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
  /** Table whose first column names the row, and whose last row is `total`. Rows beyond `shown` are folded behind `more`. */
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
  /** List of items. With `folded`, items beyond `shown` are folded behind `more`. */
  | {
      readonly kind: 'list';
      readonly items: readonly SheetItem[];
      readonly folded?: { readonly shown: number; readonly more: string; readonly fewer: string };
    }
  /** The cost, and a form for the prices of the models behind `edit`. */
  | {
      readonly kind: 'prices';
      readonly text: string;
      readonly count?: SheetLink;
      readonly edit: string;
      readonly head: readonly [model: string, input: string, output: string];
      readonly models: readonly (Partial<SheetPrice> & { readonly model: string; readonly label: string })[];
      readonly save: string;
    }
  | { readonly kind: 'note'; readonly tone: Tone; readonly text: string; readonly links?: readonly SheetLink[] }
  /** Row of actions. `isMain` marks the main actions of a sheet that can't send. */
  | { readonly kind: 'acts'; readonly links: readonly SheetLink[]; readonly isMain?: boolean }
  | { readonly kind: 'fold'; readonly title: string; readonly lines: readonly string[] };

export interface SheetSection {
  readonly id: 'what' | 'runs' | 'tokens' | 'sensitive' | 'prefixes';
  readonly title: string;
  readonly blocks: readonly SheetBlock[];
}

export interface SheetFoot {
  readonly status: {
    readonly tone: Tone;
    readonly text: string;
    /** Progress of the current work, from 0 to 1. */
    readonly share?: number;
    readonly links?: readonly SheetLink[];
  };
  readonly table?: SheetLink;
  readonly close: string;
  /** Button that sends. Absent if nothing can be sent. */
  readonly create?: {
    readonly label: string;
    readonly isDisabled: boolean;
    /** True if the user probably doesn't want to send. The button is then not a primary button. */
    readonly isDoubtful?: boolean;
  };
  /** Link that continues from a check to sending. */
  readonly leadOn?: SheetLink;
  /** Link to the first problem to fix. Enter activates it unless something else has the focus. */
  readonly fix?: SheetLink;
}

/** Complete content of the sheet. The host sends a new view for each change. */
export interface SheetView {
  /** Number that changes with the content to send and with the displayed facts about the content. */
  readonly revision: number;
  readonly title: string;
  readonly subtitle: string;
  readonly connection: SheetLink | undefined;
  readonly isBusy: boolean;
  readonly top: readonly SheetBlock[];
  readonly details: readonly SheetSection[];
  readonly detailsTitle: string;
  readonly foot: SheetFoot;
  /** Text to announce to screen readers when the text changes. */
  readonly spoken: string;
  readonly wish: SheetWish | undefined;
}

export type ToWebview = { readonly type: 'view'; readonly view: SheetView } | { readonly type: 'progress'; readonly share: number };

/** State that survives when the sheet is hidden or the window is reloaded. */
export interface SheetState extends KeptSheet {
  readonly scrolled?: number;
  readonly memory?: Readonly<Record<string, string>>;
}
