import { isNotServed } from '../../../client/dialect';
import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import { isCancellation } from '../../../common/cancellation';
import type { RequestBudget } from '../../../common/lists/requestBudget';
import { describeError } from '../../../common/text/describeError';
import type { SizedTokens } from '../../../jsonl/estimating/tokenStatistics';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import type { CountedStratum } from './prediction';

/** State of a count. `share` is from 0 to 1. */
export type CountState =
  | { readonly name: 'none' }
  | { readonly name: 'running'; readonly share: number }
  | { readonly name: 'done'; readonly strata: readonly CountedStratum[] }
  | { readonly name: 'failed'; readonly problem: string };

export interface SampleCountOptions {
  readonly jobs: Pick<JsonlJobs, 'run'>;
  /** Limits the counts per minute. */
  readonly budget: (connection: string) => RequestBudget;
  /** Waits for some milliseconds. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Aborted when the sheet is closed. */
  readonly lifetime: AbortSignal;
  readonly onChange: () => void;
  readonly onProgress: (share: number) => void;
}

/** The requests to count from, and the service that counts. */
export interface CountedContent {
  readonly path: string;
  /** 0-based and ascending; all lines by default. */
  readonly lines: Uint32Array | undefined;
  /** SHA-256 of the file. */
  readonly sha256: string;
  readonly connection: string;
  readonly client: Pick<ServiceClient, 'messages'>;
  /** Called when it is known whether the service counts tokens. */
  readonly onServed: (isServed: boolean) => void;
}

/** Number of requests of a sample. With a spread of 12% inside a stratum, it gives 3%. */
export const sampleSize = 64;
/** Number of counts that run at the same time. */
const parallel = 4;

interface Sample {
  readonly stratum: number;
  readonly text: number;
  readonly body: string;
}

/** Counts the tokens of a sample with the service, once a person asks for it. */
export class SampleCount {
  state: CountState = { name: 'none' };
  private running: AbortController | undefined;

  constructor(private readonly options: SampleCountOptions) {}

  /** Draws and counts a sample. Settles when it ended. */
  async start(content: CountedContent): Promise<void> {
    const { lifetime } = this.options;
    this.reset();
    const mine = new AbortController();
    this.running = mine;
    this.become({ name: 'running', share: 0 });
    let end: CountState;
    try {
      end = { name: 'done', strata: await this.count(content, AbortSignal.any([mine.signal, lifetime])) };
    } catch (error) {
      end = isCancellation(error) || mine.signal.aborted ? { name: 'none' } : { name: 'failed', problem: describeError(error) };
    }
    mine.abort();
    if (this.running === mine) {
      this.running = undefined;
      this.become(end);
    }
  }

  /** Stops a count and forgets its result. */
  reset(): void {
    this.running?.abort();
    this.running = undefined;
    if (this.state.name !== 'none') {
      this.become({ name: 'none' });
    }
  }

  private async count(content: CountedContent, signal: AbortSignal): Promise<readonly CountedStratum[]> {
    const { path, lines, sha256 } = content;
    const drawn = await this.options.jobs.run('drawSample', { path, lines, count: sampleSize, seed: sha256 }, { signal });
    const samples = drawn.flatMap(({ samples: own }, stratum) => own.map(sample => ({ ...sample, stratum })));
    const counted: SizedTokens[][] = drawn.map(() => []);
    let refused: unknown;
    let done = 0;
    const countNext = async (): Promise<void> => {
      const sample = samples[done++];
      if (sample === undefined) {
        return;
      }
      try {
        counted[sample.stratum]?.push({ text: sample.text, tokens: await this.countOne(sample, content, signal) });
      } catch (error) {
        if (!isAboutRequest(error, sample)) {
          throw error;
        }
        refused ??= error;
      }
      this.progress(Math.min(done, samples.length) / samples.length);
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
    return drawn.map(({ model, requests, text }, at) => ({ model, requests, text, counted: counted[at] ?? [] }));
  }

  private async countOne(
    { body, ...sample }: Sample,
    { client, connection, onServed }: CountedContent,
    signal: AbortSignal,
  ): Promise<number> {
    const budget = this.options.budget(connection);
    for (let pause = budget.waitFor(1); pause > 0; pause = budget.waitFor(1)) {
      await this.options.wait(pause, signal);
    }
    signal.throwIfAborted();
    budget.spend(1);
    try {
      const { data } = await client.messages.countTokens(body, { signal });
      onServed(true);
      return data.input_tokens;
    } catch (error) {
      if (error instanceof ServiceError && isNotServed(error.status) && !isAboutRequest(error, { ...sample, body })) {
        onServed(false);
      }
      throw error;
    }
  }

  private progress(share: number): void {
    if (this.state.name === 'running') {
      this.state = { name: 'running', share };
      this.options.onProgress(share);
    }
  }

  private become(state: CountState): void {
    this.state = state;
    this.options.onChange();
  }
}

/** Returns whether the service refused one request, which says nothing about others. A 404 can be about its model. */
function isAboutRequest(error: unknown, { body }: Pick<Sample, 'body'>): boolean {
  if (!(error instanceof ServiceError)) {
    return false;
  }
  const { model } = JSON.parse(body) as { readonly model?: unknown };
  const namesModel = typeof model === 'string' && model !== '' && error.serviceMessage?.includes(model) === true;
  return error.status === 400 || error.status === 413 || error.status === 422 || (error.status === 404 && namesModel);
}
