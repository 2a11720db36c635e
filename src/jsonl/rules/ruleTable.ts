import type { Severity } from '../../contract/problem';

/** One rule: its own severity, which the user can change, and where it comes from. Errors are only what the contract makes certain. */
export interface Rule {
  readonly severity: Severity;
}

/** Every rule by its id, as users see it in the Problems view, in settings and in the README. */
export const ruleTable = {
  // The JSON of a line.
  'json-syntax': { severity: 'error' },
  'duplicate-key': { severity: 'error' },
  'lone-surrogate': { severity: 'warning' },
  'too-deep': { severity: 'error' },
  'number-precision': { severity: 'information' },
  'not-a-request': { severity: 'error' },
  'blank-line': { severity: 'information' },
  // The shape of a request, from the schemas of the client.
  'missing-field': { severity: 'error' },
  'unknown-field': { severity: 'error' },
  'wrong-type': { severity: 'error' },
  'value-not-allowed': { severity: 'error' },
  'number-out-of-range': { severity: 'error' },
  'text-length': { severity: 'error' },
  'item-count': { severity: 'error' },
  'text-pattern': { severity: 'error' },
  'newer-field': { severity: 'error' },
  'unknown-variant': { severity: 'information' },
  // Fields that depend on each other, on the model, or on being in a batch.
  'thinking-budget': { severity: 'error' },
  'credit-with-fallbacks': { severity: 'error' },
  'credit-needs-beta': { severity: 'error' },
  'credit-extended-form': { severity: 'warning' },
  'credit-expires': { severity: 'warning' },
  'sampling-rejected': { severity: 'error' },
  'model-limit': { severity: 'warning' },
  'deprecated-field': { severity: 'hint' },
  'deprecated-model': { severity: 'warning' },
  'unknown-model': { severity: 'information' },
  'stream-in-batch': { severity: 'warning' },
  'system-role': { severity: 'warning' },
  'no-messages': { severity: 'warning' },
  'empty-content': { severity: 'error' },
  'zero-max-tokens': { severity: 'information' },
  'tool-not-defined': { severity: 'warning' },
  'duplicate-tool': { severity: 'warning' },
  'duplicate-server': { severity: 'warning' },
  'server-not-defined': { severity: 'warning' },
  'tool-pairs': { severity: 'warning' },
  'picture-type': { severity: 'warning' },
  'cache-markers': { severity: 'warning' },
  prefill: { severity: 'warning' },
  'forced-tool-thinking': { severity: 'warning' },
  'emptied-thinking': { severity: 'information' },
  'output-format-twice': { severity: 'warning' },
  'personal-user-id': { severity: 'warning' },
  'token-in-file': { severity: 'warning' },
  // The whole file.
  'duplicate-id': { severity: 'error' },
  'made-id-taken': { severity: 'error' },
  'no-requests': { severity: 'error' },
  'too-many-requests': { severity: 'information' },
  'body-too-large': { severity: 'information' },
  'request-too-large': { severity: 'error' },
  'line-too-long': { severity: 'error' },
  'not-utf8': { severity: 'error' },
  'byte-order-mark': { severity: 'information' },
  'carriage-returns': { severity: 'hint' },
  'no-last-newline': { severity: 'hint' },
} as const satisfies Readonly<Record<string, Rule>>;

export type RuleId = keyof typeof ruleTable;
