import { randomUUID } from 'node:crypto';
import type { StreamedBody } from '../../contract/streamedBody';
import type { FileUpload } from '../serviceClient';

/**
 * One file as a multipart form with the field `file` (API facts, section 2), streamed, with its exact length; before it, when it is to
 * expire, `expires_in_seconds` (of the newer shape). The name stands in
 * it in UTF-8, without `filename*` (RFC 7578) and without what servers read differently: double quotes become single ones, since some
 * keep the `%22` of browsers; line breaks and backslashes become `_`. What is no media type is sent as `application/octet-stream`.
 */
export function multipartFile(file: FileUpload): {
  readonly contentType: string;
  readonly body: StreamedBody;
} {
  const boundary = `managed-agents-${randomUUID()}`;
  const mediaType = /^[\w.+-]+\/[\w.+-]+$/.test(file.mediaType ?? '') ? file.mediaType : 'application/octet-stream';
  const name = file.name.replaceAll('"', "'").replace(/\r\n|[\r\n\\]/g, '_');
  const encoder = new TextEncoder();
  const seconds = file.expiresInSeconds;
  const expiry =
    seconds === undefined
      ? ''
      : `--${boundary}\r\nContent-Disposition: form-data; name="expires_in_seconds"\r\n\r\n${Math.trunc(seconds)}\r\n`;
  const head = encoder.encode(
    `${expiry}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n` + `Content-Type: ${mediaType}\r\n\r\n`,
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
