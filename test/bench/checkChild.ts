// Runs of the row `check` in a process of their own: checkChild FILE ROUNDS, one line of JSON with the runs of each subject.
import { closeSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { batchRequestSchema } from '../../src/client/schemas/batchRequest';
import { createJsonlJobs } from '../../src/jsonl/jobsHost';
import { measureRun, type Run } from './measuring';

const [file = '', rounds = '5'] = process.argv.slice(2);
const jobs = createJsonlJobs({ threadFile: path.join(import.meta.dirname, 'jsonlThread.js') });

async function check(): Promise<void> {
  const report = await jobs.checkFile(file, { maxRequests: 100_000, maxBytes: Number.MAX_SAFE_INTEGER });
  if (report.problemCounts.error > 0) {
    throw new Error(JSON.stringify(report.problems[0]));
  }
}

/** Calls `take` with the text of each line. */
function eachLine(take: (text: string) => void): void {
  const descriptor = openSync(file, 'r');
  const buffer = Buffer.allocUnsafe(2 << 20);
  let kept = 0;
  while (true) {
    const read = readSync(descriptor, buffer, kept, 1 << 20, null);
    if (read === 0) {
      break;
    }
    const end = kept + read;
    let start = 0;
    let lineFeed = buffer.indexOf(10, 0);
    while (lineFeed !== -1 && lineFeed < end) {
      take(buffer.toString('utf8', start, lineFeed));
      start = lineFeed + 1;
      lineFeed = buffer.indexOf(10, start);
    }
    buffer.copyWithin(0, start, end);
    kept = end - start;
  }
  closeSync(descriptor);
}

const subjects: Record<string, () => unknown> = {
  ours: check,
  parse: () => eachLine(text => void JSON.parse(text)),
  zod: () => {
    const ids = new Set<string>();
    eachLine(text => ids.add(batchRequestSchema.parse(JSON.parse(text)).custom_id));
  },
};
const runs: Record<string, Run[]> = { ours: [], parse: [], zod: [], idle: [] };
for (let round = 0; round < Number(rounds); round++) {
  for (const [name, subject] of Object.entries(subjects)) {
    runs[name]?.push(await measureRun(subject));
  }
  // What this machine does to a thread that has nothing to do, as long as ours took.
  const idleMs = runs.ours?.at(-1)?.ms ?? 0;
  runs.idle?.push(await measureRun(() => new Promise(resolve => setTimeout(resolve, idleMs))));
}
console.log(JSON.stringify(runs));
