import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { joinResults } from '../../../../src/jsonl/results/resultsJoin';
import type { SubmittedFile } from '../../../../src/jsonl/retrying/findSubmitted';
import type { RetryPlanSource } from '../../../../src/jsonl/retrying/planRetry';

export const quiet = { throwIfAborted: () => {}, progress: () => {} };

export const succeeded = (stopReason: string, more: object = {}) => ({
  type: 'succeeded',
  message: { content: [{ type: 'text', text: 'Words.' }], stop_reason: stopReason, usage: { input_tokens: 30, output_tokens: 5 }, ...more },
});

export const errored = (type: string, message: string) => ({ type: 'errored', error: { type: 'error', error: { type, message } } });

/** A submitted file, its results and their index in a folder. */
export class RetryFiles {
  constructor(readonly folder: string) {}

  path(name: string): string {
    return path.join(this.folder, name);
  }

  /** Submits a file. The line map has an entry for each line. A line without an id has a derived id. */
  submit(name: string, text: string): SubmittedFile {
    writeFileSync(this.path(name), text);
    const entries = text.split('\n').flatMap((line, number) => {
      if (line.trim() === '') {
        return [];
      }
      const { custom_id: id } = JSON.parse(line.replace('\ufeff', '')) as { readonly custom_id?: string };
      return [`${number}\t${id ?? `line-${number + 1}`}\n`];
    });
    writeFileSync(this.path(`${name}.lines`), entries.join(''));
    const sha256 = createHash('sha256').update(text).digest('hex');
    return { path: this.path(name), linesPath: this.path(`${name}.lines`), sha256, isCreated: true };
  }

  async plan(
    files: readonly SubmittedFile[],
    results: readonly (readonly [id: string, result: object])[],
    more: Partial<RetryPlanSource> = {},
  ): Promise<RetryPlanSource> {
    writeFileSync(this.path('raw'), results.map(([id, result]) => `${JSON.stringify({ custom_id: id, result })}\n`).join(''));
    const joined = { joinedPath: this.path('joined'), indexPath: this.path('index') };
    await joinResults({ rawPath: this.path('raw'), linesPath: files[0]?.linesPath, ...joined }, quiet);
    return { ...joined, files, underWay: [], mostTokens: [], endedAt: undefined, now: 0, ...more };
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }
}
