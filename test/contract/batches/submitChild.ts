// Runs in a process of its own, as a window does: submits one file, and kills itself before its n-th step on the disk.
import { readFileSync } from 'node:fs';
import { dialects } from '../../../src/client/dialect';
import type { BatchFileReport } from '../../../src/jsonl/batchFileReport';
import { diskChanges, onDiskSteps } from '../../helpers/diskSteps';

/** What a child is told to do; the parent writes it as JSON. */
export interface ChildTask {
  readonly registry: string;
  readonly submissionId: string;
  readonly file: string;
  readonly report: BatchFileReport;
  readonly url: string;
  readonly key: string;
  readonly threadFile: string;
  /** 0 for never. */
  readonly killBefore: number;
}

const task: ChildTask = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
let step = 0;

const { createSubmissionRegistry } = await import('../../../src/features/batches/ledger/submissionRegistry');
const { submit } = await import('../../../src/features/batches/submitting/submit');
const { createServiceClient } = await import('../../../src/client/serviceClient');
const { createJsonlJobs } = await import('../../../src/jsonl/jobsHost');

const client = createServiceClient({
  baseUrl: task.url,
  auth: 'x-api-key',
  dialect: dialects.contract,
  credential: async () => ({ key: task.key, origin: new URL(task.url).origin }),
});
const registry = createSubmissionRegistry({ folder: task.registry, log: { warn: message => console.error(message) } });
await registry.load();
// Between two steps on the disk nothing changes there: dying before each of them is dying everywhere.
await onDiskSteps(diskChanges, () => {
  step++;
  if (step === task.killBefore) {
    process.kill(process.pid, 'SIGKILL');
  }
});
const outcome = await submit(
  {
    registry,
    jobs: createJsonlJobs({ threadFile: task.threadFile }),
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    log: { info: () => undefined, error: () => undefined },
  },
  {
    submissionId: task.submissionId,
    connection: 'Lab',
    client,
    source: `file://${task.file}`,
    path: task.file,
    fromEditor: false,
    report: task.report,
    knownBefore: new Set(),
  },
  { signal: new AbortController().signal },
);
process.send?.({ kind: outcome.kind, steps: step }, () => process.exit(0));
