import { parseExact, writeJson } from '../../shared/exactJson';

/** Returns the text of a result and the JSON of its tool inputs, separated by empty lines, without other blocks. */
export function answerText(result: Readonly<Record<string, unknown>>): string {
  const { content } = toRecord(result.message);
  let text = '';
  let isOpen = false;
  for (const item of Array.isArray(content) ? content : []) {
    const block = toRecord(item);
    const isText = block.type === 'text' || (block.type === undefined && typeof block.text === 'string');
    const words = isText ? block.text : block.type === 'tool_use' ? writeJson(block.input) : undefined;
    if (typeof words === 'string' && words !== '') {
      // Consecutive text blocks are one text, which the service splits where the cited sources change.
      text += (text === '' || (isOpen && isText) ? '' : '\n\n') + words;
    }
    isOpen = isText;
  }
  return text;
}

/** Returns the innermost message of an error, or the whole error as JSON if the error has no message. */
export function errorText(result: Readonly<Record<string, unknown>>): string {
  const outer = toRecord(result.error);
  const message = toRecord(outer.error).message ?? outer.message;
  return typeof message === 'string' ? message : result.error === undefined ? '' : writeJson(result.error);
}

/** Returns the `result` of a joined line. Throws if the line is not JSON. */
export function resultIn(line: string): Readonly<Record<string, unknown>> {
  return toRecord(toRecord(parseExact(line)).result);
}

/** Returns a value that is an object, or an empty object for anything else. */
export function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
