import { randomUUID } from 'node:crypto';
import type { StreamedBody } from '../../contract/streamedBody';

interface FormFile {
  readonly field: string;
  /** File name, or relative path if folders are sent too. */
  readonly name: string;
  readonly mediaType?: string | undefined;
  readonly content: StreamedBody;
}

/**
 * Encodes texts and files as a multipart form (API facts, section 2), streamed file by file, with the exact length of the form. Names are
 * UTF-8, without `filename*` (RFC 7578) and without characters that servers read differently. Double quotes become single quotes because
 * some servers keep the `%22` of browsers. Line breaks and backslashes become `_`. An invalid media type is replaced by
 * `application/octet-stream`.
 */
export function multipartForm(
  texts: readonly (readonly [field: string, value: string])[],
  files: readonly FormFile[],
): { readonly contentType: string; readonly body: StreamedBody } {
  const boundary = `managed-agents-${randomUUID()}`;
  const encoder = new TextEncoder();
  const head = texts.map(([field, value]) => `--${boundary}\r\n${dispositionOf(field)}\r\n\r\n${value}\r\n`).join('');
  const heads = files.map(({ field, name, mediaType = '' }, index) => {
    const type = /^[\w.+-]+\/[\w.+-]+$/.test(mediaType) ? mediaType : 'application/octet-stream';
    const before = index === 0 ? head : '\r\n';
    return encoder.encode(
      `${before}--${boundary}\r\n${dispositionOf(field)}; filename="${plainName(name)}"\r\nContent-Type: ${type}\r\n\r\n`,
    );
  });
  const tail = encoder.encode(`${files.length === 0 ? head : '\r\n'}--${boundary}--\r\n`);
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
