import { tmpdir } from 'node:os';
import { cutRequests, selectRequests } from '../body/requestSelection';
import type { BatchFileReport } from '../checking/batchFileReport';
import type { RequestPlan } from '../checking/requestPlan';
import type { JobOptions, JsonlJobs, ReadyReason } from './jobs';
import type { JobInput, JobName, JobOutput } from './jobTable';
import type { JobThreads } from './jobThreads';

/** Delay before a thread is started in advance, in milliseconds: a window that opens has other things to do first. */
const readyAfterMs = 1000;

/** Creates the jobs, each of which runs alone in a thread. `threadFile` is the path of the bundle of `worker.ts`. */
export function createJsonlJobs({ threadFile }: { readonly threadFile: string }): JsonlJobs {
  /** Plan of each report, stored as long as the report is in use. */
  const plans = new WeakMap<BatchFileReport, RequestPlan>();
  const planOf = (report: BatchFileReport): RequestPlan => {
    const plan = plans.get(report);
    if (plan === undefined) {
      throw new Error('This file was not checked here.');
    }
    return plan;
  };
  const threads = createThreads(threadFile);
  const runInThread = async <K extends JobName>(name: K, input: JobInput<K>, options?: JobOptions): Promise<JobOutput<K>> =>
    (await import('./jobThreads')).runInThread(await threads.get(), name, input, options);
  const streamJob = async function* <K extends JobName>(name: K, input: JobInput<K>, signal: AbortSignal) {
    yield* (await import('./jobThreads')).streamJob(await threads.get(), name, input, signal);
  };
  return {
    checkFile: async (path, terms, options) => {
      const { report, plan } = await runInThread('checkFile', { path, terms }, options);
      plans.set(report, plan);
      return report;
    },
    requestBody: source => ({
      byteLength: (source.selected ?? source.report).bodyBytes,
      open: signal => streamJob('requestBody', { source, plan: plans.get(source.report) }, signal),
    }),
    selectRequests: (report, lines) => selectRequests(planOf(report), lines),
    cutRequests: (report, limits, lines) => cutRequests(planOf(report), limits, lines),
    run: runInThread,
    keepReady: threads.keepReady,
    dispose: threads.dispose,
  };
}

/** Creates the thread pool lazily, with the first job or when a thread has to be ready. */
function createThreads(threadFile: string) {
  const reasons = new Set<ReadyReason>();
  let timer: NodeJS.Timeout | undefined;
  let threads: Promise<JobThreads> | undefined;
  let isDisposed = false;
  const get = () => {
    threads ??= import('./jobThreads').then(({ JobThreads }) => new JobThreads(threadFile));
    return threads;
  };
  const update = async () => {
    if (reasons.size > 0 || threads !== undefined) {
      (await get()).keepReady(reasons.size > 0 && !isDisposed, reasons.has('runningBatches') ? tmpdir() : undefined);
    }
  };
  return {
    get,
    keepReady: (reason: ReadyReason, isWanted: boolean) => {
      if (isWanted === reasons.has(reason)) {
        return;
      }
      if (isWanted) {
        reasons.add(reason);
      } else {
        reasons.delete(reason);
      }
      if (reason === 'runningBatches' || reasons.size === (isWanted ? 1 : 0)) {
        clearTimeout(timer);
        timer = setTimeout(() => void update(), readyAfterMs).unref();
      }
    },
    dispose: () => {
      isDisposed = true;
      clearTimeout(timer);
      // Threads with a running job end after that job.
      void threads?.then(loaded => loaded.dispose());
    },
  };
}
