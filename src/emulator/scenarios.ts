import * as z from 'zod';
import { invalidRequest } from './http/apiError';
import { serverStyleNames } from './http/serverStyle';

const verbs = {
  batches: 'create list retrieve cancel delete results',
  models: 'list retrieve',
  messages: 'create countTokens',
  agents: 'create list retrieve update archive versions',
  environments: 'create list retrieve update archive delete',
  'environments.work': 'stats list retrieve stop',
  deployments: 'create list retrieve update archive pause unpause run',
  'deployments.runs': 'list retrieve',
  files: 'create list retrieve content delete',
  vaults: 'create list retrieve update archive delete',
  'vaults.credentials': 'create list retrieve update archive delete mcp_oauth_validate',
  webhooks: 'create list retrieve update delete regenerate_signing_secret',
  memoryStores: 'create list retrieve update archive delete',
  'memoryStores.memories': 'create list retrieve update delete',
  'memoryStores.versions': 'list retrieve redact',
  skills: 'create list retrieve delete',
  'skills.versions': 'create list retrieve delete content',
  sessions: 'create list retrieve update archive delete',
  'sessions.events': 'list send stream',
  'sessions.threads': 'list retrieve archive events stream',
  'sessions.resources': 'list create retrieve update delete',
} as const;

type Words<S extends string> = S extends `${infer Word} ${infer Rest}` ? Word | Words<Rest> : S;
export type RouteGroup = keyof typeof verbs;
export type Verb<G extends RouteGroup> = Words<(typeof verbs)[G]>;
/** Name of a route. A fault applies to one route, or to all routes of a group such as `sessions.events`. */
export type RouteName = { [G in RouteGroup]: `${G}.${Words<(typeof verbs)[G]>}` }[RouteGroup];

/** First parts of route names. A fault for such a part affects every route whose name starts with the part. */
export const routeGroups = Object.keys(verbs) as readonly RouteGroup[];
export const routeNames = Object.entries(verbs).flatMap(([group, words]) =>
  words.split(' ').map(verb => `${group}.${verb}`),
) as readonly RouteName[];

/** Returns the verbs of a group. */
export function verbsOf<G extends RouteGroup>(group: G): readonly Verb<G>[] {
  return verbs[group].split(' ') as Verb<G>[];
}

interface FaultKind {
  /** True for a fault in the contents of a batch or a stream. Any other fault affects the connection or the whole response. */
  readonly isContent?: boolean;
  /** Routes that the fault can affect. All routes if absent. */
  readonly routes?: readonly RouteName[];
}

const everyBatch: readonly RouteName[] = ['batches.create', 'batches.list', 'batches.retrieve', 'batches.cancel', 'batches.results'];
const streams: readonly RouteName[] = ['sessions.events.stream', 'sessions.threads.stream'];

/**
 * Faults that can be injected. Their numbers (`bytes`, `status`, `seconds`, `pause`, `count`) have defaults.
 *
 * | name                    | effect                                                                                            |
 * |-------------------------|---------------------------------------------------------------------------------------------------|
 * | `stall`                 | no response; with `bytes`, the response stops after that many bytes and the connection stays open |
 * | `cutUpload`             | the connection is closed after `bytes` (0) of the request's body; nothing is created              |
 * | `cutResponse`           | the connection is closed after `bytes` (16) of the response's body                                |
 * | `rateLimit`             | 429 with `Retry-After: seconds` (1)                                                               |
 * | `serverError`           | `status` (500) with `api_error`                                                                   |
 * | `overloaded`            | 529                                                                                               |
 * | `lostReplyBeforeCommit` | the whole request is read, nothing is done, the connection is closed                              |
 * | `lostReplyAfterCommit`  | the request is carried out, the connection is closed without a response                           |
 * | `html`                  | an HTML page with `status` (502)                                                                  |
 * | `redirect`              | 307 to the same path at `location` (another origin)                                               |
 * | `badJson`               | 200 with the first half of the body                                                               |
 * | `slowBody`              | the response is sent in pieces of `bytes` (64) every `pause` (20) milliseconds                    |
 * | `truncatedResults`      | the results end in the middle of a line, as if they were complete                                 |
 * | `missingResults`        | `count` (1) results are left out                                                                  |
 * | `resumableResults`      | a broken download of the results can be resumed with `Range` and `If-Range`                       |
 * | `archived`              | ended batches are archived and their results are deleted                                          |
 * | `duplicateCreate`       | one create creates two batches and returns the first                                              |
 * | `slowListing`           | a batch is listed only `seconds` (60) after its creation                                          |
 * | `clockSkew`             | all times of batches are `seconds` (3600) ahead, or behind if negative                            |
 * | `notFound`              | 404, as from a service that has no such endpoint                                                  |
 * | `noStatusFilter`        | lists of sessions refuse `statuses[]`; with `status` 200 they ignore it                           |
 * | `cutStream`             | an event stream is closed after `count` (3) events or `bytes`, or ends after `seconds`            |
 * | `duplicateEvents`       | every `count`-th (1) event of a stream is sent twice                                              |
 * | `unknownEvents`         | every `count`-th (1) event of a stream is followed by one of an unknown type, without an id       |
 * | `brokenEvents`          | every `count`-th (1) event of a stream is followed by one that is not JSON                        |
 * | `hugeEvent`             | `count` (1) events of a stream are followed by one of `bytes` (10,000,000)                        |
 */
