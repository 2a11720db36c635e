import type { ChatPart } from './chatTurns';
import { dataKindOf } from './dataKindOf';

/** A block of a message as the service takes it. */
export type WireBlock = { readonly type: string; readonly [field: string]: unknown };

/** What a text, an image or other data comes to in a request. Nothing where there is nothing to read: the service takes no blank text. */
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

/** The block of a text, well-formed whatever it was; none of a blank one. */
export function toText(text: string): readonly WireBlock[] {
  return text.trim() === '' ? [] : [{ type: 'text', text: text.toWellFormed() }];
}

/** A value as JSON has it, every text well-formed: a service takes no half of a character. */
export function toWellFormed(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value) ?? 'null', (_, one: unknown) => (typeof one === 'string' ? one.toWellFormed() : one));
}

function toDataBlocks(mimeType: string, data: Uint8Array): readonly WireBlock[] {
  // A service refuses an image of nothing, and with it every request of the chat from then on.
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
      // The model is to know that it is not there.
      return toText(`[A part of the type ${mimeType.slice(0, 100)} was left out.]`);
  }
}
