import { copyFile, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';

/** Requests and results of one batch on disk. */
export class BatchFiles {
  readonly body: string;
  readonly index: string;
  readonly results: string;

  constructor(readonly folder: string) {
    this.body = path.join(folder, 'body.json');
    this.index = path.join(folder, 'index.bin');
    this.results = path.join(folder, 'results.jsonl');
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

  /** Removes the files that are needed only until the results are written. */
  async removeInput(): Promise<void> {
    await Promise.all([this.body, this.index].map(file => rm(file, { force: true })));
  }

  async removeResults(): Promise<void> {
    await rm(this.results, { force: true });
  }
}
