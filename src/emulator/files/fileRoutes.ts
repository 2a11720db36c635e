import { invalidRequest } from '../http/apiError';
import { kindRoutes } from '../http/kindRoutes';
import { valuesOf } from '../http/listFilters';
import { type Route, routesBelow } from '../http/matchRoute';
import { type Envelope, listPage } from '../http/paging';
import { readForm } from '../http/readForm';
import type { Exchange } from '../http/serverExchange';
import { type FileState, toFile } from './fileRecords';

const largestUpload = 256 * 1024 * 1024;
const shortestLife = 3_600;
const longestLife = 7_776_000;

/**
 * Returns the routes of `/v1/files` and the paths below it (API facts, section 12). With `isContract`, unknown filters are refused and
 * files don't expire.
 */
export function fileRoutes(files: FileState, envelope: () => Envelope, isContract: boolean): readonly Route[] {
  const path = '/v1/files';
  const canExpire = () => !isContract && envelope() === 'page';
  const show = (record: Parameters<typeof toFile>[0]) => toFile(record, canExpire());
  const table = {
    group: 'files',
    path,
    list: (query: URLSearchParams) => {
      const ids = valuesOf(query, 'ids');
      const found = files.list(query.get('scope_id') ?? undefined);
      return (ids === undefined ? found : found.filter(({ id }) => ids.includes(id))).map(show);
    },
    page: (items: readonly { readonly id: string }[], query: URLSearchParams) => {
      const rest = new URLSearchParams(query);
      rest.delete('scope_id');
      rest.delete('ids[]');
      return listPage(items, rest, envelope());
    },
    retrieve: (id: string) => show(files.get(id)),
    delete: async (id: string) => {
      await files.delete(id);
      return 'file_deleted';
    },
  } as const;
  const route = routesBelow('files', path, 'files');
  return [
    route('POST', 'upload', '', exchange => upload(exchange, files, canExpire())),
    ...kindRoutes(table, isContract),
    route('GET', 'content', '/:id/content', async (exchange, id) => {
      const { filename, sessionId } = files.get(id);
      if (sessionId === null) {
        throw invalidRequest('File is not downloadable');
      }
      const name = filename.replace(/[^\w .-]/g, '_');
      const headers = { 'content-type': 'application/octet-stream', 'content-disposition': `attachment; filename="${name}"` };
      await exchange.send(200, headers, await files.content(id));
    }),
  ];
}

async function upload(exchange: Exchange, files: FileState, canExpire: boolean): Promise<void> {
  const body = await exchange.bytes(largestUpload);
  const parts = readForm(exchange.header('content-type'), body);
  const part = parts.find(({ name }) => name === 'file');
  if (part === undefined) {
    throw invalidRequest('file: Field required');
  }
  // As observed: only the last part of the path is stored.
  const filename = (part.filename ?? '').split('/').at(-1) ?? '';
  if (filename.length < 1 || filename.length > 500) {
    throw invalidRequest('file: filename must have 1 to 500 characters');
  }
  const life = parts.find(({ name }) => name === 'expires_in_seconds')?.content.toString();
  const seconds = life === undefined || !canExpire ? undefined : Number(life);
  if (seconds !== undefined && !(Number.isInteger(seconds) && seconds >= shortestLife && seconds <= longestLife)) {
    throw invalidRequest(`expires_in_seconds: must be between ${shortestLife} and ${longestLife}`);
  }
  const mimeType = part.mediaType ?? 'application/octet-stream';
  const record = await files.add({ filename, mimeType, content: part.content, ...(seconds === undefined ? {} : { seconds }) });
  await exchange.sendJson(toFile(record, canExpire));
}
