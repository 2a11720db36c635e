import { randomUUID } from 'node:crypto';
import type { StreamedBody } from '../../contract/streamedBody';

/** One file of a form. */
export interface FormFile {
  /** Name of the field. */
  readonly field: string;
  /** Its name, with the folders it stands in where they are sent too. */
  readonly name: string;
  readonly mediaType?: string | undefined;
  readonly content: StreamedBody;
}

/**
 * Texts and files as a multipart form (API facts, section 2), streamed one file after the other, with its exact length. Names stand in it
 * in UTF-8, without `filename*` (RFC 7578) and without what servers read differently: double quotes become single ones, since some keep
 * the `%22` of browsers; line breaks and backslashes become `_`. What is no media type is sent as `application/octet-stream`.
 */
export function multipartForm(
  texts: readonly (readonly [field: string, value: string])[],
  files: readonly FormFile[],
): { readonly contentType: string; readonly body: StreamedBody } {
  const boundary = `managed-agents-${randomUUID()}`;
  const encoder = new TextEncoder();
  const begin = texts.map(([field, value]) => `--${boundary}\r\n${dispositionOf(field)}\r\n\r\n${value}\r\n`).join('');
  const heads = files.map(({ field, name, mediaType = '' }, index) => {
    const type = /^[\w.+-]+\/[\w.+-]+$/.test(mediaType) ? mediaType : 'application/octet-stream';
    const before = index === 0 ? begin : '\r\n';
    return encoder.encode(
      `${before}--${boundary}\r\n${dispositionOf(field)}; filename="${plainName(name)}"\r\nContent-Type: ${type}\r\n\r\n`,
    );
  });
  const tail = encoder.encode(`${files.length === 0 ? begin : '\r\n'}--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: {
      byteLength:
        [...heads, tail].reduce((sum, { length }) => sum + length, 0) + files.reduce((sum, { content }) => sum + content.byteLength, 0),
      async *open(signal) {
        for (const [index, { content }] of files.entries()) {
          yield heads[index] ?? tail;
          yield* content.open(signal);
        }
        yield tail;
      },
    },
  };
}

function dispositionOf(field: string): string {
  return `Content-Disposition: form-data; name="${field}"`;
}

function plainName(name: string): string {
  return name.replaceAll('"', "'").replace(/\r\n|[\r\n\\]/g, '_');
}
