// One journey of a request file in a process of its own: journeyChild ours|plain|sdk FILE URL KEY FOLDER. Prints one line of JSON with the
// time of each stage. `ours` does what the extension does on Create Batch and Fetch Results, with its own code. `plain` moves the same
// bytes without reading them. `sdk` is a script with the vendor's SDK. Leaves `joined.jsonl` in FOLDER, and also `raw` if the subject
// writes raw results.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import Anthropic from '@anthropic-ai/sdk';
import { dialects } from '../../src/client/dialect';
import { createServiceClient } from '../../src/client/serviceClient';
import { fetchResults } from '../../src/features/batches/fetching/fetchResults';
import { submit } from '../../src/features/batches/submitting/submit';
import { SubmissionRegistry } from '../../src/features/ledger/submissionRegistry';
import { createJsonlJobs } from '../../src/jsonl/jobs/jobs';
import { contractRules } from '../../src/jsonl/rules/ruleOptions';
import { measureRun, type Run } from './measuring';
import { eachLine, splice } from './plainWork';

const [subject = '', file = '', baseUrl = '', key = '', folder = ''] = process.argv.slice(2);
const pollMs = 100;
const dialect = dialects['anthropic-2026'];
const stages: Record<string, Run> = {};
/** Time from the start of the last stage until the results have arrived, in milliseconds. */
let fetchMs: number | undefined;
let summary: object = {};

async function stage<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  let value: { readonly is: T } | undefined;
  stages[name] = await measureRun(async () => {
    value = { is: await work() };
  });
  if (value === undefined) {
    throw new Error(`${name} did not run.`);
  }
  return value.is;
}

/** Polls until the batch has ended. */
function awaitEnd<B extends { readonly processing_status?: string }>(retrieve: () => Promise<B>): Promise<B> {
  return stage('process', async () => {
    for (;;) {
      const batch = await retrieve();
      if (batch.processing_status === 'ended') {
        return batch;
      }
      await wait(pollMs);
    }
  });
}

async function ours(): Promise<void> {
  const log = { info: () => {}, warn: console.error, error: console.error };
  const jobs = createJsonlJobs({ threadFile: path.join(import.meta.dirname, 'jsonlThread.js') });
  const registry = new SubmissionRegistry({ folder: path.join(folder, 'submissions'), log });
  const credential = async () => ({ key, origin: baseUrl });
  const client = createServiceClient({ baseUrl, auth: 'x-api-key', dialect, credential });

  // Loads the HTTP code, as the first call of a window does.
  await stage('connect', () => client.models.list());
  const report = await stage('check', () =>
    jobs.checkFile(file, { limits: { maxRequests: 100_000, maxBytes: 256 * 1024 * 1024 }, rules: contractRules() }),
  );
  if (report.problemCounts.error > 0) {
    throw new Error(`The file is not right: ${JSON.stringify(report.problems[0])}`);
  }
  const created = await stage('submit', () =>
    submit(
      { registry, jobs, log },
      {
        submissionId: randomUUID(),
        connection: 'bench',
        client,
        source: pathToFileURL(file).href,
        path: file,
        fromEditor: false,
        report,
        knownBefore: new Set(),
      },
      { signal: new AbortController().signal },
    ),
  );
  if (created.kind !== 'created') {
    throw new Error(`The batch was not created: ${JSON.stringify(created)}`, { cause: 'error' in created ? created.error : undefined });
  }
  const batch = await awaitEnd(async () => (await client.batches.retrieve(created.batch.id)).data);
  const start = performance.now();
  const { report: results } = await stage('results', () =>
    fetchResults({
      client,
      batch,
      jobs,
      rawPath: path.join(folder, 'raw'),
      joinedPath: path.join(folder, 'joined.jsonl'),
      indexPath: path.join(folder, 'index'),
      linesPath: path.join(registry.folder(created.submission.id), 'lines.tsv'),
      onProgress: ({ phase }) => {
        fetchMs = phase === 'fetching' ? performance.now() - start : fetchMs;
      },
    }),
  );
  if (!results.complete) {
    throw new Error(`The results are not complete: ${JSON.stringify(results)}`);
  }
  summary = { checked: report.requestCount, bodyBytes: report.bodyBytes, rawBytes: results.rawBytes, counts: results.counts };
  registry.dispose();
  await client.close();
}

async function plain(): Promise<void> {
  const headers = {
    'x-api-key': key,
    [`${dialect.headerPrefix}-version`]: dialect.version,
    [`${dialect.headerPrefix}-beta`]: dialect.betas.batches ?? '',
  };
  const receive = async (url: string): Promise<IncomingMessage> => {
    const [response] = await once(get(baseUrl + url, { headers }), 'response');
    return response;
  };
  await stage('check', () => eachLine(file, text => void JSON.parse(text)));
  const { id } = JSON.parse(await stage('submit', () => splice(baseUrl, file, headers)));
  await awaitEnd(async () => {
    const response = await receive(`/v1/messages/batches/${id}`);
    return JSON.parse((await response.setEncoding('utf8').toArray()).join(''));
  });
  await stage('results', async () => {
    const response = await receive(`/v1/messages/batches/${id}/results`);
    await finished(response.pipe(createWriteStream(path.join(folder, 'raw'))));
  });
}

async function sdk(): Promise<void> {
  const client = new Anthropic({ baseURL: baseUrl, apiKey: key });
  const requests = await stage('check', () =>
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line)),
  );
  const { id } = await stage('submit', () => client.messages.batches.create({ requests }));
  await awaitEnd(() => client.messages.batches.retrieve(id));
  await stage('results', async () => {
    const byId = new Map<string, unknown>();
    for await (const result of await client.messages.batches.results(id)) {
      byId.set(result.custom_id, result);
    }
    await writeFile(path.join(folder, 'joined.jsonl'), joinedLines(requests, byId));
  });
}

function* joinedLines(requests: readonly { custom_id: string }[], byId: ReadonlyMap<string, unknown>): Generator<string> {
  for (const request of requests) {
    yield `${JSON.stringify(byId.get(request.custom_id))}\n`;
  }
}

// Reads the file into the system's cache, for each subject.
await finished(createReadStream(file).resume());
const before = process.memoryUsage.rss();
const start = performance.now();
await (subject === 'ours' ? ours() : subject === 'plain' ? plain() : sdk());
const ms = performance.now() - start;
const peakBytes = process.resourceUsage().maxRSS * 1024;
// Measures the stalls of an idle thread on this machine.
const idle = await measureRun(() => wait(Math.min(ms, 3000)));
console.log(JSON.stringify({ ms, stages, fetchMs, peakBytes, addedBytes: peakBytes - before, idle, ...summary }));
process.exit(0);
