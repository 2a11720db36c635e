import { createHash, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { SubmissionRegistry } from '../../../src/features/ledger/submissionRegistry';
import { joinResults } from '../../../src/jsonl/results/resultsJoin';
import type { Workbench } from './workbench';

/** Returns a result line of a request that succeeded. */
export const answered = (id: string, text: string, stopReason = 'end_turn', tokens = 9) => ({
  custom_id: id,
  result: {
    type: 'succeeded',
    message: { content: [{ type: 'text', text }], stop_reason: stopReason, usage: { input_tokens: 38, output_tokens: tokens } },
  },
});

/** Stores results of a file as a fetch does. */
export async function placeResults(
  workbench: Workbench,
  name: string,
  results: readonly { readonly custom_id: string; readonly result: object }[],
): Promise<void> {
  const registry = new SubmissionRegistry({ folder: path.join(workbench.globalStorage, 'submissions'), log: console });
  try {
    const id = randomUUID();
    const folder = await registry.prepare(id);
    const source = path.join(workbench.folder, name);
    const text = workbench.fileText(name);
    const linesPath = path.join(folder, 'lines.tsv');
    const ids = text.split('\n').flatMap((line, index) => {
      const made = line === '' ? undefined : ((JSON.parse(line) as { custom_id?: string }).custom_id ?? `line-${index + 1}`);
      return made === undefined ? [] : [`${index}\t${made}\n`];
    });
    writeFileSync(linesPath, ids.join(''));
    const rawPath = path.join(folder, 'results.jsonl');
    writeFileSync(rawPath, results.map(result => `${JSON.stringify(result)}\n`).join(''));
    const joinedPath = source.replace(/\.jsonl$/, '.results.jsonl');
    const { report } = await joinResults(
      { rawPath, linesPath, joinedPath, indexPath: path.join(folder, 'results.index') },
      { throwIfAborted: () => undefined, progress: () => undefined },
    );
    await registry.save({
      id,
      connection: 'Emulator',
      origin: 'http://127.0.0.1:1',
      source: pathToFileURL(source).href,
      fileBytes: Buffer.byteLength(text),
      sha256: createHash('sha256').update(text).digest('hex'),
      requestCount: ids.length,
      bodyBytes: Buffer.byteLength(text),
      state: 'created',
      startedAt: new Date().toISOString(),
      batchId: 'msgbatch_test',
      results: { joinedPath, fetchedAt: new Date().toISOString(), report },
    });
  } finally {
    registry.dispose();
  }
}
