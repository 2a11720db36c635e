import { open, readFile } from 'node:fs/promises';
import type { RequestCounts } from '../../contract/requestCounts';
import { ApiError } from '../http/apiError';
import { errorOf, markerOf } from '../messages/answers';
import type { MessageService } from '../messages/messageService';
import type { Scenario } from '../scenarios';
import { splitRequests } from './readRequests';

export interface BatchFiles {
  readonly body: string;
  readonly results: string;
}

/** Planned outcome of the requests of one batch. */
export interface ResultsPlan {
  readonly batchId: string;
  /** Number of requests processed in time, from the start of the file. The remaining requests end as `rest`. */
  readonly done: number;
  readonly rest: 'canceled' | 'expired';
  readonly scenario: Pick<Scenario, 'erroredPercent' | 'expiredPercent' | 'cutShortPercent' | 'answerLength'>;
}

/** Number of characters to collect before they are written. */
const writeSize = 512 * 1024;

/**
 * Processes a batch: reads its requests from `files.body` and writes `files.results`. The order of the results differs from the order of
 * the requests, but is the same on every run. Resolves with the counts and the size of the file.
 */
export async function writeResults(
  files: BatchFiles,
  plan: ResultsPlan,
  messages: MessageService,
  signal: AbortSignal,
): Promise<{ readonly counts: RequestCounts; readonly bytes: number }> {
  const requests = splitRequests(await readFile(files.body));
  const counts: RequestCounts = { processing: 0, succeeded: 0, errored: 0, canceled: 0, expired: 0 };
  const output = await open(files.results, 'w', 0o600);
  let bytes = 0;
  let text = '';
  const flush = async () => {
    bytes += (await output.write(text)).bytesWritten;
    text = '';
  };
  try {
    for (const n of shuffled(requests.length)) {
      signal.throwIfAborted();
      const { custom_id, params }: { custom_id: string; params: unknown } = JSON.parse(String(requests[n]));
      const result = n < plan.done ? processed(params, n, plan, messages) : { type: plan.rest };
      counts[result.type]++;
      text += `${JSON.stringify({ custom_id, result })}\n`;
      if (text.length >= writeSize) {
        await flush();
      }
    }
    await flush();
  } finally {
    await output.close();
  }
  return { counts, bytes };
}

type Result =
  | { readonly type: 'succeeded'; readonly message: unknown }
  | { readonly type: 'errored'; readonly error: unknown }
  | { readonly type: 'canceled' | 'expired' };

function processed(given: unknown, n: number, plan: ResultsPlan, messages: MessageService): Result {
  const errored = (error: ApiError): Result => ({ type: 'errored', error: error.body(`req_emulated_${plan.batchId.slice(-8)}_${n}`) });
  const checked = messages.check(given);
  if ('problem' in checked) {
    return errored(new ApiError('invalid_request_error', checked.problem));
  }
  const marker = markerOf(checked.params);
  const failure = errorOf(marker);
  if (failure !== undefined) {
    return errored(failure);
  }
  if (marker?.name === 'expired' || marker?.name === 'canceled') {
    return { type: marker.name };
  }
  const share = shareOf(n, plan);
  if (share === 'errored') {
    return errored(new ApiError('overloaded_error', 'Overloaded'));
  }
  if (share === 'expired') {
    return { type: 'expired' };
  }
  const options = {
    seed: `${plan.batchId.slice(-8)}_${n}`,
    tier: 'batch' as const,
    length: plan.scenario.answerLength,
    cutShort: share === 'cutShort',
  };
  try {
    return { type: 'succeeded', message: messages.answer(checked.params, marker, options) };
  } catch (error) {
    if (error instanceof ApiError) {
      return errored(error);
    }
    throw error;
  }
}

/** Returns the planned outcome of request `n`. Outcomes are spread evenly and in exact proportion. */
function shareOf(n: number, { scenario }: ResultsPlan): 'errored' | 'expired' | 'cutShort' | undefined {
  const { erroredPercent, expiredPercent, cutShortPercent } = scenario;
  if (crosses(n, erroredPercent, 100)) {
    return 'errored';
  }
  const afterErrored = n - Math.floor((n * erroredPercent) / 100);
  if (crosses(afterErrored, expiredPercent, 100 - erroredPercent)) {
    return 'expired';
  }
  const afterExpired = afterErrored - Math.floor((afterErrored * expiredPercent) / (100 - erroredPercent));
  return crosses(afterExpired, cutShortPercent, 100 - erroredPercent - expiredPercent) ? 'cutShort' : undefined;
}

function crosses(n: number, part: number, whole: number): boolean {
  return part > 0 && Math.floor(((n + 1) * part) / whole) > Math.floor((n * part) / whole);
}

/** Returns the numbers 0 to `count` - 1, shuffled in the same way on every call. With two or more numbers, the order always changes. */
export function shuffled(count: number): number[] {
  const numbers = Array.from({ length: count }, (_, n) => n);
  let state = 0x9e3779b9 ^ count;
  for (let at = count - 1; at > 0; at--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    // Sattolo's algorithm: creates a single cycle, so that no number stays at its position.
    const other = Math.floor((state / 2 ** 32) * at);
    [numbers[at], numbers[other]] = [numbers[other] ?? 0, numbers[at] ?? 0];
  }
  return numbers;
}
