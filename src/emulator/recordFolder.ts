import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type * as z from 'zod';

/**
 * Small records, one JSON file each, in one folder; without a folder nothing is kept. `save` returns at once: what was saved
 * last for an id is on disk when `flush` settles. A file is replaced whole or not at all.
 */
export class RecordFolder<T extends { readonly id: string }> {
  readonly #folder: string | undefined;
  readonly #waiting = new Map<string, T>();
  readonly #writing = new Map<string, Promise<void>>();

  private constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  /** Opens a folder and reads what it holds; a file that is no such record is left out. */
  static async open<T extends { readonly id: string }>(
    folder: string | undefined,
    schema: z.ZodType<T>,
  ): Promise<{ readonly folder: RecordFolder<T>; readonly records: readonly T[] }> {
    const records: T[] = [];
    if (folder !== undefined) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const name of (await readdir(folder)).filter(file => file.endsWith('.json'))) {
        const parsed = schema.safeParse(
          await readFile(path.join(folder, name), 'utf8')
            .then(JSON.parse)
            .catch(() => undefined),
        );
        if (parsed.success) {
          records.push(parsed.data);
        }
      }
    }
    return { folder: new RecordFolder<T>(folder), records };
  }

  /** Keeps a record as it stands when it is written, which is soon. */
  save(record: T): void {
    if (this.#folder === undefined) {
      return;
    }
    const { id } = record;
    this.#waiting.set(id, record);
    if (!this.#writing.has(id)) {
      const done = this.#write(id).finally(() => this.#writing.delete(id));
      this.#writing.set(id, done);
    }
  }

  /** Forgets a record; its file is gone when this settles. */
  async remove(id: string): Promise<void> {
    this.#waiting.delete(id);
    await this.#writing.get(id);
    if (this.#folder !== undefined) {
      await rm(this.#fileOf(id), { force: true });
    }
  }

  /** Settles when everything that was saved is on disk. */
  async flush(): Promise<void> {
    await Promise.all(this.#writing.values());
  }

  async #write(id: string): Promise<void> {
    // What is saved many times in one go is written once.
    await new Promise(resolve => setImmediate(resolve));
    for (let record = this.#waiting.get(id); record !== undefined; record = this.#waiting.get(id)) {
      this.#waiting.delete(id);
      const file = this.#fileOf(id);
      try {
        await writeFile(`${file}.new`, JSON.stringify(record), { mode: 0o600 });
        await rename(`${file}.new`, file);
      } catch (error) {
        console.error(`${id} could not be kept: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }

  #fileOf(id: string): string {
    return path.join(this.#folder ?? '', `${id}.json`);
  }
}
