import { randomUUID } from 'node:crypto';
import type { StreamedBody } from '../../contract/streamedBody';

/**
 * One file as a multipart form with the field `file` (API facts, section 2), streamed, with its exact length. The name stands in
 * it in UTF-8, without `filename*` (RFC 7578) and without what servers read differently: double quotes become single ones, since some
 * keep the `%22` of browsers; line breaks and backslashes become `_`. What is no media type is sent as `application/octet-stream`.
 */
export function multipartFile(file: { readonly name: string; readonly mediaType?: string; readonly content: StreamedBody }): {
  readonly contentType: string;
  readonly body: StreamedBody;
} {
  const boundary = `managed-agents-${randomUUID()}`;
  const mediaType = /^[\w.+-]+\/[\w.+-]+$/.test(file.mediaType ?? '') ? file.mediaType : 'application/octet-stream';
  const name = file.name.replaceAll('"', "'").replace(/\r\n|[\r\n\\]/g, '_');
  const encoder = new TextEncoder();
  const head = encoder.encode(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n` + `Content-Type: ${mediaType}\r\n\r\n`,
  );
  const tail = encoder.encode(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: {
      byteLength: head.length + file.content.byteLength + tail.length,
      async *open(signal) {
        yield head;
        yield* file.content.open(signal);
        yield tail;
      },
    },
  };
}
