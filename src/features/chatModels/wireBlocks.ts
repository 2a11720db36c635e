import type { ChatPart } from './chatTurns';

/** A block of a message as the service takes it. */
export type WireBlock = { readonly type: string; readonly [field: string]: unknown };

const images = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/** What a text, an image or other data comes to in a request. Nothing where there is nothing to read: the service takes no blank text. */
export function toContentBlocks(part: ChatPart): readonly WireBlock[] {
  switch (part.kind) {
    case 'text':
      return toText(part.text);
    case 'data':
      return toDataBlocks(part.mimeType.toLowerCase(), part.data);
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
  const base64 = () => ({ type: 'base64', media_type: mimeType, data: Buffer.from(data).toString('base64') });
  if (images.has(mimeType)) {
    return [{ type: 'image', source: base64() }];
  }
  if (mimeType === 'application/pdf') {
    return [{ type: 'document', source: base64() }];
  }
  if (/^text\/|[/+]json$/.test(mimeType)) {
    return toText(new TextDecoder().decode(data));
  }
  // A mark of a chat's own, as for caches, has no media type; of anything else the model is to know that it is not there.
  return mimeType.includes('/') ? toText(`[A part of the type ${mimeType.slice(0, 100)} was left out.]`) : [];
}
