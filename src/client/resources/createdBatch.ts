import { isRecord } from '../../shared/isRecord';
import { quote } from '../transport/safeWords';

/** Facts about a create when its response arrives. */
export interface CreatedBatchFacts {
  /** Number of requests in the body. `undefined` if the caller did not count them. */
  readonly requestCount: number | undefined;
  /** `Date` header of the response. */
  readonly date: string | undefined;
  /** `Age` header of the response: how long a cache has kept it, in seconds. */
  readonly age: string | undefined;
  /** Time since the create began, in milliseconds. */
  readonly elapsed: number;
  /** This machine's time, in milliseconds since 1970. */
  readonly now: number;
}

const statuses = ['processing', 'succeeded', 'errored', 'canceled', 'expired'];
const minute = 60_000;
const hour = 60 * minute;
/** Largest difference between `created_at` and the `Date` of the same response, in milliseconds. They can be set by two machines. */
const dateTolerance = 10 * minute;
/** Largest error of this machine's clock in milliseconds, for example a wrong day or time zone. Used only without a `Date`. */
const clockTolerance = 25 * hour;

/**
 * Returns why the response to a create can't be the new batch, or `undefined`. A cache or a gateway can return another batch, whose results
 * would then be written as the results of our file. The creation time is compared with the response's own `Date`, so a wrong clock on this
 * machine changes nothing. The service may set `created_at` when the upload begins, so the duration of the create is added to the
 * tolerance.
 */
export function whyNotCreated(answer: unknown, facts: CreatedBatchFacts): string | undefined {
  const { id, type, processing_status: status, created_at: createdAt, request_counts: counts } = isRecord(answer) ? answer : {};
  if (type !== 'message_batch') {
    return `its type is ${quote(type)}, not "message_batch"`;
  }
  if (typeof id !== 'string' || id === '' || id === '.' || id === '..') {
    return `${quote(id)} can't be the id of a batch`;
  }
  if (status !== 'in_progress') {
    return `its processing_status is ${quote(status)}, not "in_progress"`;
  }
  if (!isCreatedNow(createdAt, facts)) {
    return `it was not created now: its created_at is ${quote(createdAt)}`;
  }
  const { requestCount } = facts;
  const total = isRecord(counts) ? totalOf(counts) : undefined;
  return requestCount !== undefined && total !== undefined && total !== requestCount
    ? `it has ${total} requests, not ${requestCount}`
    : undefined;
}

function isCreatedNow(createdAt: unknown, { date, age, elapsed, now }: CreatedBatchFacts): boolean {
  const created = typeof createdAt === 'string' ? Date.parse(createdAt) : Number.NaN;
  const cachedFor = Number(age ?? 0) * 1000;
  const answered = Date.parse(date ?? '') + (cachedFor >= 0 ? cachedFor : 0);
  const [end, tolerance] = Number.isNaN(answered) ? [now, clockTolerance] : [answered, dateTolerance];
  return created >= end - elapsed - tolerance && created <= end + tolerance;
}

/** Returns the sum of the reported counts, or `undefined` if none is reported. */
function totalOf(counts: Readonly<Record<string, unknown>>): number | undefined {
  const reported = statuses.map(status => counts[status]).filter(count => typeof count === 'number');
  return reported.length === 0 ? undefined : reported.reduce((sum, count) => sum + count, 0);
}
