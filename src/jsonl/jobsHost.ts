import type { JsonlJobs } from './jobs';
import { runJob, streamJob } from './jobThread';

/** The CPU work on files, each job in a thread of its own. `threadFile` is the path of the bundle of `worker.ts`. */
export function createJsonlJobs({ threadFile }: { readonly threadFile: string }): JsonlJobs {
  return {
    checkFile: (path, limits, options) => runJob(threadFile, 'checkFile', { path, limits }, options),
    requestBody: source => ({
      byteLength: source.report.bodyBytes,
      open: signal => streamJob(threadFile, 'requestBody', source, signal),
    }),
    joinResults: (source, options) => runJob(threadFile, 'joinResults', source, options),
    writeRetryFile: (source, options) => runJob(threadFile, 'writeRetryFile', source, options),
  };
}
