import * as z from 'zod';
import { isRecord } from '../shared/isRecord';
import { type Fault, type FaultKind, type FaultName, type FaultsOfRequest, faultSchema, faultTable, isAt } from './faults';
import { invalidRequest } from './http/apiError';
import { serverStyleNames } from './http/serverStyle';
import type { RouteName } from './routeNames';

const percent = z.number().min(0).max(100).default(0);

const scenarioSchema = z.strictObject({
  /** Time from a batch's creation to its end, in milliseconds. */
  batchDuration: z.number().min(0).default(5000),
  /** Time from a batch's cancellation to its end, in milliseconds. */
  cancelDuration: z.number().min(0).default(1000),
  /** Time between the pieces of a streamed message, in milliseconds. */
  streamPause: z.number().min(0).max(60_000).default(20),
  /** Minimum length of an answer in characters. Shorter answers are padded. */
  answerLength: z.int().min(0).max(1_000_000).default(0),
  /** Percentage of a batch's requests that fail with a retryable error. */
  erroredPercent: percent,
  expiredPercent: percent,
  /** Percentage of a batch's requests that are answered only in part (`stop_reason` `max_tokens`). */
  cutShortPercent: percent,
  /** Paging of lists: by `before_id` and `after_id`, or by the contract's `page`. Null uses the dialect's paging. */
  envelope: z.enum(['ids', 'page']).nullable().default(null),
  /** Time between the steps of an agent, in milliseconds. With 0, all steps are immediate. */
  sessionPause: z.number().min(0).max(60_000).default(400),
  serverStyle: z.enum(serverStyleNames).default('vendor'),
  /** Silence after which an event stream sends a keep-alive, in seconds. */
  keepaliveSeconds: z.number().min(0.01).max(86_400).default(15),
  /** Maximum number of bytes that an event stream buffers for a slow reader before the stream is closed. */
  streamBacklog: z
    .int()
    .min(1)
    .default(32 * 1024 * 1024),
  /** True if scheduled times of deployments pass without a run. */
  missesSchedules: z.boolean().default(false),
  faults: z.array(faultSchema).readonly().default([]),
});

/** Progress of batches and sessions in the emulator, and its faults. `POST /_emulator/scenario` changes it at run time. */
export type Scenario = Readonly<z.infer<typeof scenarioSchema>>;

export const defaultScenario: Scenario = scenarioSchema.parse({});

/** Current scenario, with the remaining count of each fault. */
export class ScenarioStore {
  #current: Scenario;

  constructor(initial: Partial<Scenario> = {}) {
    this.#current = defaultScenario;
    this.change(initial);
  }

  get current(): Scenario {
    return this.#current;
  }

  /** Replaces the given parts. `faults` replaces the whole list. Throws a 400 that names the field. */
  change(patch: unknown): void {
    const parsed = scenarioSchema.safeParse(isRecord(patch) ? { ...this.#current, ...patch } : patch);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      throw invalidRequest(`${issue?.path.join('.') || 'scenario'}: ${issue?.message ?? 'not a scenario'}`);
    }
    const { erroredPercent, expiredPercent, cutShortPercent } = parsed.data;
    if (erroredPercent + expiredPercent + cutShortPercent > 100) {
      throw invalidRequest('erroredPercent, expiredPercent and cutShortPercent are more than 100 together');
    }
    this.#current = parsed.data;
  }

  /** Returns the faults that apply to a request at `route`. Those with `times` are counted down. */
  take(route: RouteName): FaultsOfRequest {
    const content = new Map<FaultName, Fault>();
    let transport: Fault | undefined;
    const faults = this.#current.faults.flatMap((fault): Fault[] => {
      const { isContent = false, routes }: FaultKind = faultTable[fault.name];
      const isAffected = isAt(fault, route) && (routes?.includes(route) ?? true);
      if (!isAffected || (isContent ? content.has(fault.name) : transport !== undefined)) {
        return [fault];
      }
      if (isContent) {
        content.set(fault.name, fault);
      } else {
        transport = fault;
      }
      const { times } = fault;
      return times === undefined ? [fault] : times > 1 ? [{ ...fault, times: times - 1 }] : [];
    });
    this.#current = { ...this.#current, faults };
    return { transport, content };
  }
}
