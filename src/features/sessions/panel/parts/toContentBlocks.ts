import { imageTypeOf } from '../../../../common/files/mediaTypes';

/**
 * Returns the content blocks for a file as the result of a tool (API facts, 8.1): an image or PDF block, or UTF-8 text unchanged. Returns
 * `undefined` for other bytes, which no block can contain. An empty file has no blocks.
 */
export function toContentBlocks(bytes: Uint8Array): readonly object[] | undefined {
  const mediaType = imageTypeOf(bytes)?.mediaType;
  if (mediaType !== undefined) {
    return [{ type: 'image', source: { type: 'base64', media_type: mediaType, data: base64(bytes) } }];
  }
  if (Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 5)).toString('latin1') === '%PDF-') {
    return [{ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: base64(bytes) } }];
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // Some binary files are valid UTF-8, but text has no zero bytes.
    return text.includes('\0') ? undefined : text === '' ? [] : [{ type: 'text', text }];
  } catch {
    return undefined;
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
