// One run of one subject in its own process, so that its memory and stalls are separate: resultsChild ours|sdk PORT FOLDER.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { measureRun } from './measuring';

const [subject, port, folder = ''] = process.argv.slice(2);
const baseUrl = `http://127.0.0.1:${port}`;
const settlingMs = 4000;
const file = (name: string) => path.join(folder, name);

/** Fetches, verifies and joins on disk. The batch was retrieved before, as in a window. */
async function prepareOurs(): Promise<() => Promise<number>> {
  const { dialects } = await import('../../src/client/dialect');
  const { createServiceClient } = await import('../../src/client/serviceClient');
  const { fetchResults } = await import('../../src/features/batches/fetching/fetchResults');
  const { createJsonlJobs } = await import('../../src/jsonl/jobs/jobs');
  const client = createServiceClient({
    baseUrl,
    auth: 'x-api-key',
    dialect: dialects['anthropic-2023'],
    credential: async () => ({ key: 'bench', origin: baseUrl }),
  });
  const { data: batch } = await client.batches.retrieve('batch_bench');
  const jobs = createJsonlJobs({ threadFile: path.join(import.meta.dirname, 'jsonlThread.js') });
  // The extension also keeps the thread ready while one of its batches runs.
  jobs.keepReady('runningBatches', true);
  return async () => {
    const { report } = await fetchResults({
      client,
      batch,
      jobs,
      rawPath: file('raw'),
      joinedPath: file('joined.jsonl'),
      indexPath: file('index'),
      linesPath: file('lines.tsv'),
    });
    if (!report.complete) {
      throw new Error(`not complete: ${JSON.stringify(report)}`);
    }
    return report.counts.succeeded;
  };
}

/** Reads all results into memory and sorts them in the order of the input, without verifying or writing them. */
async function prepareSdk(): Promise<() => Promise<number>> {
  const { default: Anthropic } = await import('@anthropic-ai/sdk');
  const client = new Anthropic({ baseURL: baseUrl, apiKey: 'bench' });
  await client.messages.batches.retrieve('batch_bench');
  return async () => {
    const order = readFileSync(file('lines.tsv'), 'utf8').trimEnd().split('\n');
    const byId = new Map<string, unknown>();
    for await (const result of await client.messages.batches.results('batch_bench')) {
      byId.set(result.custom_id, result);
    }
    return order.map(line => byId.get(line.slice(line.indexOf('\t') + 1))).filter(result => result !== undefined).length;
  };
}

const work = subject === 'ours' ? await prepareOurs() : await prepareSdk();
const idle = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));
// Waits for the end of background compilation, which would add time and 40 MB to each subject.
await idle(settlingMs);
let joined = 0;
const run = await measureRun(async () => {
  joined = await work();
});
// Measures the stalls of an idle thread on this machine over the same time.
const { stallMs: idleStallMs } = await measureRun(() => idle(run.ms));
console.log(JSON.stringify({ ...run, idleStallMs, joined }));
process.exit(0);
