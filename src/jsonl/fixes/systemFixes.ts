import type { JsonLine } from './jsonLine';
import { type JsonPart, memberOf } from './jsonPlaces';
import { type FixMaker, toFix } from './lineFix';

/** Leading system messages become the system prompt, where there is none yet and other messages stay. */
export const fixSystemRole: FixMaker = (line, { path }) => {
  const { text, paramsPath } = line;
  const messages = line.placeOf([...paramsPath, 'messages']);
  const list = messages === undefined ? undefined : line.containerAt(messages.part.start);
  if (messages === undefined || list === undefined || memberOf(messages.container, 'system') !== undefined) {
    return [];
  }
  const contents: JsonPart[] = [];
  for (const item of list.parts) {
    const content = contentOfSystem(line, item);
    if (content === undefined) {
      break;
    }
    contents.push(content);
  }
  const next = list.parts[contents.length];
  const index = path[paramsPath.length + 1];
  const first = list.parts[0];
  if (first === undefined || next === undefined || typeof index !== 'number' || index >= contents.length) {
    return [];
  }
  const system = systemOf(line, contents);
  if (system === undefined) {
    return [];
  }
  const colon = text.slice(messages.part.keyEnd, messages.part.start);
  const comma = /\s$/.test(colon) ? ', ' : ',';
  const title = contents.length === 1 ? 'Move this message to system' : 'Move the leading system messages to system';
  return [
    toFix('move-system', title, [
      { start: messages.part.from, end: messages.part.from, text: `"system"${colon}${system}${comma}` },
      { start: first.from, end: next.from, text: '' },
    ]),
  ];
};

/** The content of a message that has the role `system` and nothing else beside. */
function contentOfSystem(line: JsonLine, item: JsonPart): JsonPart | undefined {
  const message = line.text[item.start] === '{' ? line.containerAt(item.start) : undefined;
  const role = memberOf(message, 'role');
  const content = memberOf(message, 'content');
  const isSystem = message?.parts.length === 2 && role !== undefined && line.valueOf(role) === 'system';
  return isSystem ? content : undefined;
}

/** The JSON text of `system`: a lone text as it stands, else all of them as text blocks. */
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
      blocks.push(...(line.containerAt(content.start)?.parts ?? []).map(part => line.raw(part)));
    } else {
      return undefined;
    }
  }
  return `[${blocks.join(',')}]`;
}

function isTextBlock(block: unknown): boolean {
  return typeof block === 'object' && block !== null && (block as { type?: unknown }).type === 'text';
}
