import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { invalidRequest } from '../http/apiError';
import { kindRoutes, type Route, routesBelow } from '../http/kindRoutes';
import { type Envelope, valuesOf } from '../http/listQuery';
import { readForm } from '../http/readForm';
import type { Exchange } from '../http/serverExchange';
import { toTime, toTimeOrNull } from '../http/toWire';
import { RecordStore, recordShape, type StoreContext } from '../state/recordStore';

const recordSchema = z.object({
  ...recordShape,
  filename: z.string(),
  mimeType: z.string(),
  bytes: z.number(),
  /** Session that created the file. Null for an upload. */
  sessionId: z.string().nullable(),
  /** In milliseconds since 1970. Null for a file that doesn't expire. Older records lack it. */
  expiresAt: z.number().nullable().default(null),
});
export type FileRecord = Readonly<z.infer<typeof recordSchema>>;

interface NewFile {
  readonly filename: string;
  readonly mimeType: string;
  readonly content: Buffer;
  readonly sessionId?: string;
  /** Lifetime in seconds. */
  readonly seconds?: number | undefined;
}

/** Uploaded files and files created by sessions (API facts, section 12). Their contents are on disk even if the state is not persistent. */
export class Files extends RecordStore<FileRecord> {
  constructor(context: StoreContext) {
    super(context, { folder: 'files', noun: 'File', prefix: 'file_', schema: recordSchema });
  }

  /** Returns the files that have not expired, newest first. */
  override list(): FileRecord[] {
    return super.list().filter(record => !this.#isExpired(record));
  }

  override find(id: string): FileRecord | undefined {
    const record = super.find(id);
    return record === undefined || this.#isExpired(record) ? undefined : record;
  }

  async create({ filename, mimeType, content, sessionId, seconds }: NewFile): Promise<FileRecord> {
    const id = this.newId();
    await writeFile(this.#contentOf(id), content, { mode: 0o600 });
    const expiresAt = seconds === undefined ? null : this.context.clock.now() + seconds * 1000;
    return this.add({ filename, mimeType, bytes: content.length, sessionId: sessionId ?? null, expiresAt }, id);
  }

  content(id: string): Promise<Buffer> {
    return readFile(this.#contentOf(this.get(id).id));
  }

  override async delete(id: string): Promise<void> {
    await super.delete(id);
    await rm(this.#contentOf(id), { force: true });
  }

  #isExpired({ expiresAt }: FileRecord): boolean {
    return expiresAt !== null && expiresAt <= this.context.clock.now();
  }

  #contentOf(id: string): string {
    return path.join(this.folder, `${id}.content`);
  }
}

const largestUpload = 256 * 1024 * 1024;
const shortestLife = 3_600;
const longestLife = 7_776_000;

/** Returns the routes of `/v1/files` and the paths below it (API facts, section 12). In the contract's dialect, files don't expire. */
export function fileRoutes(files: Files, envelope: () => Envelope): readonly Route[] {
  const canExpire = ({ dialect }: Exchange) => dialect !== 'contract' && envelope() === 'page';
  return [
    ...kindRoutes({
      name: 'files',
      path: '/v1/files',
      type: 'file',
      members: files,
      envelope,
      filters: ['scope_id', 'ids'],
      passes: ({ query }) => {
        const scope = query.get('scope_id');
        const ids = valuesOf(query, 'ids');
        return ({ id, sessionId }) => (scope === null || sessionId === scope) && (ids?.includes(id) ?? true);
      },
      show: (record, exchange) => toFile(record, canExpire(exchange)),
      create: async exchange => files.create(await readUpload(exchange, canExpire(exchange))),
    }),
    routesBelow('files', '/v1/files')('GET', 'content', '/:id/content', async (exchange, id) => {
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

/** Converts a file to its response form. The newer shape has the expiry time. Only files created by sessions can be downloaded. */
function toFile({ id, filename, mimeType, bytes, createdAt, sessionId, expiresAt }: FileRecord, isNewer: boolean): object {
  return {
    id,
    type: 'file',
    filename,
    mime_type: mimeType,
    size_bytes: bytes,
    created_at: toTime(createdAt),
    downloadable: sessionId !== null,
    scope: sessionId === null ? null : { type: 'session', id: sessionId },
    ...(isNewer ? { expires_at: toTimeOrNull(expiresAt) } : {}),
  };
}

async function readUpload(exchange: Exchange, canExpire: boolean): Promise<NewFile> {
  const form = await readForm(exchange, largestUpload);
  const file = form.get('file');
  if (file === null) {
    throw invalidRequest('file: Field required');
  }
  // As observed: only the last part of the path is stored.
  const filename = typeof file === 'string' ? '' : (file.name.split('/').at(-1) ?? '');
  if (typeof file === 'string' || filename.length < 1 || filename.length > 500) {
    throw invalidRequest('file: filename must have 1 to 500 characters');
  }
  const lifetime = form.get('expires_in_seconds');
  const seconds = lifetime === null || !canExpire ? undefined : Number(lifetime);
  if (seconds !== undefined && !(Number.isInteger(seconds) && seconds >= shortestLife && seconds <= longestLife)) {
    throw invalidRequest(`expires_in_seconds: must be between ${shortestLife} and ${longestLife}`);
  }
  return { filename, mimeType: file.type || 'application/octet-stream', content: Buffer.from(await file.arrayBuffer()), seconds };
}
