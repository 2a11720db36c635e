import type { ChatPart } from './chatTurns';
import { dataKindOf } from './dataKindOf';

/** Block of a message as sent to the service. */
export type WireBlock = { readonly type: string; readonly [field: string]: unknown };

/** Converts a text, an image or other data to blocks of a request. Empty for blank texts and empty data, which services reject. */
export function toContentBlocks(part: ChatPart): readonly WireBlock[] {
  switch (part.kind) {
    case 'text':
      return toText(part.text);
    case 'data':
      return toDataBlocks(part.mimeType, part.data);
    default:
      return [];
  }
}

/** Returns the block of a text, made well-formed. Empty for a blank text. */
export function toText(text: string): readonly WireBlock[] {
  return text.trim() === '' ? [] : [{ type: 'text', text: text.toWellFormed() }];
}

/** Converts a value to a plain JSON value with only well-formed texts, because services reject lone surrogates. */
export function toWellFormed(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value) ?? 'null', (_, one: unknown) => (typeof one === 'string' ? one.toWellFormed() : one));
}

function toDataBlocks(mimeType: string, data: Uint8Array): readonly WireBlock[] {
  // A service rejects an empty image, and with it every later request of the chat.
  if (data.length === 0) {
    return [];
  }
  const kind = dataKindOf(mimeType);
  switch (kind) {
    case 'image':
    case 'document':
      return [{ type: kind, source: { type: 'base64', media_type: mimeType.toLowerCase(), data: Buffer.from(data).toString('base64') } }];
    case 'text':
      return toText(new TextDecoder().decode(data));
    case 'mark':
      return [];
    case 'other':
      // Lets the model know that something is missing.
      return toText(`[A part of the type ${mimeType.slice(0, 100)} was left out.]`);
  }
}
