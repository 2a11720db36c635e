import type { Severity } from '../../contract/problem';

/** Default settings of a rule. Only problems that are certain by the contract are errors. */
export interface Rule {
  readonly severity: Severity;
  /** True if findings of the rule are about the params of one request, and the service would probably refuse the request. */
  readonly isRefused?: true;
}

/** Every rule, keyed by its id. Users see the id in the Problems view and in settings. */
export const ruleTable = {
  // JSON of a line.
  'json-syntax': { severity: 'error' },
  'duplicate-key': { severity: 'error' },
  'lone-surrogate': { severity: 'warning' },
  'too-deep': { severity: 'error' },
  'number-precision': { severity: 'information' },
  'not-a-request': { severity: 'error' },
  'blank-line': { severity: 'information' },
  // Shape of a request, from the schemas of the client.
  'missing-field': { severity: 'error' },
  'unknown-field': { severity: 'error' },
  'wrong-type': { severity: 'error' },
  'value-not-allowed': { severity: 'error' },
  'number-out-of-range': { severity: 'error', isRefused: true },
  'text-length': { severity: 'error' },
  'item-count': { severity: 'error', isRefused: true },
  'text-pattern': { severity: 'error' },
  'newer-field': { severity: 'error', isRefused: true },
  'unknown-variant': { severity: 'information' },
  // Fields that depend on each other, on the model, or on being in a batch.
  'thinking-budget': { severity: 'error', isRefused: true },
  'credit-with-fallbacks': { severity: 'error', isRefused: true },
  'credit-needs-beta': { severity: 'error', isRefused: true },
  'credit-extended-form': { severity: 'warning', isRefused: true },
  'credit-expires': { severity: 'warning' },
  'user-profile-conflict': { severity: 'error', isRefused: true },
  'sampling-rejected': { severity: 'error', isRefused: true },
  'model-limit': { severity: 'warning', isRefused: true },
  'deprecated-field': { severity: 'hint' },
  'deprecated-model': { severity: 'warning' },
  'unknown-model': { severity: 'information' },
  'stream-in-batch': { severity: 'warning', isRefused: true },
  'system-role': { severity: 'warning' },
  'no-messages': { severity: 'warning', isRefused: true },
  'empty-content': { severity: 'error', isRefused: true },
  'zero-max-tokens': { severity: 'information' },
  'tool-not-defined': { severity: 'warning', isRefused: true },
  'duplicate-tool': { severity: 'warning', isRefused: true },
  'duplicate-server': { severity: 'warning', isRefused: true },
  'server-not-defined': { severity: 'warning', isRefused: true },
  'tool-pairs': { severity: 'warning', isRefused: true },
  'picture-type': { severity: 'warning', isRefused: true },
  'cache-markers': { severity: 'warning', isRefused: true },
  prefill: { severity: 'warning', isRefused: true },
  'forced-tool-thinking': { severity: 'warning', isRefused: true },
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

/** Returns whether the service would refuse the request because of a finding: any error, or a warning of a rule with `isRefused`. */
export function isRefusal({ rule, severity }: { readonly rule: string; readonly severity: Severity }): boolean {
  return severity === 'error' || (severity === 'warning' && isRefusedRule(rule));
}

export function isRefusedRule(rule: string): boolean {
  return Object.hasOwn(ruleTable, rule) && 'isRefused' in ruleTable[rule as RuleId];
}
