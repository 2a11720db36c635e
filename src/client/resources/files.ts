import * as z from 'zod';
import type { StreamedBody } from '../../contract/streamedBody';
import type { ByteStream, CallOptions } from '../transport/callResult';
import { identity, optionalTexts } from '../transport/commonFields';
import type { Transport } from '../transport/transport';
import { compared, createCrud } from './crud';
import { multipartForm } from './multipartForm';
import { callForObject } from './resource';

/** File stored by the service, uploaded or created by a session, in either wire format (API facts, section 12). Only `id` is required. */
const fileSchema = z.looseObject({
  ...identity('file'),
  ...optionalTexts('filename', 'mime_type', 'created_at'),
  size_bytes: z.number().nullish(),
  /** True if the content can be downloaded. A service may refuse downloads of uploaded files. */
  downloadable: z.boolean().nullish(),
  /** Creator of the file: `{type: "session", id}`. Absent or null for an upload. */
  scope: z.looseObject({ type: z.string().nullish(), id: z.string().nullish() }).nullish(),
  /** Newer shape only. Null for a file that does not expire. */
  expires_at: z.string().nullish(),
});
export type ServiceFile = z.infer<typeof fileSchema>;

/** Options of an upload. `onProgress` receives the number of bytes of the body sent so far. */
export interface UploadOptions extends CallOptions {
  readonly onProgress?: ((sentBytes: number) => void) | undefined;
}

/** File to upload. `name` is its base name. */
interface FileUpload {
  readonly name: string;
  readonly mediaType?: string;
  readonly content: StreamedBody;
  /** Lifetime in seconds, 3,600 to 7,776,000. Only services of the newer shape support a lifetime. */
  readonly expiresInSeconds?: number;
}

const path = '/files';

/** Creates the calls for files, which are uploaded by users or created by sessions (API facts, section 12). */
export function createFiles(transport: Transport) {
  const files = createCrud<typeof fileSchema, { readonly sessionId?: string }>(transport, {
    group: 'files',
    path,
    schema: fileSchema,
    type: 'file',
    filters: { sessionId: 'scope_id' },
  });
  const { list, retrieve, delete: remove } = files.calls;
  return {
    ...{ list, retrieve, delete: remove },
    /** Uploads one file as a stream. Never retried. */
    upload: async (file: FileUpload, options?: UploadOptions) => {
      const { name, mediaType, content, expiresInSeconds: seconds } = file;
      const texts = seconds === undefined ? [] : [['expires_in_seconds', String(Math.trunc(seconds))] as const];
      const { contentType, body } = multipartForm(texts, [{ field: 'file', name, mediaType, content }]);
      const { signal, onProgress } = options ?? {};
      const answer = await callForObject(transport, fileSchema, {
        method: 'POST',
        group: 'files',
        path,
        about: files.about(),
        creates: true,
        contentType,
        body,
        signal,
        onProgress,
      });
      // The response has the expiry time instead of the number of seconds.
      const expires = answer.data.expires_at == null ? {} : { expires_in_seconds: seconds };
      return compared(answer, { filename: name, expires_in_seconds: seconds }, {}, { ...answer.data, ...expires });
    },
    /** Returns the bytes of a file. A service may refuse to return an uploaded file (see `downloadable`). */
    content: async (id: string, options?: CallOptions): Promise<ByteStream> => {
      const call = { method: 'GET', group: 'files', path: files.below(id, '/content'), accept: '*/*', signal: options?.signal } as const;
      // Only these fields are copied, because other parts of the response have access to the key.
      const { body, contentLength, requestId } = await transport.stream(call);
      return { body, contentLength, requestId };
    },
  };
}
