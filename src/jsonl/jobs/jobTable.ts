import type { CheckTerms } from '../checking/batchFileReport';
import type { JobContext } from '../files/jobContext';
import type { SurveyOptions } from '../survey/fileSurvey';

function job<I, O>(load: () => Promise<(input: I, context: JobContext) => O | Promise<O>>): (input: I, context: JobContext) => Promise<O> {
  return async (input, context) => (await load())(input, context);
}

/** Functions that run in threads, which they block. Input and output are passed by structured clone. */
export const jobs = {
  checkFile: async ({ path, terms }: { readonly path: string; readonly terms: CheckTerms }, context: JobContext) =>
    (await import('../checking/batchFile')).checkBatchFile(path, terms, context),
  /** Hashes a file in parallel with another job that reads it. */
  hashFile: async ({ path }: { readonly path: string }, context: JobContext) => (await import('../files/fileHash')).hashFile(path, context),
  requestBody: job(async () => (await import('../body/emitRequestBody')).emitRequestBody),
  joinResults: job(async () => (await import('../results/resultsJoin')).joinResults),
  mergeResults: job(async () => (await import('../merging/mergeResults')).mergeResults),
  hashRequests: job(async () => (await import('../merging/hashRequests')).hashRequests),
  restoreLines: job(async () => (await import('../merging/restoreLines')).restoreLines),
  findChanged: job(async () => (await import('../merging/findChanged')).findChanged),
  queryResults: job(async () => (await import('../querying/queryResults')).queryResults),
  readColumns: job(async () => (await import('../querying/readColumns')).readColumns),
  surveyResults: job(async () => (await import('../querying/surveyResults')).surveyResults),
  surveyFields: job(async () => (await import('../querying/surveyFields')).surveyFields),
  judgeResults: job(async () => (await import('../expecting/judgeResults')).judgeResults),
  exportResults: job(async () => (await import('../exporting/exportResults')).exportResults),
  compareResults: job(async () => (await import('../comparing/compareResults')).compareResults),
  planRetry: job(async () => (await import('../retrying/planRetry')).planRetry),
  writeRetry: job(async () => (await import('../retrying/writeRetry')).writeRetry),
  surveyRows: job(async () => (await import('../building/surveyRows')).surveyRows),
  buildRequests: job(async () => (await import('../building/buildRequests')).buildRequests),
  findLine: job(async () => (await import('../pretty/lineInFile')).findLine),
  writeLine: job(async () => (await import('../pretty/lineInFile')).writeLine),
  surveyFile: async ({ path, options }: { readonly path: string; readonly options: SurveyOptions }, context: JobContext) =>
    (await import('../survey/surveyFile')).surveyFile(path, options, context),
  drawSample: job(async () => (await import('../estimating/drawSample')).drawSample),
  readPastOutputs: job(async () => (await import('../estimating/pastOutputs')).readPastOutputs),
  markPrefixes: job(async () => (await import('../survey/promptMarks')).markPrefixes),
  writePrimer: job(async () => (await import('../survey/writePrimer')).writePrimer),
  planSplit: job(async () => (await import('../arranging/splitPlan')).planSplit),
  splitFile: job(async () => (await import('../arranging/splitPlan')).splitFile),
  surveyMerge: job(async () => (await import('../arranging/mergeFiles')).surveyMerge),
  mergeFiles: job(async () => (await import('../arranging/mergeFiles')).mergeFiles),
  shuffleFile: job(async () => (await import('../arranging/sampleFile')).shuffleFile),
  sampleFile: job(async () => (await import('../arranging/sampleFile')).sampleFile),
  drawLines: job(async () => (await import('../arranging/sampleFile')).drawLines),
  findDuplicates: job(async () => (await import('../arranging/duplicates')).findDuplicates),
  writeUnique: job(async () => (await import('../arranging/duplicates')).writeUnique),
  surveyForeign: job(async () => (await import('../converting/surveyForeign')).surveyForeign),
  rewriteFile: job(async () => (await import('../fixes/rewriteFile')).rewriteFile),
  indexRequests: job(async () => (await import('../tabling/indexRequests')).indexRequests),
  writeRows: job(async () => (await import('../tabling/indexRequests')).writeRows),
  convertResults: job(async () => (await import('../converting/foreignResults')).convertResults),
  convertFile: job(async () => (await import('../converting/convertFile')).convertFile),
};

export type JobName = keyof typeof jobs;
export type JobInput<K extends JobName> = Parameters<(typeof jobs)[K]>[0];
export type JobOutput<K extends JobName> = Awaited<ReturnType<(typeof jobs)[K]>>;
