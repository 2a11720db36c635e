import { fileSchema } from '../schemas/files';
import type { Files } from '../serviceClient';
import type { Transport } from '../transport/transport';
import { compared, createCrud } from './crud';
import { multipartForm } from './multipartForm';
import { callForObject } from './resource';

const path = '/files';

/** Creates the calls for files (API facts, section 12). */
export function createFiles(transport: Transport): Files {
  const files = createCrud(transport, { group: 'files', path, schema: fileSchema, type: 'file', filters: { sessionId: 'scope_id' } });
  return {
    ...files,
    upload: async (file, options) => {
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
    content: async (id, options) => {
      const call = { method: 'GET', group: 'files', path: files.below(id, '/content'), accept: '*/*', signal: options?.signal } as const;
      // Copies only these fields: the rest of the response has access to the key.
      const { body, contentLength, requestId } = await transport.stream(call);
      return { body, contentLength, requestId };
    },
  };
}
