// One run of one subject in a process of its own, so that its memory and its stalls are its own:
//   resultsChild ours|sdk PORT FOLDER
// Prints one line of JSON: milliseconds, added memory in bytes, longest stall of the main thread in milliseconds.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import Anthropic from '@anthropic-ai/sdk';
import { dialects } from '../../src/client/dialect';
import { createServiceClient } from '../../src/client/serviceClient';
import { fetchResults } from '../../src/features/batches/fetchResults';
import { createJsonlJobs } from '../../src/jsonl/jobsHost';

const [subject, port, folder = ''] = process.argv.slice(2);
const baseUrl = `http://127.0.0.1:${port}`;
const file = (name: string) => path.join(folder, name);

async function prepareOurs(): Promise<() => Promise<number>> {
  const client = createServiceClient({
    baseUrl,
    auth: 'x-api-key',
    dialect: dialects['anthropic-2023'],
    credential: async () => ({ key: 'bench', origin: baseUrl }),
  });
  const { data: batch } = await client.batches.retrieve('batch_bench');
  const jobs = createJsonlJobs({ threadFile: path.join(import.meta.dirname, 'jsonlThread.js') });
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

async function prepareSdk(): Promise<() => Promise<number>> {
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

const run = subject === 'ours' ? await prepareOurs() : await prepareSdk();
const before = process.memoryUsage.rss();
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const start = performance.now();
const joined = await run();
const ms = performance.now() - start;
delay.disable();
const addedBytes = process.resourceUsage().maxRSS * 1024 - before;
console.log(JSON.stringify({ ms, addedBytes, stallMs: delay.max / 1e6, joined }));
process.exit(0);
