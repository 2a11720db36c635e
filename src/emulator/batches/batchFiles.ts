import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Files of one batch on disk. `batch.json` is written last: a folder without one never became a batch. */
export class BatchFiles {
  readonly body: string;
  readonly index: string;
  readonly results: string;
  readonly #record: string;
  #written: Promise<void> = Promise.resolve();

  constructor(readonly folder: string) {
    this.body = path.join(folder, 'body.json');
    this.index = path.join(folder, 'index.bin');
    this.results = path.join(folder, 'results.jsonl');
    this.#record = path.join(folder, 'batch.json');
  }

  async make(): Promise<void> {
    await mkdir(this.folder, { recursive: true });
  }

  /** Copies the request files of another batch. */
  async takeInputOf(other: BatchFiles): Promise<void> {
    await this.make();
    await copyFile(other.body, this.body);
    await copyFile(other.index, this.index);
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  async readRecord(): Promise<unknown> {
    return JSON.parse(await readFile(this.#record, 'utf8'));
  }

  /** Replaces the record. Concurrent writes run one after the other, and the last one wins. */
  writeRecord(record: unknown): Promise<void> {
    const written = this.#written.then(async () => {
      await writeFile(`${this.#record}.new`, JSON.stringify(record));
      await rename(`${this.#record}.new`, this.#record);
    });
    this.#written = written.catch(() => undefined);
    return written;
  }

  /** Removes the files that are needed only until the results are written. */
  async removeInput(): Promise<void> {
    await Promise.all([this.body, this.index].map(file => rm(file, { force: true })));
  }

  async removeResults(): Promise<void> {
    await rm(this.results, { force: true });
  }
}
