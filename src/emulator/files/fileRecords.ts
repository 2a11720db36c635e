import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { EmulatorClock } from '../emulatorClock';
import { ApiError } from '../http/apiError';
import { toTime, toTimeOrNull } from '../http/wireTime';
import { randomId } from '../state/randomId';
import { RecordStore } from '../state/recordStore';

const recordSchema = z.object({
  id: z.string(),
  /** Position in the order of creation. */
  sequence: z.number(),
  filename: z.string(),
  mimeType: z.string(),
  bytes: z.number(),
  createdAt: z.number(),
  /** Session that created it. Null for an upload. */
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
  readonly seconds?: number;
}

/** Uploaded files and files created by sessions (API facts, section 12). */
export class FileState {
  readonly #records: RecordStore<FileRecord>;
  readonly #clock: EmulatorClock;
  readonly #folder: string;

  private constructor(clock: EmulatorClock, folder: string, records: RecordStore<FileRecord>) {
    this.#clock = clock;
    this.#folder = folder;
    this.#records = records;
  }

  /** Opens a folder, which holds the contents even if `keeps` is false: they may be large. */
  static async open(parts: { readonly folder: string; readonly keeps: boolean; readonly clock: EmulatorClock }): Promise<FileState> {
    const folder = path.join(parts.folder, 'files');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const records = await RecordStore.open<FileRecord>(parts.keeps ? folder : undefined, recordSchema, 'File');
    return new FileState(parts.clock, folder, records);
  }

  /** Returns the files that have not expired, newest first. With `sessionId`, those that this session created. */
  list(sessionId?: string): FileRecord[] {
    const all = this.#records.list().filter(record => !this.#isExpired(record));
    return sessionId === undefined ? all : all.filter(record => record.sessionId === sessionId);
  }

  has(id: string): boolean {
    const record = this.#records.find(id);
    return record !== undefined && !this.#isExpired(record);
  }

  /** Throws the service's 404 for a file that is missing or has expired. */
  get(id: string): FileRecord {
    const record = this.#records.get(id);
    if (this.#isExpired(record)) {
      throw new ApiError('not_found_error', `File not found: ${id}`);
    }
    return record;
  }

  async add({ filename, mimeType, content, sessionId, seconds }: NewFile): Promise<FileRecord> {
    const record: FileRecord = {
      id: `file_${randomId(24)}`,
      sequence: this.#records.nextSequence(),
      filename,
      mimeType,
      bytes: content.length,
      createdAt: this.#clock.now(),
      sessionId: sessionId ?? null,
      expiresAt: seconds === undefined ? null : this.#clock.now() + seconds * 1000,
    };
    await writeFile(this.#contentOf(record.id), content, { mode: 0o600 });
    return this.#records.put(record);
  }

  content(id: string): Promise<Buffer> {
    return readFile(this.#contentOf(this.get(id).id));
  }

  async delete(id: string): Promise<void> {
    this.get(id);
    await this.#records.delete(id);
    await rm(this.#contentOf(id), { force: true });
  }

  flush(): Promise<void> {
    return this.#records.flush();
  }

  #isExpired({ expiresAt }: FileRecord): boolean {
    return expiresAt !== null && expiresAt <= this.#clock.now();
  }

  #contentOf(id: string): string {
    return path.join(this.#folder, `${id}.content`);
  }
}

/** Converts a file to its response form. The newer shape has the expiry time. Only files created by sessions can be downloaded. */
export function toFile(record: FileRecord, isNewer = false) {
  return {
    id: record.id,
    type: 'file',
    filename: record.filename,
    mime_type: record.mimeType,
    size_bytes: record.bytes,
    created_at: toTime(record.createdAt),
    downloadable: record.sessionId !== null,
    scope: record.sessionId === null ? null : { type: 'session', id: record.sessionId },
    ...(isNewer ? { expires_at: toTimeOrNull(record.expiresAt) } : {}),
  };
}
