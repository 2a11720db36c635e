import type { RequestPlan } from '../body/requestPlan';
import { cutRequests, selectRequests } from '../body/requestSelection';
import type { BatchFileReport } from '../checking/batchFileReport';
import type { JsonlJobs } from './jobs';
import type * as jobThread from './jobThread';

// Loaded with the first job.
const runJob: typeof jobThread.runJob = async (...job) => (await import('./jobThread')).runJob(...job);
const streamJob: typeof jobThread.streamJob = async function* (...job) {
  yield* (await import('./jobThread')).streamJob(...job);
};

/** The CPU work on files, each job in a thread of its own. `threadFile` is the path of the bundle of `worker.ts`. */
export function createJsonlJobs({ threadFile }: { readonly threadFile: string }): JsonlJobs {
  /** Where the requests stand that a report is about; kept as long as the report is. */
  const plans = new WeakMap<BatchFileReport, RequestPlan>();
  const planOf = (report: BatchFileReport): RequestPlan => {
    const plan = plans.get(report);
    if (plan === undefined) {
      throw new Error('This file was not checked here.');
    }
    return plan;
  };
  return {
    checkFile: async (path, terms, options) => {
      const { report, plan } = await runJob(threadFile, 'checkFile', { path, terms }, options);
      plans.set(report, plan);
      return report;
    },
    requestBody: source => ({
      byteLength: (source.selected ?? source.report).bodyBytes,
      open: signal => streamJob(threadFile, 'requestBody', { source, plan: plans.get(source.report) }, signal),
    }),
    selectRequests: (report, lines) => selectRequests(planOf(report), lines),
    cutRequests: (report, limits, lines) => cutRequests(planOf(report), limits, lines),
    joinResults: (source, options) => runJob(threadFile, 'joinResults', source, options),
    findLine: (wanted, options) => runJob(threadFile, 'findLine', wanted, options),
    writeLine: (writing, options) => runJob(threadFile, 'writeLine', writing, options),
    surveyFile: (path, survey, options) => runJob(threadFile, 'surveyFile', { path, options: survey }, options),
    markPrefixes: (source, options) => runJob(threadFile, 'markPrefixes', source, options),
    writePrimer: (source, options) => runJob(threadFile, 'writePrimer', source, options),
    run: (name, input, options) => runJob(threadFile, name, input, options),
  };
}
