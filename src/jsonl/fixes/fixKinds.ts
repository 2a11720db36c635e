interface FixKindFacts {
  /** Verb phrase for lists of kinds. */
  readonly label: string;
  /** True if the fix can't lose anything that the service would use, and is the only sensible one. Safe fixes are applied by default. */
  readonly isSafe: boolean;
}

/** Every kind of fix, in the order of the pickers. */
export const fixKinds = {
  // JSON of a line.
  'json-commas': { label: 'Remove trailing comma', isSafe: true },
  'json-quotes': { label: 'Use double quotes', isSafe: true },
  'json-words': { label: 'Write true, false and null in lowercase', isSafe: true },
  'json-numbers': { label: 'Write as JSON number', isSafe: true },
  'json-comments': { label: 'Remove comment', isSafe: true },
  'json-characters': { label: 'Escape control characters', isSafe: true },
  'json-space': { label: 'Replace invalid whitespace', isSafe: true },
  'split-line': { label: 'Put each request on its own line', isSafe: true },
  'json-null': { label: 'Replace with null', isSafe: false },
  'json-escapes': { label: 'Escape backslash', isSafe: false },
  'json-missing-commas': { label: 'Add missing comma', isSafe: false },
  'json-brackets': { label: 'Remove unmatched brackets', isSafe: false },
  'json-end': { label: 'Close brackets', isSafe: false },
  'same-key': { label: 'Remove duplicate field', isSafe: true },
  'doubled-key': { label: 'Remove duplicate field', isSafe: false },
  surrogates: { label: 'Replace incomplete surrogate pairs', isSafe: false },
  // Ids.
  'make-id': { label: 'Add missing IDs', isSafe: true },
  'repair-id': { label: 'Correct invalid IDs', isSafe: true },
  'unique-id': { label: 'Make duplicate IDs unique', isSafe: true },
  'wrap-params': { label: 'Wrap bare params in requests with IDs', isSafe: false },
  'gather-params': { label: 'Move fields into "params"', isSafe: true },
  // Fields and values.
  'rename-field': { label: 'Correct misspelled field names', isSafe: true },
  'missing-type': { label: 'Add missing types with only one possible value', isSafe: true },
  'missing-field': { label: 'Add required fields with default values', isSafe: false },
  'listed-value': { label: 'Replace invalid value', isSafe: true },
  'value-type': { label: 'Convert values to the expected type', isSafe: true },
  'drop-null': { label: 'Remove invalid null values', isSafe: true },
  'wrap-array': { label: 'Wrap in an array', isSafe: false },
  'number-bound': { label: 'Clamp out-of-range numbers', isSafe: false },
  'remove-field': { label: 'Remove unknown fields', isSafe: false },
  'move-output-format': { label: 'Move to output_config.format', isSafe: true },
  'output-format-twice': { label: 'Remove output_format', isSafe: true },
  'drop-stream': { label: 'Remove stream', isSafe: true },
  'drop-sampling': { label: 'Remove sampling parameter', isSafe: true },
  'drop-speed': { label: 'Remove unavailable speeds', isSafe: false },
  'picture-type': { label: 'Correct image types', isSafe: true },
  'prefill-space': { label: 'Remove trailing whitespace', isSafe: true },
  prefill: { label: 'Remove message', isSafe: false },
  'tool-result': { label: 'Add empty tool result', isSafe: false },
  'tool-pairs': { label: 'Remove unpaired tool calls and results', isSafe: false },
  'cache-markers': { label: 'Fix cache markers', isSafe: false },
  'forced-tool': { label: 'Choose between thinking and a forced tool', isSafe: false },
  'emptied-thinking': { label: 'Remove empty block', isSafe: false },
  'drop-deprecated': { label: 'Remove sampling parameter', isSafe: false },
  'move-system': { label: 'Move system message to "system"', isSafe: true },
  'empty-block': { label: 'Remove empty block', isSafe: true },
  'same-tool': { label: 'Remove duplicate tool', isSafe: true },
  model: { label: 'Replace invalid value', isSafe: false },
  'thinking-budget': { label: 'Raise max_tokens', isSafe: false },
  'credit-text': { label: 'Write token as string', isSafe: true },
  credit: { label: 'Choose between fallback credit and fallbacks', isSafe: false },
  'user-id': { label: 'Remove user IDs that look personal', isSafe: false },
  // Whole lines and the whole file.
  'blank-line': { label: 'Remove blank lines', isSafe: true },
  'same-line': { label: 'Remove duplicate request', isSafe: false },
  'byte-order-mark': { label: 'Remove the byte order mark', isSafe: false },
  'carriage-returns': { label: 'End lines with LF', isSafe: false },
  'last-newline': { label: 'End the last line with LF', isSafe: false },
} as const satisfies Readonly<Record<string, FixKindFacts>>;

export type FixKind = keyof typeof fixKinds;
