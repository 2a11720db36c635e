import * as z from 'zod';
import { type Fault, type FaultsOfRequest, faultSchema, takeFaults } from './faults';
import { invalidRequest } from './http/apiError';
import { type ServerStyleName, serverStyleNames } from './http/serverStyle';
import type { RouteName } from './routeNames';

const percent = z.number().min(0).max(100);

const scenarioSchema = z.strictObject({
  batchDuration: z.number().min(0),
  cancelDuration: z.number().min(0),
  streamPause: z.number().min(0).max(60_000),
  answerLength: z.int().min(0).max(1_000_000),
  erroredPercent: percent,
  expiredPercent: percent,
  cutShortPercent: percent,
  envelope: z.enum(['ids', 'page']).nullable(),
  sessionPause: z.number().min(0).max(60_000),
  serverStyle: z.enum(serverStyleNames),
  keepaliveSeconds: z.number().min(0.01).max(86_400),
  streamBacklog: z.int().min(1),
  missesSchedules: z.boolean(),
  faults: z.array(faultSchema).readonly(),
});

/** How the emulator behaves: how a batch proceeds, and which faults it has. Changed while it runs with `POST /_emulator/scenario`. */
export interface Scenario {
  /** Milliseconds from a batch's creation to its end. */
  readonly batchDuration: number;
  /** Milliseconds from a batch's cancellation to its end. */
  readonly cancelDuration: number;
  /** Milliseconds between the pieces of a streamed message. */
  readonly streamPause: number;
  /** Least number of characters of an answer; shorter ones are filled up. */
  readonly answerLength: number;
  /** Of a batch's requests, how many in a hundred fail with a retryable error. */
  readonly erroredPercent: number;
  /** Of a batch's requests, how many in a hundred expire. */
  readonly expiredPercent: number;
  /** Of a batch's requests, how many in a hundred are answered only in part (`stop_reason` `max_tokens`). */
  readonly cutShortPercent: number;
  /** How lists are paged: by `before_id` and `after_id`, or by the contract's `page`; null is as the dialect has it. */
  readonly envelope: 'ids' | 'page' | null;
  /** Milliseconds between the steps of an agent; 0 does everything at once. */
  readonly sessionPause: number;
  /** Which service's way it has with sessions and their events. */
  readonly serverStyle: ServerStyleName;
  /** Silence after which an event stream gives a sign of life. */
  readonly keepaliveSeconds: number;
  /** Characters of an event stream that may wait for a slow reader before it is cut. */
  readonly streamBacklog: number;
  /** The times of deployments pass without a run. */
  readonly missesSchedules: boolean;
  readonly faults: readonly Fault[];
}

export const defaultScenario: Scenario = {
  batchDuration: 5000,
  cancelDuration: 1000,
  streamPause: 20,
  answerLength: 0,
  erroredPercent: 0,
  expiredPercent: 0,
  cutShortPercent: 0,
  envelope: null,
  sessionPause: 400,
  serverStyle: 'vendor',
  keepaliveSeconds: 15,
  streamBacklog: 32 * 1024 * 1024,
  missesSchedules: false,
  faults: [],
};

/** The scenario as it stands, and the count of how often each fault is still to come. */
export class ScenarioStore {
  #current: Scenario;

  constructor(initial: Partial<Scenario> = {}) {
    this.#current = defaultScenario;
    this.change(initial);
  }

  get current(): Scenario {
    return this.#current;
  }

  /** Replaces the given parts; `faults` replaces the whole list. Throws a 400 that names the field. */
  change(patch: unknown): void {
    const parsed = scenarioSchema.partial().safeParse(patch);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      throw invalidRequest(`${issue?.path.join('.') || 'scenario'}: ${issue?.message ?? 'not a scenario'}`);
    }
    const { erroredPercent, expiredPercent, cutShortPercent, ...rest } = { ...this.#current, ...parsed.data };
    if (erroredPercent + expiredPercent + cutShortPercent > 100) {
      throw invalidRequest('erroredPercent, expiredPercent and cutShortPercent are more than 100 together');
    }
    this.#current = { erroredPercent, expiredPercent, cutShortPercent, ...rest };
  }

  /** The faults that are due for a request at `route`; those with `times` are counted down. */
  take(route: RouteName): FaultsOfRequest {
    const { found, left } = takeFaults(this.#current.faults, route);
    this.#current = { ...this.#current, faults: left };
    return found;
  }
}
