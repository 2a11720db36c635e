import type { ProblemText } from '../../contract/problem';

export interface ConvertResultsSource {
  readonly path: string;
  readonly outPath: string;
}

export interface ItemPosition {
  /** Line number, 0-based. */
  readonly line: number;
  /** UTF-16 column; 0 for an item that is a whole line. */
  readonly column: number;
  /** Number of the item, 0-based. */
  readonly number: number;
}

/** Number of items found, and the first of them. */
export interface FoundItems {
  readonly count: number;
  readonly first: readonly ItemPosition[];
}

/** Layout of the items in a file: one per line, multi-line values, or elements of an array. */
export type ItemLayout = 'lines' | 'values' | 'elements';

/**
 * Kind of an item. A `request` or `params` is in this service's format. A `batch-line` is a batch line of another service (`custom_id`,
 * `method`, `url`, `body`). A `chat` is a bare chat in another service's format or without a model.
 */
export type ItemKind = 'request' | 'params' | 'batch-line' | 'chat';

export interface ForeignSource {
  readonly path: string;
  /** Maximum number of items to read. Default: all items. */
  readonly maxItems?: number;
}

export interface ForeignSurvey {
  readonly layout: ItemLayout;
  readonly kinds: Readonly<Record<ItemKind, number>>;
  readonly unknown: number;
  readonly firstUnknown: ProblemText | undefined;
  /** Models in items of other services, most used first. */
  readonly models: readonly (readonly [model: string, items: number])[];
  readonly withoutModel: number;
  readonly withoutMaxTokens: number;
  /** Existing ids that look like generated ones, and must not be generated again. */
  readonly takenIds: readonly string[];
}

export interface ConvertSource {
  readonly path: string;
  readonly outPath: string;
  readonly restPath: string;
  readonly options: ConvertOptions;
}

export interface ConvertOptions {
  /** Model names of the other service with their replacements. Models that are not listed keep their names. */
  readonly models: readonly (readonly [from: string, to: string])[];
  /** Model for items without one. `undefined` if such items can't be converted. */
  readonly model: string | undefined;
  /** `max_tokens` for items without it. `undefined` if such items can't be converted. */
  readonly maxTokens: number | undefined;
  /** Prefix of the connection's model ids. Default: the contract's `vendor-`. */
  readonly modelPrefix?: string;
  /** Existing ids that must not be generated, as found by the survey. */
  readonly takenIds: readonly string[];
}

/** Loss or change in a conversion, with the items concerned. */
export interface ConversionNote extends FoundItems {
  /** Path of the field in an item: `body.seed`. */
  readonly field: string;
  readonly text: ProblemText;
}

export interface ConversionReport {
  readonly layout: ItemLayout;
  readonly items: number;
  readonly converted: number;
  readonly kinds: Readonly<Record<ItemKind, number>>;
  readonly notes: readonly ConversionNote[];
  /** Items that were left out, by reason, most frequent first. */
  readonly failures: readonly (FoundItems & { readonly text: ProblemText })[];
  /** Number of changed ids, and the first of them. */
  readonly changedIds: { readonly count: number; readonly first: readonly ChangedId[] };
  /** True if the items that were left out were written to a second file. */
  readonly hasRest: boolean;
}

export interface ChangedId extends ItemPosition {
  readonly from: string;
  readonly to: string;
}
