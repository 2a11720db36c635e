import { setTimeout as sleep } from 'node:timers/promises';
import { isNotServed } from '../../../client/dialect';
import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import type { RequestBudget } from '../../../common/lists/requestBudget';
import type { SizedTokens, Stratum } from '../../../jsonl/estimating/tokenStatistics';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';

/** Requests to draw a sample from, and the service that counts its tokens. */
interface CountedContent {
  readonly jobs: Pick<JsonlJobs, 'run'>;
  readonly path: string;
  /** 0-based, ascending. Defaults to all lines. */
  readonly lines: Uint32Array | undefined;
  readonly sha256: string;
  readonly client: Pick<ServiceClient, 'messages'>;
  readonly budget: RequestBudget;
  readonly onServed: (isServed: boolean) => void;
  /** Waits for some milliseconds. Replaced in tests. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export interface CountedSample {
  readonly strata: readonly CountedStratum[];
}

/** Number of requests in a sample. With a spread of 12 % inside a stratum, the error is 3 %. */
export const sampleSize = 64;

const parallel = 4;

/** Counts the tokens of a sample with the service. Throws if the service counts none. Call only at the user's request. */
export async function countSample(content: CountedContent, signal: AbortSignal, onShare: (share: number) => void): Promise<CountedSample> {
  const { jobs, path, lines, sha256 } = content;
  const strata = await jobs.run('drawSample', { path, lines, count: sampleSize, seed: sha256 }, { signal });
  const samples = strata.flatMap(({ samples: own }, stratum) => own.map(sample => ({ ...sample, stratum })));
  const counted: SizedTokens[][] = strata.map(() => []);
  let refused: unknown;
  let done = 0;
  const countNext = async (): Promise<void> => {
    const sample = samples[done++];
    if (sample === undefined) {
      return;
    }
    try {
      counted[sample.stratum]?.push({ text: sample.text, tokens: await countOne(sample.body, content, signal) });
    } catch (error) {
      if (!isAboutRequest(error, sample.body)) {
        throw error;
      }
      refused ??= error;
    }
    onShare(Math.min(done, samples.length) / samples.length);
  };
  // The first request is sent alone, so that a service without the endpoint gets only one call.
  await countNext();
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      while (done < samples.length) {
        await countNext();
      }
    }),
  );
  if (counted.every(own => own.length === 0) && refused !== undefined) {
    throw refused;
  }
  return { strata: strata.map(({ model, requests, text }, at) => ({ model, requests, text, counted: counted[at] ?? [] })) };
}

async function countOne(
  body: string,
  { client, budget, onServed, wait = (ms, stop) => sleep(ms, undefined, { signal: stop }) }: CountedContent,
  signal: AbortSignal,
): Promise<number> {
  for (let delay = budget.waitFor(1); delay > 0; delay = budget.waitFor(1)) {
    await wait(delay, signal);
  }
  signal.throwIfAborted();
  budget.spend(1);
  try {
    const { data } = await client.messages.countTokens(body, { signal });
    onServed(true);
    return data.input_tokens;
  } catch (error) {
    if (error instanceof ServiceError && isNotServed(error.status) && !isAboutRequest(error, body)) {
      onServed(false);
    }
    throw error;
  }
}

/** Returns whether the service refused only this request and may accept others. A 404 can mean that its model is unknown. */
function isAboutRequest(error: unknown, body: string): boolean {
  if (!(error instanceof ServiceError)) {
    return false;
  }
  const { model } = JSON.parse(body) as { readonly model?: unknown };
  const namesModel = typeof model === 'string' && model !== '' && error.serviceMessage?.includes(model) === true;
  return error.status === 400 || error.status === 413 || error.status === 422 || (error.status === 404 && namesModel);
}

/** A stratum of a counted sample. `model` is `undefined` for all models without a stratum of their own. */
export interface CountedStratum extends Stratum {
  readonly model: string | undefined;
}
