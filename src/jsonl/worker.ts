import { parentPort, workerData } from 'node:worker_threads';
import type { HostMessage, JobContext, JobTable, ThreadInput, ThreadMessage } from './threadProtocol';

// Each job loads its own part: a thread does one job and ends.
const jobs: JobTable = {
  checkFile: async (input, context) => (await import('./batchFile')).checkBatchFile(input.path, input.limits, context),
  requestBody: async (source, context) => (await import('./requestBody')).emitRequestBody(source, context),
  joinResults: async (source, context) => (await import('./resultsJoin')).joinResults(source, context),
  writeRetryFile: async (source, context) => (await import('./retryFile')).writeRetryFile(source, context),
};

/** Least time between two reports of progress, in milliseconds. */
const progressEveryMs = 50;

async function run(port: NonNullable<typeof parentPort>, { name, input, aborted }: ThreadInput): Promise<void> {
  const tell = (message: ThreadMessage, transfer: readonly ArrayBuffer[] = []) => port.postMessage(message, [...transfer]);
  const controller = new AbortController();
  let credits = 0;
  let granted: () => void = () => {};
  port.on('message', (message: HostMessage) => {
    if (message.type === 'abort') {
      controller.abort();
    } else {
      credits += message.chunks;
    }
    granted();
  });
  const throwIfAborted = () => {
    if (Atomics.load(aborted, 0) !== 0) {
      throw new DOMException('The job was cancelled.', 'AbortError');
    }
  };
  let toldAt = Number.NEGATIVE_INFINITY;
  const context: JobContext = {
    signal: controller.signal,
    throwIfAborted,
    progress: progress => {
      const now = performance.now();
      if (now - toldAt >= progressEveryMs || progress.doneBytes === progress.totalBytes) {
        toldAt = now;
        tell({ type: 'progress', progress });
      }
    },
    emit: async bytes => {
      while (credits === 0) {
        throwIfAborted();
        await new Promise<void>(resolve => {
          granted = resolve;
        });
      }
      throwIfAborted();
      credits--;
      tell({ type: 'chunk', bytes }, [bytes.buffer]);
    },
  };
  try {
    const job = jobs[name] as (input: unknown, context: JobContext) => Promise<unknown>;
    tell({ type: 'done', value: await job(input, context) });
  } catch (error) {
    tell(toFailure(error));
  } finally {
    // The port is what keeps the thread alive.
    port.close();
  }
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
  await run(parentPort, workerData as ThreadInput);
}
