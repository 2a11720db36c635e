import * as z from 'zod';
import { invalidRequest } from './http/apiError';
import { type ServerStyleName, serverStyleNames } from './http/serverStyle';

/** The routes there are; a fault can be tied to one, or to all whose names begin alike: `sessions.events`. */
export const routeNames = [
  'batches.create',
  'batches.list',
  'batches.retrieve',
  'batches.cancel',
  'batches.delete',
  'batches.results',
  'models.list',
  'models.retrieve',
  'messages.create',
  'agents.create',
  'agents.list',
  'agents.retrieve',
  'agents.update',
  'agents.archive',
  'agents.versions',
  'environments.create',
  'environments.list',
  'environments.retrieve',
  'environments.update',
  'environments.archive',
  'environments.delete',
  'environments.work.stats',
  'environments.work.list',
  'environments.work.retrieve',
  'environments.work.poll',
  'environments.work.ack',
  'environments.work.heartbeat',
  'environments.work.stop',
  'files.upload',
  'files.list',
  'files.retrieve',
  'files.content',
  'files.delete',
  'sessions.create',
  'sessions.list',
  'sessions.retrieve',
  'sessions.update',
  'sessions.archive',
  'sessions.delete',
  'sessions.events.list',
  'sessions.events.send',
  'sessions.events.stream',
  'sessions.threads.list',
  'sessions.threads.retrieve',
  'sessions.threads.archive',
  'sessions.threads.events',
  'sessions.threads.stream',
  'sessions.resources.list',
  'sessions.resources.add',
  'sessions.resources.retrieve',
  'sessions.resources.update',
  'sessions.resources.delete',
] as const;
export type RouteName = (typeof routeNames)[number];

/** Beginnings of route names: a fault that is tied to one meets every route below it. */
export const routeGroups = [
  'batches',
  'models',
  'messages',
  'agents',
  'environments',
  'environments.work',
  'files',
  'sessions',
  'sessions.events',
  'sessions.threads',
  'sessions.resources',
] as const;
export type FaultRoute = RouteName | (typeof routeGroups)[number];

/**
 * What can go wrong on purpose. The numbers a fault takes (`bytes`, `status`, `seconds`, `pause`, `count`) have defaults.
 *
 * | name                   | what happens                                                                                  |
 * |------------------------|-----------------------------------------------------------------------------------------------|
 * | `stall`                | no answer; with `bytes`: the answer stops after so many bytes, the connection stays open        |
 * | `cutUpload`            | the connection is cut after `bytes` (0) of the request's body; nothing is made                |
 * | `cutResponse`          | the connection is cut after `bytes` (16) of the answer's body                                 |
 * | `rateLimit`            | 429 with `Retry-After: seconds` (1)                                                           |
 * | `serverError`          | `status` (500) with `api_error`                                                               |
 * | `overloaded`           | 529                                                                                           |
 * | `lostReplyBeforeCommit`| the whole request is read, nothing is done, the connection is cut                             |
 * | `lostReplyAfterCommit` | the request is carried out, the connection is cut instead of an answer                        |
 * | `html`                 | an HTML page with `status` (502)                                                              |
 * | `redirect`             | 307 to the same path at `location` (another origin)                                           |
 * | `badJson`              | 200 with the first half of the body                                                           |
 * | `slowBody`             | the answer comes in pieces of `bytes` (64) every `pause` (20) milliseconds                    |
 * | `truncatedResults`     | the results end in the middle of a line, as if they were complete                             |
 * | `missingResults`       | `count` (1) results are left out                                                              |
 * | `duplicateResults`     | `count` (1) results come twice                                                                |
 * | `unknownResults`       | `count` (1) results of ids that were never sent, and the first result has an unknown type     |
 * | `resumableResults`     | results can be taken up where they were cut, by `Range` and `If-Range`                        |
 * | `wrongCounts`          | `request_counts` of ended batches say one more succeeded than there are                       |
 * | `archived`             | ended batches are archived and their results are gone                                         |
 * | `duplicateCreate`      | one create makes two batches and answers the first                                            |
 * | `slowListing`          | a batch is listed only `seconds` (60) after it was made                                       |
 * | `repeatedPages`        | every page of the list of batches is its first one, which names a further one                 |
 * | `clockSkew`            | all times of batches are `seconds` (3600) ahead; negative ones behind                         |
 * | `notFound`             | 404, as of a service that has no such endpoint                                                |
 * | `cutStream`            | an event stream is cut after `count` (3) events or `bytes`, or ends after `seconds`           |
 * | `duplicateEvents`      | every `count`-th (1) event of a stream comes twice                                            |
 * | `unknownEvents`        | after every `count`-th (1) event of a stream comes one of an unknown type, which has no id    |
 * | `brokenEvents`         | after every `count`-th (1) event of a stream comes one that is no JSON                        |
 * | `hugeEvent`            | after `count` (1) events of a stream comes one of `bytes` (10,000,000)                        |
 */
