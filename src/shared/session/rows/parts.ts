import { maskSecrets } from '../../maskedJson';
import { countLineEnds, toLabel } from '../../text';
import { type Fields, listOf, objectOf, textOf } from '../eventFields';
import type { Part } from './rows';

/** Maximum length of text in a part of a row, in UTF-16 units. */
export const partLimit = 4000;

/** Returns text as a part, cut to `limit`, never inside a surrogate pair. */
export function toTextPart(text: string, limit: number): Extract<Part, { type: 'text' }> {
  return { type: 'text', ...cutPart(text, limit) };
}

/** Returns any value as a part with pretty-printed JSON. */
export function toJsonPart(value: unknown, limit: number): Extract<Part, { type: 'json' }> {
  return { type: 'json', ...cutPart(toPrettyJson(value), limit) };
}

/** Returns pretty-printed JSON, or '' if the value is missing or can't be printed. */
export function toPrettyJson(value: unknown): string {
  try {
    return value === undefined ? '' : JSON.stringify(value, null, 2);
  } catch {
    // The value is nested too deeply for the engine.
    return '';
  }
}

/** Returns the content of an event as parts, one per block, in order. A bare string counts as one text block. */
export function toParts(content: unknown, limit: number): readonly Part[] {
  if (typeof content === 'string') {
    return content === '' ? [] : [toTextPart(content, limit)];
  }
  return listOf(content).map(block => toPart(block, limit));
}

export function textOfMessage(content: unknown): string {
  return (
    textOf(content) ??
    listOf(content)
      .flatMap(block => textOf(objectOf(block)?.text) ?? [])
      .join('\n\n')
  );
}

/** Returns the text of parts, for a summary. */
export function textOfParts(parts: readonly Part[]): string {
  return parts.map(textOfPart).find(text => text !== '') ?? '';
}

/** Returns the text of a part, or its name or title. */
export function textOfPart(part: Part): string {
  return part.type === 'image' ? part.name : part.type === 'document' ? part.title : part.type === 'redacted' ? '' : part.text;
}

export function toSummary(text: string): string {
  const start = text.slice(0, 1000);
  return toLabel((/[\t\r\n]| {2}/.test(start) ? start.replace(/[\t\r\n ]+/g, ' ') : start).trim());
}

function cutPart(text: string, limit: number): { text: string; cut?: number; cutLines?: number } {
  if (text.length <= limit) {
    return { text };
  }
  const isInsidePair = (text.charCodeAt(limit - 1) & 0xfc00) === 0xd800;
  const end = isInsidePair ? limit - 1 : limit;
  const lines = countLineEnds(text, end);
  // A slice alone would keep the whole text in memory for the lifetime of the row.
  return { text: ` ${text.slice(0, end)}`.slice(1), cut: text.length, ...(lines === 0 ? {} : { cutLines: lines }) };
}

type PartMaker = (block: Fields, limit: number) => Part;

const makers: ReadonlyMap<unknown, PartMaker> = new Map<unknown, PartMaker>([
  ['text', (block, limit) => (typeof block.text === 'string' ? toTextPart(block.text, limit) : toMaskedPart(block, limit))],
  ['thinking', (block, limit) => (typeof block.thinking === 'string' ? toTextPart(block.thinking, limit) : toMaskedPart(block, limit))],
  ['redacted', () => ({ type: 'redacted' })],
  ['redacted_thinking', () => ({ type: 'redacted' })],
  ['image', toImagePart],
  ['document', toDocumentPart],
  ['search_result', toSearchResultPart],
]);

/** Returns content of an unknown type as JSON, with the contract's secret fields masked. */
function toMaskedPart(block: unknown, limit: number): Part {
  return toJsonPart(maskSecrets(block), limit);
}

function toPart(block: unknown, limit: number): Part {
  if (typeof block === 'string') {
    return toTextPart(block, limit);
  }
  const fields = objectOf(block);
  const maker = fields === undefined ? undefined : makers.get(fields.type);
  return fields === undefined || maker === undefined ? toMaskedPart(block, limit) : maker(fields, limit);
}

function toImagePart(block: Fields, limit: number): Part {
  const source = objectOf(block.source);
  const mediaType = textOf(source?.media_type);
  if (typeof source?.data === 'string') {
    return {
      type: 'image',
      source: 'base64',
      ...(mediaType === undefined ? {} : { mediaType: toLabel(mediaType) }),
      bytes: toByteCount(source.data),
      name: toLabel(mediaType ?? 'image'),
    };
  }
  const url = textOf(source?.url);
  const file = textOf(source?.file_id);
  if (url !== undefined || file !== undefined) {
    return { type: 'image', source: url === undefined ? 'file' : 'url', name: toLabel(url ?? file ?? '') };
  }
  return toJsonPart(block, limit);
}

function toDocumentPart(block: Fields, limit: number): Part {
  const source = objectOf(block.source);
  const kind = textOf(source?.type) ?? '';
  const name = textOf(source?.url) ?? textOf(source?.file_id) ?? textOf(source?.media_type) ?? '';
  const title = toLabel(textOf(block.title) ?? name);
  const data = source?.data;
  const content = typeof data !== 'string' ? {} : kind === 'text' ? cutPart(data, limit) : { bytes: toByteCount(data) };
  return { type: 'document', title, source: toLabel(name || kind), ...content };
}

function toSearchResultPart(block: Fields, limit: number): Part {
  const texts = listOf(block.content).map(item => textOf(objectOf(item)?.text) ?? '');
  return {
    type: 'document',
    title: toLabel(textOf(block.title) ?? ''),
    source: toLabel(textOf(block.source) ?? ''),
    ...cutPart(texts.join('\n'), limit),
  };
}

function toByteCount(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor((base64.length * 3) / 4) - padding);
}
