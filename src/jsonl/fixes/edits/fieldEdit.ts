import type { JsonPath } from '../jsonPlaces';

/** One change that is made in many requests. Values are JSON texts on one line and are written as they stand. */
export type FieldEdit =
  /** Writes a value at a path inside the params; what leads there is made where it is missing. */
  | { readonly kind: 'set'; readonly path: JsonPath; readonly value: string }
  /** Takes a path inside the params away, however often its last key stands there. */
  | { readonly kind: 'remove'; readonly path: JsonPath }
  /** Writes a JSON string as the system prompt; of a prompt that is one text block only the text changes, so its cache mark stays. */
  | { readonly kind: 'set_system'; readonly value: string }
  /** Puts a tool in the place of the one that has its name, or behind the others. */
  | { readonly kind: 'put_tool'; readonly name: string; readonly value: string }
  | { readonly kind: 'remove_tool'; readonly name: string };

/** Which requests of a file are meant. */
export type EditScope =
  | { readonly by: 'all' }
  | { readonly by: 'model'; readonly model: string }
  /** With a problem of a rule in the line alone, or with any. */
  | { readonly by: 'problem'; readonly rule: string | undefined }
  /** Whose given id has this text in it. */
  | { readonly by: 'id'; readonly part: string }
  /** Counted from 0. */
  | { readonly by: 'lines'; readonly lines: ReadonlySet<number> }
  /** By their given ids. */
  | { readonly by: 'ids'; readonly ids: ReadonlySet<string> };

/** What to do to a file; without `edit` it is only looked at. */
export interface EditChoice {
  readonly edit?: FieldEdit;
  readonly scope: EditScope;
}

/**
 * Why a line stays as it is: it says so already; there is nothing to remove; something else stands where the value would go; its system
 * prompt has several blocks; it is another request than those meant; it is no request, or cannot be read.
 */
export type LeftReason = 'same' | 'absent' | 'blocked' | 'blocks' | 'other' | 'unreadable';

/** A line as it is and as it becomes, both cut around the change. */
export interface EditExample {
  /** Counts from 0. */
  readonly line: number;
  readonly id: string | undefined;
  readonly before: string;
  readonly after: string;
}

/** What is said of an edit beside the number of lines it changes. */
export interface EditReport {
  /** By reason, the number of lines that stay; blank ones are not counted. */
  readonly left: readonly (readonly [reason: LeftReason, lines: number])[];
  /** The first lines that change. */
  readonly examples: readonly EditExample[];
  /** Requests by model and by rule of their problems, the most first: of the whole file, whatever the scope. */
  readonly models: readonly (readonly [model: string, requests: number])[];
  readonly rules: readonly (readonly [rule: string, requests: number])[];
  /** Requests that have a problem. */
  readonly troubled: number;
}