export const faultNames = [
  'stall',
  'cutUpload',
  'cutResponse',
  'rateLimit',
  'serverError',
  'overloaded',
  'lostReplyBeforeCommit',
  'lostReplyAfterCommit',
  'html',
  'redirect',
  'badJson',
  'slowBody',
  'truncatedResults',
  'missingResults',
  'duplicateResults',
  'unknownResults',
  'resumableResults',
  'wrongCounts',
  'archived',
  'duplicateCreate',
  'slowListing',
  'repeatedPages',
  'clockSkew',
  'notFound',
  'cutStream',
  'duplicateEvents',
  'unknownEvents',
  'brokenEvents',
  'hugeEvent',
] as const;
export type FaultName = (typeof faultNames)[number];

const everyBatch: readonly RouteName[] = ['batches.create', 'batches.list', 'batches.retrieve', 'batches.cancel', 'batches.results'];
const streams: readonly RouteName[] = ['sessions.events.stream', 'sessions.threads.stream'];

/** Faults that only some routes can have. */
const routesOfFault = new Map<FaultName, readonly RouteName[]>([
  ['cutUpload', ['batches.create', 'messages.create', 'files.upload', 'agents.create', 'agents.update', 'sessions.events.send']],
  ['truncatedResults', ['batches.results']],
  ['missingResults', ['batches.results']],
  ['duplicateResults', ['batches.results']],
  ['unknownResults', ['batches.results']],
  ['resumableResults', ['batches.results']],
  ['wrongCounts', everyBatch],
  ['archived', everyBatch],
  ['duplicateCreate', ['batches.create']],
  ['slowListing', ['batches.list']],
  ['repeatedPages', ['batches.list']],
  ['clockSkew', everyBatch],
  ['cutStream', streams],
  ['duplicateEvents', streams],
  ['unknownEvents', streams],
  ['brokenEvents', streams],
  ['hugeEvent', streams],
]);

/** Faults in what a batch or a stream says; all others are faults of the connection or of the whole answer. */
const contentFaults: ReadonlySet<FaultName> = new Set<FaultName>([
  'truncatedResults',
  'missingResults',
  'duplicateResults',
  'unknownResults',
  'resumableResults',
  'wrongCounts',
  'archived',
  'duplicateCreate',
  'slowListing',
  'repeatedPages',
  'clockSkew',
  'duplicateEvents',
  'unknownEvents',
  'brokenEvents',
  'hugeEvent',
]);

const faultFields = z.strictObject({
  name: z.enum(faultNames),
  /** Only at this route; absent means any. */
  route: z.enum([...routeNames, ...routeGroups]).optional(),
  /** So many requests; absent means until the faults are changed. */
  times: z.int().min(1).optional(),
  bytes: z.int().min(0).optional(),
  status: z.int().min(200).max(599).optional(),
  seconds: z.number().optional(),
  pause: z.number().min(0).optional(),
  count: z.int().min(1).optional(),
  location: z.string().optional(),
});
const faultSchema = faultFields.refine(({ name, seconds = 0 }) => seconds >= 0 || name === 'clockSkew', {
  path: ['seconds'],
  error: 'must be 0 or more',
});
export type Fault = Readonly<z.infer<typeof faultSchema>>;

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
  faults: [],
};

/** The faults that meet one request: at most one of the connection, and any number in what batches say. */
export interface FaultsOfRequest {
  readonly transport: Fault | undefined;
  readonly content: ReadonlyMap<FaultName, Fault>;
}

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
    const content = new Map<FaultName, Fault>();
    let transport: Fault | undefined;
    const left: Fault[] = [];
    for (const fault of this.#current.faults) {
      const isContent = contentFaults.has(fault.name);
      const here = isAt(fault, route) && (routesOfFault.get(fault.name)?.includes(route) ?? true);
      const taken = here && (isContent ? !content.has(fault.name) : transport === undefined);
      if (taken && isContent) {
        content.set(fault.name, fault);
      } else if (taken) {
        transport = fault;
      }
      if (!taken || fault.times === undefined) {
        left.push(fault);
      } else if (fault.times > 1) {
        left.push({ ...fault, times: fault.times - 1 });
      }
    }
    this.#current = { ...this.#current, faults: left };
    return { transport, content };
  }
}

function isAt(fault: Fault, route: RouteName): boolean {
  return fault.route === undefined || fault.route === route || route.startsWith(`${fault.route}.`);
}

export const noFaults: FaultsOfRequest = { transport: undefined, content: new Map() };
