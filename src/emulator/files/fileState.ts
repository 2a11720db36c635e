import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { ApiError } from '../apiError';
import type { EmulatorClock } from '../clock';
import { RecordFolder } from '../recordFolder';
import { randomId } from '../state';
import { toTime } from '../wireTime';

const recordSchema = z.object({
  id: z.string(),
  /** Place in the order of creation. */
  sequence: z.number(),
  filename: z.string(),
  mimeType: z.string(),
  bytes: z.number(),
  createdAt: z.number(),
  /** The session that made it; null for an upload. */
  sessionId: z.string().nullable(),
});
export type FileRecord = Readonly<z.infer<typeof recordSchema>>;

interface NewFile {
  readonly filename: string;
  readonly mimeType: string;
  readonly content: Buffer;
  readonly sessionId?: string;
}

/** Uploaded files and those that sessions made (API facts, section 12). */
export class FileState {
  readonly #records = new Map<string, FileRecord>();
  readonly #clock: EmulatorClock;
  readonly #folder: string;
  readonly #kept: RecordFolder<FileRecord>;
  #sequence = 0;

  private constructor(clock: EmulatorClock, folder: string, kept: RecordFolder<FileRecord>) {
    this.#clock = clock;
    this.#folder = folder;
    this.#kept = kept;
  }

  /** Opens a folder, which has the contents even when `keeps` is false: they may be large. */
  static async open(parts: { readonly folder: string; readonly keeps: boolean; readonly clock: EmulatorClock }): Promise<FileState> {
    const folder = path.join(parts.folder, 'files');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { folder: kept, records } = await RecordFolder.open<FileRecord>(parts.keeps ? folder : undefined, recordSchema);
    const state = new FileState(parts.clock, folder, kept);
    for (const record of [...records].sort((a, b) => a.sequence - b.sequence)) {
      state.#records.set(record.id, record);
      state.#sequence = record.sequence + 1;
    }
    return state;
  }

  /** Newest first; with `sessionId` those that this session made. */
  list(sessionId?: string): FileRecord[] {
    const all = [...this.#records.values()].reverse();
    return sessionId === undefined ? all : all.filter(record => record.sessionId === sessionId);
  }

  has(id: string): boolean {
    return this.#records.has(id);
  }

  get(id: string): FileRecord {
    const record = this.#records.get(id);
    if (record === undefined) {
      throw new ApiError('not_found_error', `File not found: ${id}`);
    }
    return record;
  }

  async add({ filename, mimeType, content, sessionId }: NewFile): Promise<FileRecord> {
    const record: FileRecord = {
      id: `file_${randomId(24)}`,
      sequence: this.#sequence++,
      filename,
      mimeType,
      bytes: content.length,
      createdAt: this.#clock.now(),
      sessionId: sessionId ?? null,
    };
    await writeFile(this.#contentOf(record.id), content, { mode: 0o600 });
    this.#records.set(record.id, record);
    this.#kept.save(record);
    return record;
  }

  content(id: string): Promise<Buffer> {
    return readFile(this.#contentOf(this.get(id).id));
  }

  async delete(id: string): Promise<void> {
    this.get(id);
    this.#records.delete(id);
    await this.#kept.remove(id);
    await rm(this.#contentOf(id), { force: true });
  }

  flush(): Promise<void> {
    return this.#kept.flush();
  }

  #contentOf(id: string): string {
    return path.join(this.#folder, `${id}.content`);
  }
}

/** What the service shows of a file. Only files that sessions made can be downloaded. */
export function toFile(record: FileRecord) {
  return {
    id: record.id,
    type: 'file',
    filename: record.filename,
    mime_type: record.mimeType,
    size_bytes: record.bytes,
    created_at: toTime(record.createdAt),
    downloadable: record.sessionId !== null,
    scope: record.sessionId === null ? null : { type: 'session', id: record.sessionId },
  };
}
