import { type FileState, toFile } from '../files/fileRecords';
import { readForm } from '../files/multipart';
import { invalidRequest } from '../http/apiError';
import { type Envelope, listPage } from '../http/paging';
import type { Route } from '../http/router';
import type { Exchange } from '../http/serverExchange';

const largestUpload = 256 * 1024 * 1024;

/** `/v1/files` and the paths under it (API facts, section 12). */
export function fileRoutes(files: FileState, envelope: () => Envelope): readonly Route[] {
  const path = '/v1/files';
  return [
    { name: 'files.upload', method: 'POST', path, beta: 'files', handle: exchange => upload(exchange, files) },
    {
      name: 'files.list',
      method: 'GET',
      path,
      beta: 'files',
      handle: async exchange => {
        const query = new URLSearchParams(exchange.query);
        query.delete('scope_id');
        const found = files.list(exchange.query.get('scope_id') ?? undefined).map(toFile);
        await exchange.sendJson(listPage(found, query, envelope()));
      },
    },
    {
      name: 'files.retrieve',
      method: 'GET',
      path: `${path}/:id`,
      beta: 'files',
      handle: async (exchange, id) => exchange.sendJson(toFile(files.get(id))),
    },
    {
      name: 'files.content',
      method: 'GET',
      path: `${path}/:id/content`,
      beta: 'files',
      handle: async (exchange, id) => {
        const { filename, sessionId } = files.get(id);
        if (sessionId === null) {
          throw invalidRequest('File is not downloadable');
        }
        const name = filename.replace(/[^\w .-]/g, '_');
        const headers = { 'content-type': 'application/octet-stream', 'content-disposition': `attachment; filename="${name}"` };
        await exchange.send(200, headers, await files.content(id));
      },
    },
    {
      name: 'files.delete',
      method: 'DELETE',
      path: `${path}/:id`,
      beta: 'files',
      handle: async (exchange, id) => {
        await files.delete(id);
        await exchange.sendJson({ id, type: 'file_deleted' });
      },
    },
  ];
}

async function upload(exchange: Exchange, files: FileState): Promise<void> {
  const body = await exchange.bytes(largestUpload);
  const part = readForm(exchange.header('content-type'), body).find(({ name }) => name === 'file');
  if (part === undefined) {
    throw invalidRequest('file: Field required');
  }
  const filename = part.filename ?? '';
  if (filename.length < 1 || filename.length > 500) {
    throw invalidRequest('file: filename must have 1 to 500 characters');
  }
  const mimeType = part.mediaType ?? 'application/octet-stream';
  await exchange.sendJson(toFile(await files.add({ filename, mimeType, content: part.content })));
}
