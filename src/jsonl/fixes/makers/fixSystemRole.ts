import type { JsonLine } from '../jsonLine';
import { type JsonPart, memberOf } from '../jsonParts';
import { type FixMaker, type LineFix, toFix } from '../lineFix';

/** Moves leading system messages to the system prompt, if there is none yet and other messages remain. */
export const fixSystemRole: FixMaker = (line, { path }) => {
  const { leading, fixes } = line.once(movingToSystem);
  const index = path[line.paramsPath.length + 1];
  return typeof index === 'number' && index < leading ? fixes : [];
};

/** Returns the number of leading system messages, and the fix that moves all of them. */
function movingToSystem(line: JsonLine): { readonly leading: number; readonly fixes: readonly LineFix[] } {
  const { text, paramsPath } = line;
  const messages = line.partAt([...paramsPath, 'messages']);
  const list = messages === undefined ? undefined : line.containerAt(messages.part.start);
  const contents: JsonPart[] = [];
  for (const item of list?.parts ?? []) {
    const content = contentOfSystem(line, item);
    if (content === undefined) {
      break;
    }
    contents.push(content);
  }
  const leading = contents.length;
  const first = list?.parts[0];
  const next = list?.parts[leading];
  const isFree = messages !== undefined && memberOf(messages.container, 'system') === undefined;
  const system = isFree && leading > 0 && next !== undefined ? systemOf(line, contents) : undefined;
  if (messages === undefined || first === undefined || next === undefined || system === undefined) {
    return { leading, fixes: [] };
  }
  const colon = text.slice(messages.part.keyEnd, messages.part.start);
  const comma = /\s$/.test(colon) ? ', ' : ',';
  const edits = [
    { start: messages.part.from, end: messages.part.from, text: `"system"${colon}${system}${comma}` },
    { start: first.from, end: next.from, text: '' },
  ];
  return { leading, fixes: [toFix('move-system', 'Move system message to "system"', edits)] };
}

/** Returns the content of a system message without other fields. */
function contentOfSystem(line: JsonLine, item: JsonPart): JsonPart | undefined {
  const message = line.text[item.start] === '{' ? line.containerAt(item.start) : undefined;
  const role = memberOf(message, 'role');
  const content = memberOf(message, 'content');
  const isSystem = message?.parts.length === 2 && role !== undefined && line.valueOf(role) === 'system';
  return isSystem ? content : undefined;
}

/** Returns the JSON text for `system`: a single text unchanged, otherwise a list of text blocks. */
function systemOf(line: JsonLine, contents: readonly JsonPart[]): string | undefined {
  const [only] = contents;
  if (only !== undefined && contents.length === 1 && line.text[only.start] === '"') {
    return line.raw(only);
  }
  const blocks: string[] = [];
  for (const content of contents) {
    const value = line.valueOf(content);
    const raw = line.raw(content);
    if (typeof value === 'string') {
      blocks.push(`{"type":"text","text":${raw}}`);
    } else if (Array.isArray(value) && value.every(isTextBlock)) {
      for (const part of line.containerAt(content.start)?.parts ?? []) {
        blocks.push(line.raw(part));
      }
    } else {
      return undefined;
    }
  }
  return `[${blocks.join(',')}]`;
}

function isTextBlock(block: unknown): boolean {
  return typeof block === 'object' && block !== null && (block as { type?: unknown }).type === 'text';
}
