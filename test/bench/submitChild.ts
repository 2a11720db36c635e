// One run of the row `submit` in a process of its own: submitChild ours|splice|sdk FILE PORT MAP, one line of JSON.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import { dialects } from '../../src/client/dialect';
import { createServiceClient } from '../../src/client/serviceClient';
import { createJsonlJobs } from '../../src/jsonl/jobs/jobs';
import { contractRules } from '../../src/jsonl/rules/ruleOptions';
import { measureRun } from './measuring';
import { splice } from './plainWork';

const [subject = '', file = '', port = '', linesPath = ''] = process.argv.slice(2);
const settlingMs = 1500;
const baseUrl = `http://127.0.0.1:${port}`;

async function prepareOurs(): Promise<() => Promise<void>> {
  const client = createServiceClient({
    baseUrl,
    auth: 'x-api-key',
    dialect: dialects['anthropic-2023'],
    credential: async () => ({ key: 'bench', origin: baseUrl }),
  });
  const jobs = createJsonlJobs({ threadFile: path.join(import.meta.dirname, 'jsonlThread.js') });
  // The extension also keeps the thread ready while a sheet is open, and has called the service by then.
  jobs.keepReady('openSheets', true);
  await client.batches.retrieve('msgbatch_bench');
  const limits = { maxRequests: 100_000, maxBytes: Number.MAX_SAFE_INTEGER };
  return async () => {
    const report = await jobs.checkFile(file, { limits, rules: contractRules() });
    const { data } = await client.batches.create(jobs.requestBody({ path: file, report, linesPath }));
    if (data.received_bytes !== report.bodyBytes) {
      throw new Error(`${data.received_bytes} of ${report.bodyBytes} bytes were received.`);
    }
  };
}

async function viaSdk(): Promise<void> {
  const client = new Anthropic({ baseURL: baseUrl, apiKey: 'bench' });
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  await client.messages.batches.create({ requests: lines.map(line => JSON.parse(line)) });
}

const work = subject === 'ours' ? await prepareOurs() : subject === 'splice' ? () => splice(baseUrl, file) : viaSdk;
// Waits for the background compilation that loading started, for each subject.
await new Promise(resolve => setTimeout(resolve, settlingMs));
const run = await measureRun(work);
// Measures the stalls of an idle thread on this machine over the same time.
const { stallMs: idleStallMs } = await measureRun(() => new Promise(resolve => setTimeout(resolve, Math.min(run.ms, 3000))));
console.log(JSON.stringify({ ...run, idleStallMs }));
process.exit(0);
