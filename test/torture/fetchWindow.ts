// Runs in a process of its own, as a window does: fetches the results of a batch to one place, and meets on the disk what its task says.
import { dialects } from '../../src/client/dialect';
import type { MessageBatch } from '../../src/client/schemas/messageBatches';
import { meet, readTask, tellEnd } from './mishaps';

/** What a window is told to do. */
export interface FetchTask {
  readonly url: string;
  readonly key: string;
  readonly batch: MessageBatch;
  readonly threadFile: string;
  readonly rawPath: string;
  readonly joinedPath: string;
  readonly indexPath: string;
  readonly linesPath: string;
}

const { mishaps, url, key, threadFile, ...places } = readTask<FetchTask>();
const { fetchResults } = await import('../../src/features/batches/fetching/fetchResults');
const { stampOfFile } = await import('../../src/jsonl/files/publishing');
const { createServiceClient } = await import('../../src/client/createServiceClient');
const { createJsonlJobs } = await import('../../src/jsonl/jobs/jobsHost');
await meet(mishaps);

const client = createServiceClient({
  baseUrl: url,
  auth: 'x-api-key',
  dialect: dialects.contract,
  credential: async () => ({ key, origin: new URL(url).origin }),
});
try {
  // As one does that nobody asked: what stands there when the results come is not to be replaced.
  const stamp = await stampOfFile(places.joinedPath);
  if (stamp !== undefined) {
    tellEnd('not free');
  } else {
    const { data: batch } = await client.batches.retrieve(places.batch.id);
    const { joinedPath } = await fetchResults({
      ...{ ...places, batch, client, jobs: createJsonlJobs({ threadFile }), pause: () => Promise.resolve() },
      standing: { stamp },
    });
    tellEnd(joinedPath === places.joinedPath ? 'fetched' : 'fetched elsewhere');
  }
} catch (error) {
  const isWrong = error instanceof Error && /is about something else|the results of other requests/.test(error.message);
  tellEnd(isWrong ? 'answered wrongly' : 'rejected');
}
