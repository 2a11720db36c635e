// Runs in a process of its own, as a window does: submits one file, or fetches the results of a batch, and meets on the disk what
// its task says.
import { readFileSync } from 'node:fs';
import { dialects } from '../../src/client/dialect';
import type { BatchFileReport } from '../../src/jsonl/batchFileReport';
import { diskChanges, diskLooks, onDiskSteps } from '../helpers/diskSteps';

/** What happens to a window before its n-th step on the disk: it dies, stands still, or the call fails with a code. */
export interface Mishap {
  readonly step: number;
  readonly what: 'SIGKILL' | 'SIGSTOP' | 'EIO' | 'EACCES' | 'ENOSPC' | 'EBUSY';
}

/** What a window is told to do; its parent writes it as JSON. */
export interface WindowTask {
  readonly registry: string;
  readonly submissionId: string;
  readonly file: string;
  readonly report: BatchFileReport;
  readonly url: string;
  readonly key: string;
  readonly threadFile: string;
  readonly mishaps: readonly Mishap[];
  /** Whether its user tries again when it says that nothing was created. */
  readonly triesAgain: boolean;
}

/** How a window ended that lived to tell. */
export interface WindowEnd {
  readonly kind: string;
  /** Steps it made on the disk. */
  readonly steps: number;
}

const task: WindowTask = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const { createSubmissionRegistry } = await import('../../src/features/batches/ledger/submissionRegistry');
const { submit } = await import('../../src/features/batches/submitting/submit');
const { createServiceClient } = await import('../../src/client/serviceClient');
const { createJsonlJobs } = await import('../../src/jsonl/jobsHost');

let steps = 0;
await onDiskSteps([...diskChanges, ...diskLooks], name => {
  steps++;
  const what = task.mishaps.find(({ step }) => step === steps)?.what;
  if (what === 'SIGKILL' || what === 'SIGSTOP') {
    process.kill(process.pid, what);
  } else if (what !== undefined) {
    throw Object.assign(new Error(`${what}: on purpose, ${name}`), { code: what });
  }
});

const client = createServiceClient({
  baseUrl: task.url,
  auth: 'x-api-key',
  dialect: dialects.contract,
  credential: async () => ({ key: task.key, origin: new URL(task.url).origin }),
});
const registry = createSubmissionRegistry({ folder: task.registry, log: { warn: () => undefined } });
const deps = {
  registry,
  jobs: createJsonlJobs({ threadFile: task.threadFile }),
  clock: { now: () => Date.now(), monotonic: () => performance.now() },
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
const end: WindowEnd = { kind, steps };
process.send?.(end, () => process.exit(0));
