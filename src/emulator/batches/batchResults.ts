import { open, readFile } from 'node:fs/promises';
import type { RequestCounts } from '../../contract/requestCounts';
import { ApiError } from '../http/apiError';
import { errorOf, markerOf } from '../messages/answers';
import type { MessageService } from '../messages/messageService';
import type { BatchFiles } from './batchFiles';

/** Planned outcome of the requests of one batch. */
export interface ResultsPlan {
  readonly batchId: string;
  readonly total: number;
  /** Number of requests processed in time: the first ones of the file. The others end as `rest`. */
  readonly done: number;
  readonly rest: 'canceled' | 'expired';
  readonly erroredPercent: number;
  readonly expiredPercent: number;
  readonly cutShortPercent: number;
  readonly answerLength: number;
}

const requestsPerBlock = 64;
const writeSize = 512 * 1024;

/**
 * Processes a batch: reads its requests from `files` and writes `files.results`. The results are in an order that differs from that of the
 * requests but is the same on every run. Resolves with the counts and the size of the file. One block of requests is in memory at a time.
 */
export async function writeResults(
  files: BatchFiles,
  plan: ResultsPlan,
  messages: MessageService,
  signal: AbortSignal,
): Promise<{ readonly counts: RequestCounts; readonly bytes: number }> {
  const indexBytes = await readFile(files.index);
  const places = new Uint32Array(indexBytes.buffer, indexBytes.byteOffset, indexBytes.length / 4);
  const counts: RequestCounts = { processing: 0, succeeded: 0, errored: 0, canceled: 0, expired: 0 };
  const input = await open(files.body, 'r');
  const output = await open(files.results, 'w', 0o600);
  let bytes = 0;
  let lines: string[] = [];
  let held = 0;
  const flush = async () => {
    const text = Buffer.from(lines.join(''));
    lines = [];
    held = 0;
    bytes += text.length;
    await output.write(text);
  };
  try {
    for (const block of shuffledBlocks(plan.total)) {
      signal.throwIfAborted();
      const start = places[2 * block.first] ?? 0;
      const end = places[2 * block.last + 1] ?? 0;
      const json = Buffer.allocUnsafe(end - start);
      await input.read(json, 0, json.length, start);
      for (const n of block.order) {
        const request = json.subarray((places[2 * n] ?? 0) - start, (places[2 * n + 1] ?? 0) - start);
        const { customId, result } = resultOf(request, n, plan, messages);
        counts[result.type]++;
        const line = `{"custom_id":${JSON.stringify(customId)},"result":${JSON.stringify(result)}}\n`;
        lines.push(line);
        held += line.length;
      }
      if (held >= writeSize) {
        await flush();
      }
    }
    await flush();
  } finally {
    await Promise.all([input.close(), output.close()]);
  }
  return { counts, bytes };
}

type Result =
  | { readonly type: 'succeeded'; readonly message: unknown }
  | { readonly type: 'errored'; readonly error: unknown }
  | { readonly type: 'canceled' }
  | { readonly type: 'expired' };

function resultOf(
  json: Buffer,
  n: number,
  plan: ResultsPlan,
  messages: MessageService,
): { readonly customId: string; readonly result: Result } {
  const { custom_id: customId, params: given }: { custom_id: string; params: unknown } = JSON.parse(json.toString('utf8'));
  return { customId, result: n < plan.done ? processed(given, n, plan, messages) : { type: plan.rest } };
}

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
    length: plan.answerLength,
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

/** Returns the share that request `n` belongs to. Each share is spread evenly and exact for any number of requests. */
function shareOf(n: number, plan: ResultsPlan): 'errored' | 'expired' | 'cutShort' | undefined {
  const { erroredPercent, expiredPercent, cutShortPercent } = plan;
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

interface Block {
  readonly first: number;
  readonly last: number;
  readonly order: readonly number[];
}

/** Yields the numbers 0 to `total` - 1 in blocks of neighbours. The blocks, and the numbers within a block, are shuffled. */
export function* shuffledBlocks(total: number): Generator<Block> {
  const size = Math.max(1, Math.min(requestsPerBlock, Math.floor(total / 16)));
  for (const block of mixed(Math.ceil(total / size))) {
    const first = block * size;
    const last = Math.min(first + size, total) - 1;
    yield { first, last, order: mixed(last - first + 1).map(n => first + n) };
  }
}

/** Returns the numbers 0 to `count` - 1, shuffled in the same way on every call. Two or more are never in their original order. */
function mixed(count: number): number[] {
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
