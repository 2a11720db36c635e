import * as z from 'zod';
import { type RouteName, routeGroups, routeNames } from './routeNames';

export interface FaultKind {
  /** True for a fault in the contents of a batch or a stream. All others affect the connection or the whole response. */
  readonly isContent?: boolean;
  /** Routes that the fault can affect. All if absent. */
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
export const faultTable = {
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

export type FaultName = keyof typeof faultTable;
export const faultNames = Object.keys(faultTable) as readonly FaultName[];

const faultFields = z.strictObject({
  name: z.enum(faultNames),
  /** Route or group to affect. All if absent. */
  route: z.enum([...routeNames, ...routeGroups]).optional(),
  /** Number of requests to affect. If absent, until the faults are changed. */
  times: z.int().min(1).optional(),
  bytes: z.int().min(0).optional(),
  status: z.int().min(200).max(599).optional(),
  seconds: z.number().optional(),
  pause: z.number().min(0).optional(),
  count: z.int().min(1).optional(),
  location: z.string().optional(),
});
/** Fault as given by the user. Unknown fields and invalid numbers are refused. */
export const faultSchema = faultFields.refine(({ name, seconds = 0 }) => seconds >= 0 || name === 'clockSkew', {
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

export function isAt(fault: Fault, route: RouteName): boolean {
  return fault.route === undefined || fault.route === route || route.startsWith(`${fault.route}.`);
}
