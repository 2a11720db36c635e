import { fileSchema } from '../schemas/files';
import { deletedSchema } from '../schemas/sessions';
import type { Files } from '../serviceClient';
import type { Transport } from '../transport/transport';
import { multipartFile } from './multipartFile';
import { callForObject, callForOutcome, callForPage, pathSegment } from './resource';

const path = '/files';

/** Input files over a transport (API facts, section 12). */
export function createFiles(transport: Transport): Files {
  return {
    upload: async (file, options) => {
      const { contentType, body } = multipartFile(file);
      return callForObject(transport, fileSchema, {
        method: 'POST',
        group: 'files',
        path,
        creates: true,
        contentType,
        body,
        signal: options?.signal,
      });
    },
    list: async options => callForPage(transport, fileSchema, { group: 'files', path }, options),
    delete: async (id, options) =>
      callForOutcome(
        transport,
        deletedSchema,
        { method: 'DELETE', group: 'files', path: `${path}/${pathSegment(id)}`, signal: options?.signal },
        () => ({ id }),
      ),
  };
}
