/** One kind of fix: what it does to the lines it is applied to, and whether it is applied without being asked for. */
export interface FixKindFacts {
  /** A verb phrase, for lists of kinds. */
  readonly label: string;
  /** Nothing that the service would have used can be lost by it, and there is one sensible answer. */
  readonly isSafe: boolean;
}

/** Every kind of fix, in the order people are asked about them. */
export const fixKinds = {
  // The JSON of a line.
  'json-commas': { label: 'Remove commas that nothing follows', isSafe: true },
  'json-quotes': { label: 'Use double quotes', isSafe: true },
  'json-words': { label: 'Write true, false and null as JSON does', isSafe: true },
  'json-numbers': { label: 'Write numbers as JSON does', isSafe: true },
  'json-comments': { label: 'Remove comments', isSafe: true },
  'json-characters': { label: 'Write control characters as escapes', isSafe: true },
  'json-space': { label: 'Write white space between values as JSON does', isSafe: true },
  'split-line': { label: 'Put each request on a line of its own', isSafe: true },
  'json-null': { label: 'Write null for NaN, Infinity and undefined', isSafe: false },
  'json-escapes': { label: 'Double the backslashes of unknown escapes', isSafe: false },
  'json-missing-commas': { label: 'Put commas between values', isSafe: false },
  'json-brackets': { label: 'Remove brackets that close nothing', isSafe: false },
  'json-end': { label: 'Close unclosed brackets', isSafe: false },
  'same-key': { label: 'Remove doubled fields of the same value', isSafe: true },
  'doubled-key': { label: 'Remove doubled fields of different values', isSafe: false },
  surrogates: { label: 'Replace halves of surrogate pairs', isSafe: false },
  // Ids.
  'make-id': { label: 'Make missing ids', isSafe: true },
  'repair-id': { label: 'Repair ids: characters, length, type', isSafe: true },
  'unique-id': { label: 'Make duplicate IDs unique', isSafe: true },
  'wrap-params': { label: 'Wrap bare params into requests with ids', isSafe: false },
  'gather-params': { label: 'Put the fields of the params into params', isSafe: true },
  // Fields and values.
  'rename-field': { label: 'Correct the names of fields', isSafe: true },
  'missing-type': { label: 'Write the types that can only be one', isSafe: true },
  'missing-field': { label: 'Add required fields with usual values', isSafe: false },
  'listed-value': { label: 'Replace invalid values', isSafe: true },
  'value-type': { label: 'Convert values to the expected type', isSafe: true },
  'drop-null': { label: 'Remove null where no null may stand', isSafe: true },
  'wrap-array': { label: 'Wrap single values into arrays', isSafe: false },
  'number-bound': { label: 'Clamp out-of-range numbers', isSafe: false },
  'remove-field': { label: 'Remove fields that are not known', isSafe: false },
  'move-output-format': { label: 'Move output_format into output_config', isSafe: true },
  'output-format-twice': { label: 'Remove the second output format', isSafe: true },
  'drop-stream': { label: 'Remove stream', isSafe: true },
  'drop-sampling': { label: 'Remove sampling parameters that the model rejects', isSafe: true },
  'drop-speed': { label: 'Remove speeds that the model does not have', isSafe: false },
  'picture-type': { label: 'Correct the types of pictures by their bytes', isSafe: true },
  'prefill-space': { label: 'Remove white space at the end of texts that answers continue', isSafe: true },
  prefill: { label: 'Remove last messages that are not continued', isSafe: false },
  'tool-result': { label: 'Add empty results of tool calls', isSafe: false },
  'tool-pairs': { label: 'Remove tool calls and results without each other', isSafe: false },
  'cache-markers': { label: 'Remove or change cache markers', isSafe: false },
  'forced-tool': { label: 'Choose between thinking and a forced tool', isSafe: false },
  'emptied-thinking': { label: 'Remove thinking blocks without text', isSafe: false },
  'drop-deprecated': { label: 'Remove deprecated sampling parameters', isSafe: false },
  'move-system': { label: 'Move leading system messages to system', isSafe: true },
  'empty-block': { label: 'Remove empty text blocks', isSafe: true },
  'same-tool': { label: 'Remove doubled tools', isSafe: true },
  model: { label: 'Replace models by the ones suggested', isSafe: false },
  'thinking-budget': { label: 'Raise max_tokens above the thinking budget', isSafe: false },
  'credit-text': { label: 'Write fallback credit tokens as texts', isSafe: true },
  credit: { label: 'Choose between fallback credit and fallbacks', isSafe: false },
  'user-id': { label: 'Remove user ids that look personal', isSafe: false },
  // Whole lines and the whole file.
  'blank-line': { label: 'Remove empty lines', isSafe: true },
  'same-line': { label: 'Remove requests that stand twice', isSafe: false },
  'byte-order-mark': { label: 'Remove the byte order mark', isSafe: false },
  'carriage-returns': { label: 'End lines with LF', isSafe: false },
  'last-newline': { label: 'End the last line with LF', isSafe: false },
} as const satisfies Readonly<Record<string, FixKindFacts>>;

export type FixKind = keyof typeof fixKinds;
