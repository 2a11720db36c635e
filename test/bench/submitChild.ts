// One run of the row `submit` in a process of its own: submitChild ours|splice|sdk FILE PORT MAP, one line of JSON.
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import { dialects } from '../../src/client/dialect';
import { createServiceClient } from '../../src/client/serviceClient';
import { createJsonlJobs } from '../../src/jsonl/jobsHost';
import { measureRun } from './measuring';

const [subject = '', file = '', port = '', linesPath = ''] = process.argv.slice(2);
const baseUrl = `http://127.0.0.1:${port}`;

/** The same bytes, unchecked: a LF is written over by a comma as it passes. */
function splice(): Promise<void> {
  return new Promise((resolve, reject) => {
    const { size } = statSync(file);
    const head = '{"requests":[';
    const sent = request(
      `${baseUrl}/v1/messages/batches`,
      { method: 'POST', headers: { 'content-type': 'application/json', 'content-length': head.length + size - 1 + 2 } },
      response => response.resume().once('end', resolve),
    );
    sent.once('error', reject);
    sent.write(head);
    let left = size - 1;
    const source = createReadStream(file, { highWaterMark: 1 << 18 });
    source.on('data', chunk => {
      const bytes = chunk as Buffer;
      for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) {
        bytes[at] = 44;
      }
      const part = bytes.subarray(0, left);
      left -= part.length;
      if (!sent.write(part)) {
        source.pause();
        sent.once('drain', () => source.resume());
      }
    });
    source.once('end', () => sent.end(']}'));
    source.once('error', reject);
  });
}

async function prepareOurs(): Promise<() => Promise<void>> {
  const client = createServiceClient({
    baseUrl,
    auth: 'x-api-key',
    dialect: dialects['anthropic-2023'],
    credential: async () => ({ key: 'bench', origin: baseUrl }),
  });
  const jobs = createJsonlJobs({ threadFile: path.join(import.meta.dirname, 'jsonlThread.js') });
  const limits = { maxRequests: 100_000, maxBytes: Number.MAX_SAFE_INTEGER };
  return async () => {
    const report = await jobs.checkFile(file, limits);
    const { data } = await client.batches.create(jobs.requestBody({ path: file, report, linesPath }));
    if (data.received_bytes !== report.bodyBytes) {
      throw new Error(`${data.received_bytes} of ${report.bodyBytes} bytes arrived.`);
    }
  };
}

async function viaSdk(): Promise<void> {
  const client = new Anthropic({ baseURL: baseUrl, apiKey: 'bench' });
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  await client.messages.batches.create({ requests: lines.map(line => JSON.parse(line)) });
}

const work = subject === 'ours' ? await prepareOurs() : subject === 'splice' ? splice : viaSdk;
console.log(JSON.stringify(await measureRun(work)));
process.exit(0);
