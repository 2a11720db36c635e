// Runs in its own process, like a window: submits one file, with the disk failures of its task.
import { dialects } from '../../src/client/dialect';
import type { BatchFileReport } from '../../src/jsonl/checking/batchFileReport';
import { meet, readTask, tellEnd } from './mishaps';

/** Task of a window. */
export interface WindowTask {
  readonly registry: string;
  readonly submissionId: string;
  readonly file: string;
  readonly report: BatchFileReport;
  readonly url: string;
  readonly key: string;
  readonly threadFile: string;
  /** True if the user tries again after a failure without a batch. */
  readonly triesAgain: boolean;
}

const task = readTask<WindowTask>();
const { SubmissionRegistry } = await import('../../src/features/ledger/submissionRegistry');
const { submit } = await import('../../src/features/batches/submitting/submit');
const { createServiceClient } = await import('../../src/client/serviceClient');
const { createJsonlJobs } = await import('../../src/jsonl/jobs/jobs');
await meet(task.mishaps);

const client = createServiceClient({
  baseUrl: task.url,
  auth: 'x-api-key',
  dialect: dialects.contract,
  credential: async () => ({ key: task.key, origin: new URL(task.url).origin }),
});
const registry = new SubmissionRegistry({ folder: task.registry, log: { warn: () => undefined } });
const deps = {
  registry,
  jobs: createJsonlJobs({ threadFile: task.threadFile }),
  log: { info: () => undefined, error: () => undefined },
};

async function submitOnce(submissionId: string): Promise<string> {
  const request = {
    ...{ submissionId, connection: 'Lab', client, source: `file://${task.file}`, path: task.file, fromEditor: false },
    ...{ report: task.report, knownBefore: new Set<string>() },
  };
  try {
    return (await submit(deps, request, { signal: new AbortController().signal })).kind;
  } catch {
    return 'rejected';
  }
}

await registry.load().catch(() => undefined);
let kind = await submitOnce(task.submissionId);
if (task.triesAgain && (kind === 'failed' || kind === 'rejected')) {
  kind = await submitOnce(task.submissionId.replace(/^./, first => (first === '0' ? '1' : '0')));
}
tellEnd(kind);
