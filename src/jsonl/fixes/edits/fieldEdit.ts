import type { JsonPath } from '../jsonParts';

/** Change to make in many requests. Values are JSON texts on one line and are inserted unchanged. */
export type FieldEdit =
  /** Sets a value at a path inside the params. Missing parents are created. */
  | { readonly kind: 'set'; readonly path: JsonPath; readonly value: string }
  /** Removes a path inside the params, including duplicates of its last key. */
  | { readonly kind: 'remove'; readonly path: JsonPath }
  /** Sets the system prompt to a JSON string. In a single text block, only the text changes, so that a cache marker stays. */
  | { readonly kind: 'set_system'; readonly value: string }
  /** Replaces the tool with that name, or adds the tool after all others. */
  | { readonly kind: 'put_tool'; readonly name: string; readonly value: string }
  | { readonly kind: 'remove_tool'; readonly name: string };

export type EditScope =
  | { readonly by: 'all' }
  | { readonly by: 'model'; readonly model: string }
  /** Requests with a problem of this rule in the line alone, or with any problem. */
  | { readonly by: 'problem'; readonly rule: string | undefined }
  /** Requests whose given id contains this text. */
  | { readonly by: 'id'; readonly part: string }
  /** Requests on these 0-based lines. */
  | { readonly by: 'lines'; readonly lines: ReadonlySet<number> }
  /** Requests with these given ids. */
  | { readonly by: 'ids'; readonly ids: ReadonlySet<string> };

/** Edit with its scope. Without `edit` the file is only surveyed. */
export interface EditChoice {
  readonly edit?: FieldEdit;
  readonly scope: EditScope;
}

/**
 * Reason why a line stays unchanged: it already has the value (`same`), there is nothing to remove (`absent`) or another value is in the
 * way (`blocked`). The line may also have a system prompt of several blocks (`blocks`), be out of scope (`other`), or not be a readable
 * request (`unreadable`).
 */
export type LeftReason = 'same' | 'absent' | 'blocked' | 'blocks' | 'other' | 'unreadable';

export interface EditExample {
  /** 0-based line number. */
  readonly line: number;
  readonly id: string | undefined;
  readonly before: string;
  readonly after: string;
}

/** Results of an edit in addition to the number of changed lines. */
export interface EditReport {
  /** Number of unchanged lines by reason. Blank lines don't count. */
  readonly left: readonly (readonly [reason: LeftReason, lines: number])[];
  readonly examples: readonly EditExample[];
  /** Number of requests by model and by rule of their problems, highest first. Covers the whole file, whatever the scope. */
  readonly models: readonly (readonly [model: string, requests: number])[];
  readonly rules: readonly (readonly [rule: string, requests: number])[];
  readonly troubled: number;
}
