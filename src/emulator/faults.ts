import * as z from 'zod';
import { type RouteName, routeGroups, routeNames } from './routeNames';

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
 * | `noStatusFilter`       | lists of sessions refuse `statuses[]`; with `status` 200 they take no notice of it             |
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
  'noStatusFilter',
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
  [
    'cutUpload',
    [
      'batches.create',
      'messages.create',
      'files.upload',
      'skills.create',
      'skills.versions.create',
      'agents.create',
      'agents.update',
      'sessions.events.send',
    ],
  ],
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
  ['noStatusFilter', ['sessions.list']],
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
  'noStatusFilter',
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
/** A fault as it is given: closed, every number checked. */
export const faultSchema = faultFields.refine(({ name, seconds = 0 }) => seconds >= 0 || name === 'clockSkew', {
  path: ['seconds'],
  error: 'must be 0 or more',
});
export type Fault = Readonly<z.infer<typeof faultSchema>>;

/** The faults that meet one request: at most one of the connection, and any number in what batches say. */
export interface FaultsOfRequest {
  readonly transport: Fault | undefined;
  readonly content: ReadonlyMap<FaultName, Fault>;
}

export const noFaults: FaultsOfRequest = { transport: undefined, content: new Map() };

/** The faults of a list that are due for a request at `route`, and the list that is left: those with `times` are counted down. */
export function takeFaults(
  faults: readonly Fault[],
  route: RouteName,
): { readonly found: FaultsOfRequest; readonly left: readonly Fault[] } {
  const content = new Map<FaultName, Fault>();
  let transport: Fault | undefined;
  const left: Fault[] = [];
  for (const fault of faults) {
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
  return { found: { transport, content }, left };
}

function isAt(fault: Fault, route: RouteName): boolean {
  return fault.route === undefined || fault.route === route || route.startsWith(`${fault.route}.`);
}
