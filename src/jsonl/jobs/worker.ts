import { getHeapStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import type { FileHash } from '../files/fileHash';
import type { JobContext, SlotWriter } from './jobContext';
import { JobThreads } from './jobThreads';
import { runJob } from './runJob';
import { lowerThreadPriority } from './threadPriority';
import type { HostMessage, JobOrder, JobTable, SlotRing, ThreadMessage } from './threadProtocol';

// Each job loads its own part.
const jobs: JobTable = {
  checkFile: async (input, context) => (await import('../checking/batchFile')).checkBatchFile(input.path, input.terms, context),
  hashFile: async (input, context) => (await import('../files/fileHash')).hashFile(input.path, context),
  requestBody: async (input, context) => (await import('../body/emitRequestBody')).emitRequestBody(input, context),
  joinResults: async (source, context) => (await import('../results/resultsJoin')).joinResults(source, context),
  mergeResults: async (source, context) => (await import('../merging/mergeResults')).mergeResults(source, context),
  hashRequests: async (source, context) => (await import('../merging/hashRequests')).hashRequests(source, context),
  restoreLines: async (source, context) => (await import('../merging/restoreLines')).restoreLines(source, context),
  findChanged: async (source, context) => (await import('../merging/findChanged')).findChanged(source, context),
  queryResults: async (source, context) => (await import('../querying/queryResults')).queryResults(source, context),
  readColumns: async (source, context) => (await import('../querying/readColumns')).readColumns(source, context),
  surveyResults: async (source, context) => (await import('../querying/surveyResults')).surveyResults(source, context),
  surveyFields: async (source, context) => (await import('../querying/surveyFields')).surveyFields(source, context),
  judgeResults: async (source, context) => (await import('../expecting/judgeResults')).judgeResults(source, context),
  writeExpectations: async (source, context) => (await import('../expecting/writeExpectations')).writeExpectations(source, context),
  exportResults: async (source, context) => (await import('../exporting/exportResults')).exportResults(source, context),
  compareResults: async (source, context) => (await import('../comparing/compareResults')).compareResults(source, context),
  planRetry: async (source, context) => (await import('../retrying/planRetry')).planRetry(source, context),
  writeRetry: async (source, context) => (await import('../retrying/writeRetry')).writeRetry(source, context),
  surveyRows: async (source, context) => (await import('../building/surveyRows')).surveyRows(source, context),
  buildRequests: async (source, context) => (await import('../building/buildRequests')).buildRequests(source, context),
  findLine: async (wanted, context) => (await import('../pretty/lineInFile')).findLine(wanted, context),
  writeLine: async (writing, context) => (await import('../pretty/lineInFile')).writeLine(writing, context),
  surveyFile: async (input, context) => (await import('../survey/surveyFile')).surveyFile(input.path, input.options, context),
  markPrefixes: async (source, context) => (await import('../survey/markPrefixes')).markPrefixes(source, context),
  writePrimer: async (source, context) => (await import('../survey/writePrimer')).writePrimer(source, context),
  planSplit: async (question, context) => (await import('../arranging/splitPlan')).planSplit(question, context),
  splitFile: async (source, context) => (await import('../arranging/splitFile')).splitFile(source, context),
  surveyMerge: async (source, context) => (await import('../arranging/mergeFiles')).surveyMerge(source, context),
  mergeFiles: async (source, context) => (await import('../arranging/mergeFiles')).mergeFiles(source, context),
  shuffleFile: async (source, context) => (await import('../arranging/shuffleFile')).shuffleFile(source, context),
  sampleFile: async (source, context) => (await import('../arranging/sampleFile')).sampleFile(source, context),
  drawLines: async (source, context) => (await import('../arranging/drawLines')).drawLines(source, context),
  findDuplicates: async (source, context) => (await import('../arranging/duplicates')).findDuplicates(source, context),
  writeUnique: async (source, context) => (await import('../arranging/duplicates')).writeUnique(source, context),
  surveyForeign: async (source, context) => (await import('../converting/surveyForeign')).surveyForeign(source, context),
  rewriteFile: async (source, context) => (await import('../fixes/rewriteFile')).rewriteFile(source, context),
  indexRequests: async (source, context) => (await import('../tabling/indexRequests')).indexRequests(source, context),
  writeRows: async (source, context) => (await import('../tabling/writeRows')).writeRows(source, context),
  convertResults: async (source, context) => (await import('../converting/foreignResults')).convertResults(source, context),
  convertFile: async (source, context) => (await import('../converting/convertFile')).convertFile(source, context),
};

/** Least time between two reports of progress, in milliseconds. */
const progressEveryMs = 50;

/** A thread whose memory a job has made larger than this ends, so that no large file is paid for longer than it is worked on. */
const largestKept = 48 * 1024 * 1024;

type Port = NonNullable<typeof parentPort>;

/** Does one job after another, as the host says. A job gets nothing of the one before: all it knows is made for it. */
function serve(port: Port): void {
  let controller: AbortController | undefined;
  port.on('message', (message: HostMessage) => {
    switch (message.type) {
      case 'prepare':
        // What cannot be loaded now fails in the job; practice may fail.
        prepare(message.practiseIn).catch(() => {});
        break;
      case 'run':
        controller = new AbortController();
        void run(port, message.order, controller.signal);
        break;
      case 'abort':
        controller?.abort();
        break;
      case 'end':
        port.close();
        break;
    }
  });
}

/** Loads what checks, sends and joins. */
async function prepare(practiseIn: string | undefined): Promise<void> {
  await Promise.all([import('../checking/batchFile'), import('../body/emitRequestBody'), import('../results/resultsJoin')]);
  if (practiseIn !== undefined) {
    await (await import('../results/practiseJoin')).practiseJoin(practiseIn);
  }
}

async function run(port: Port, { name, input, aborted, ring }: JobOrder, signal: AbortSignal): Promise<void> {
  const tell = (message: ThreadMessage) => port.postMessage(message);
  const throwIfAborted = () => {
    if (Atomics.load(aborted, 0) !== 0) {
      throw new DOMException('The job was cancelled.', 'AbortError');
    }
  };
  let toldAt = Number.NEGATIVE_INFINITY;
  const context: JobContext = {
    signal,
    throwIfAborted,
    progress: progress => {
      const now = performance.now();
      if (now - toldAt >= progressEveryMs || progress.doneBytes === progress.totalBytes) {
        toldAt = now;
        tell({ type: 'progress', progress });
      }
    },
    hashBeside: (path, leaving) => hashBeside(path, leaving),
    slots: createSlotWriter(ring, throwIfAborted, tell),
  };
  try {
    const job = jobs[name] as (input: unknown, context: JobContext) => Promise<unknown>;
    const value = await job(input, context);
    const isFree = Atomics.load(aborted, 0) === 0 && usedBytes() <= largestKept;
    tell({ type: 'done', value, isFree });
    if (isFree) {
      return;
    }
  } catch (error) {
    tell(toFailure(error));
  }
  // The port is what keeps the thread alive. What a job that failed has left behind is met by no other.
  port.close();
}

async function hashBeside(path: string, signal: AbortSignal): Promise<FileHash> {
  const threads = new JobThreads(import.meta.filename);
  try {
    return await runJob(threads, 'hashFile', { path }, { signal });
  } finally {
    threads.dispose();
  }
}

/** What this thread holds on to, in bytes: objects, and memory beside them, as that of WebAssembly. */
function usedBytes(): number {
  const { total_heap_size: heap, external_memory: beside } = getHeapStatistics();
  return heap + beside;
}

function createSlotWriter({ slots, free }: SlotRing, throwIfAborted: () => void, tell: (message: ThreadMessage) => void): SlotWriter {
  let slot = -1;
  return {
    next: () => {
      while (Atomics.load(free, 0) === 0) {
        Atomics.wait(free, 0, 0);
      }
      throwIfAborted();
      Atomics.sub(free, 0, 1);
      slot = (slot + 1) % slots.length;
      return slots[slot] as Uint8Array;
    },
    emit: length => tell({ type: 'chunk', slot, length }),
  };
}

function toFailure(error: unknown): ThreadMessage {
  if (!(error instanceof Error)) {
    return { type: 'failed', name: 'Error', message: String(error), stack: undefined, code: undefined };
  }
  const code = (error as NodeJS.ErrnoException).code;
  return {
    type: 'failed',
    name: error.name,
    message: error.message,
    stack: error.stack,
    code: typeof code === 'string' ? code : undefined,
  };
}

if (parentPort !== null) {
  lowerThreadPriority();
  serve(parentPort);
}
