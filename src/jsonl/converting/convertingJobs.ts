import type { ProblemText } from '../../contract/problem';

export interface ConvertResultsSource {
  readonly path: string;
  readonly outPath: string;
}

/** Where an item begins. */
export interface ItemPlace {
  /** From 0. */
  readonly line: number;
  /** UTF-16 column; 0 of an item that is a line. */
  readonly column: number;
  /** Which of the items it is, from 0. */
  readonly number: number;
}

/** Items that were found: how many, and the first of them. */
export interface FoundItems {
  readonly count: number;
  readonly first: readonly ItemPlace[];
}

/** How items lie in a file: one a line, as values over several lines, or as elements of one array. */
export type ItemLayout = 'lines' | 'values' | 'elements';

/**
 * What an item is: a request of this service, or its bare params; another service's batch line (`custom_id`, `method`, `url`, `body`); a
 * chat without an envelope, in that service's words or without a model.
 */
export type ItemKind = 'request' | 'params' | 'batch-line' | 'chat';

export interface ForeignSource {
  readonly path: string;
  /** Items after which it is known enough; by itself all are looked at. */
  readonly mostItems?: number;
}

export interface ForeignSurvey {
  readonly layout: ItemLayout;
  /** Items by what they are. */
  readonly kinds: Readonly<Record<ItemKind, number>>;
  /** Items that nothing can be made of. */
  readonly unknown: number;
  /** Why the first of them cannot be converted. */
  readonly firstUnknown: ProblemText | undefined;
  /** Models that items of other services name, most used first. */
  readonly models: readonly (readonly [model: string, items: number])[];
  readonly withoutModel: number;
  readonly withoutMaxTokens: number;
  /** Given ids of the form that ids are made in. */
  readonly takenIds: readonly string[];
}

export interface ConvertSource {
  readonly path: string;
  readonly outPath: string;
  readonly restPath: string;
  readonly options: ConvertOptions;
}

export interface ConvertOptions {
  /** Model names of the other service and what stands for them here; a name that is not listed stays. */
  readonly models: readonly (readonly [from: string, to: string])[];
  /** For items without a model; those cannot be converted when it is undefined. */
  readonly model: string | undefined;
  /** For items without one; those cannot be converted when it is undefined. */
  readonly maxTokens: number | undefined;
  /** Prefix of the connection's model ids, in place of the contract's `vendor-`. */
  readonly modelPrefix?: string;
  /** From the survey: ids that are not made. */
  readonly takenIds: readonly string[];
}

/** Something that items have and requests of this service cannot have, or that was changed. */
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
  /** Most often first. */
  readonly notes: readonly ConversionNote[];
  /** Items that were left out, by why; most often first. */
  readonly failures: readonly (FoundItems & { readonly text: ProblemText })[];
  /** The first ids that were changed. */
  readonly changedIds: { readonly count: number; readonly first: readonly ChangedId[] };
  /** Whether a file with what was left out was written. */
  readonly hasRest: boolean;
}

export interface ChangedId extends ItemPlace {
  readonly from: string;
  readonly to: string;
}