const faultTable = {
  stall: {},
  cutUpload: {
    routes: [
      'batches.create',
      'messages.create',
      'files.create',
      'skills.create',
      'skills.versions.create',
      'agents.create',
      'agents.update',
      'sessions.events.send',
    ],
  },
  cutResponse: {},
  rateLimit: {},
  serverError: {},
  overloaded: {},
  lostReplyBeforeCommit: {},
  lostReplyAfterCommit: {},
  html: {},
  redirect: {},
  badJson: {},
  slowBody: {},
  truncatedResults: { isContent: true, routes: ['batches.results'] },
  missingResults: { isContent: true, routes: ['batches.results'] },
  resumableResults: { isContent: true, routes: ['batches.results'] },
  archived: { isContent: true, routes: everyBatch },
  duplicateCreate: { isContent: true, routes: ['batches.create'] },
  slowListing: { isContent: true, routes: ['batches.list'] },
  clockSkew: { isContent: true, routes: everyBatch },
  notFound: {},
  noStatusFilter: { isContent: true, routes: ['sessions.list'] },
  cutStream: { routes: streams },
  duplicateEvents: { isContent: true, routes: streams },
  unknownEvents: { isContent: true, routes: streams },
  brokenEvents: { isContent: true, routes: streams },
  hugeEvent: { isContent: true, routes: streams },
} satisfies Readonly<Record<string, FaultKind>>;

type FaultName = keyof typeof faultTable;
export const faultNames = Object.keys(faultTable) as readonly FaultName[];

const faultFields = z.strictObject({
  name: z.enum(faultNames),
  /** Route or group to affect. All routes if absent. */
  route: z.enum([...routeNames, ...routeGroups]).optional(),
  /** Number of requests to affect. If absent, the fault applies until the faults are changed. */
  times: z.int().min(1).optional(),
  bytes: z.int().min(0).optional(),
  status: z.int().min(200).max(599).optional(),
  seconds: z.number().optional(),
  pause: z.number().min(0).optional(),
  count: z.int().min(1).optional(),
  location: z.string().optional(),
});
/** Fault as given by the user. Unknown fields and invalid numbers are refused. */
const faultSchema = faultFields.refine(({ name, seconds = 0 }) => seconds >= 0 || name === 'clockSkew', {
  path: ['seconds'],
  error: 'must be 0 or more',
});
export type Fault = Readonly<z.infer<typeof faultSchema>>;

/** Faults of one request: at most one transport fault, and any number of content faults. */
export interface FaultsOfRequest {
  readonly transport: Fault | undefined;
  readonly content: ReadonlyMap<FaultName, Fault>;
}

export const noFaults: FaultsOfRequest = { transport: undefined, content: new Map() };

function isAt(fault: Fault, route: RouteName): boolean {
  return fault.route === undefined || fault.route === route || route.startsWith(`${fault.route}.`);
}

const percent = z.number().min(0).max(100);

const scenarioSchema = z.strictObject({
  /** Time from a batch's creation to its end, in milliseconds. */
  batchDuration: z.number().min(0),
  /** Time from a batch's cancellation to its end, in milliseconds. */
  cancelDuration: z.number().min(0),
  /** Time between the pieces of a streamed message, in milliseconds. */
  streamPause: z.number().min(0).max(60_000),
  /** Minimum length of an answer in characters. Shorter answers are padded. */
  answerLength: z.int().min(0).max(1_000_000),
  /** Percentage of a batch's requests that fail with a retryable error. */
  erroredPercent: percent,
  expiredPercent: percent,
  /** Percentage of a batch's requests that are answered only in part (`stop_reason` `max_tokens`). */
  cutShortPercent: percent,
  /** Paging of lists: by `before_id` and `after_id`, or by the contract's `page`. Null uses the dialect's paging. */
  envelope: z.enum(['ids', 'page']).nullable(),
  /** Time between the steps of an agent, in milliseconds. With 0, all steps are immediate. */
  sessionPause: z.number().min(0).max(60_000),
  serverStyle: z.enum(serverStyleNames),
  /** Silence after which an event stream sends a keep-alive, in seconds. */
  keepaliveSeconds: z.number().min(0.01).max(86_400),
  /** Maximum number of bytes that an event stream buffers for a slow reader before the stream is closed. */
  streamBacklog: z.int().min(1),
  /** True if scheduled times of deployments pass without a run. */
  missesSchedules: z.boolean(),
  faults: z.array(faultSchema).readonly(),
});

/**
 * Behaviour of the emulator: the progress of batches and sessions, and the faults. Can be changed at run time with `POST
 * /_emulator/scenario`.
 */
export type Scenario = Readonly<z.infer<typeof scenarioSchema>>;

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
