// Runs in its own process, like a window: fetches the results of a run, with the disk failures of its task.
import { dialects } from '../../src/client/dialect';
import type { Connections } from '../../src/features/connection';
import { meet, readTask, tellEnd } from './mishaps';

/** Task of a window. */
export interface FetchTask {
  readonly url: string;
  readonly key: string;
  readonly threadFile: string;
  /** Folder of the ledger, which has one run. */
  readonly ledger: string;
}

const { mishaps, url, key, threadFile, ledger } = readTask<FetchTask>();
const { fetchRun } = await import('../../src/features/batches/fetching/fetchRun');
const { SubmissionRegistry } = await import('../../src/features/ledger/submissionRegistry');
const { toRuns } = await import('../../src/features/ledger/runs');
const { createServiceClient } = await import('../../src/client/serviceClient');
const { createJsonlJobs } = await import('../../src/jsonl/jobs/jobs');
await meet(mishaps);

const client = createServiceClient({
  baseUrl: url,
  auth: 'x-api-key',
  dialect: dialects.contract,
  credential: async () => ({ key, origin: new URL(url).origin }),
});
const isWrong = (error: unknown) =>
  error instanceof Error && /does not match the request|the results of other requests/.test(error.message);
try {
  const registry = new SubmissionRegistry({ folder: ledger, log: { warn: () => undefined } });
  await registry.load();
  const [run] = toRuns(registry.all());
  const connections = { find: () => ({ name: 'Lab', baseUrl: url }), client: async () => client } as unknown as Connections;
  const deps = { registry, connections, jobs: createJsonlJobs({ threadFile }), log: { info: () => undefined } };
  const fetched = run && (await fetchRun(deps, run, { signal: new AbortController().signal, use: 'look' }));
  tellEnd(
    fetched?.best?.file !== undefined ? 'fetched' : fetched?.failed.some(({ error }) => isWrong(error)) ? 'answered wrongly' : 'rejected',
  );
} catch (error) {
  tellEnd(isWrong(error) ? 'answered wrongly' : 'rejected');
}
