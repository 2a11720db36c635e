import { tmpdir } from 'node:os';
import type { StreamedBody } from '../../contract/streamedBody';
import { cutRequests, selectRequests } from '../body/requestSelection';
import type { BatchFileReport, BatchLimits, CheckTerms } from '../checking/batchFileReport';
import type { RequestBodySource, RequestPlan, SelectedRequests } from '../checking/requestPlan';
import type { JobInput, JobName, JobOutput } from './jobTable';
import type { JobListener } from './jobThread';
import type { JobThreads } from './jobThreads';

export type JobOptions = Omit<JobListener, 'onChunk'>;

type ReadyReason = 'openRequestFiles' | 'openSheets' | 'runningBatches';

/** CPU-bound work on files. Each job runs alone in a thread and shares no state with earlier jobs. */
export type JsonlJobs = ReturnType<typeof createJsonlJobs>;

/** Delay before a thread is started in advance, in milliseconds. A window that has just opened has other work to do first. */
const readyAfterMs = 1000;

/** Creates the jobs. `threadFile` is the path of the bundle of `worker.ts`. */
export function createJsonlJobs({ threadFile }: { readonly threadFile: string }) {
  /** Plan of each report. A plan is freed with its report. */
  const plans = new WeakMap<BatchFileReport, RequestPlan>();
  const planOf = (report: BatchFileReport): RequestPlan => {
    const plan = plans.get(report);
    if (plan === undefined) {
      throw new Error('checkFile of this object did not return the report.');
    }
    return plan;
  };
  const { get, keepReady, dispose } = createThreads(threadFile);
  const run = async <K extends JobName>(name: K, input: JobInput<K>, options?: JobOptions): Promise<JobOutput<K>> =>
    (await import('./jobThreads')).runInThread(await get(), name, input, options);
  return {
    /** Reads, checks and hashes a request file. */
    checkFile: async (path: string, terms: CheckTerms, options?: JobOptions): Promise<BatchFileReport> => {
      const { report, plan } = await run('checkFile', { path, terms }, options);
      plans.set(report, plan);
      return report;
    },
    /** Returns the create body of a checked file. The stream throws a `SourceChangedError` if the file has changed. */
    requestBody: (source: RequestBodySource): StreamedBody => ({
      byteLength: (source.selected ?? source.report).bodyBytes,
      open: async function* (signal) {
        const input = { source, plan: plans.get(source.report) };
        yield* (await import('./jobThreads')).streamJob(await get(), 'requestBody', input, signal);
      },
    }),
    /** Returns body size and models of some requests. Throws if a line has none, or if `checkFile` didn't return the report. */
    selectRequests: (report: BatchFileReport, lines: Uint32Array): SelectedRequests => selectRequests(planOf(report), lines),
    /** Splits a checked file, or some lines, into parts as large as `limits` allow. Throws like `selectRequests`. */
    cutRequests: (report: BatchFileReport, limits: BatchLimits, lines?: Uint32Array): readonly SelectedRequests[] =>
      cutRequests(planOf(report), limits, lines),
    run,
    keepReady,
    dispose,
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
    /** Keeps a thread ready while there is at least one reason. Starts the thread a second after the first reason. */
    keepReady: (reason: ReadyReason, isWanted: boolean): void => {
      if (isWanted === reasons.has(reason)) {
        return;
      }
      reasons[isWanted ? 'add' : 'delete'](reason);
      if (reason === 'runningBatches' || reasons.size === (isWanted ? 1 : 0)) {
        clearTimeout(timer);
        timer = setTimeout(() => void update(), readyAfterMs).unref();
      }
    },
    /** Ends the idle threads. Busy threads end after their job. */
    dispose: (): void => {
      isDisposed = true;
      clearTimeout(timer);
      void threads?.then(loaded => loaded.dispose());
    },
  };
}
