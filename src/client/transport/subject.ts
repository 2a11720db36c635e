import { isRecord } from '../../shared/isRecord';
import { textOf } from '../../shared/session/eventFields';
import type { CallFailures } from './callFailures';
import type { Call } from './callHead';
import { quote } from './safeWords';

/** Resource that a response must describe. The response must not be about another resource. */
export interface Subject {
  /** `type` of the resource in the contract. */
  readonly type?: string;
  /** Requested id. Absent for a create or a list. */
  readonly id?: string;
  /** Fields that can hold the requested id. `id` by default. */
  readonly idFields?: readonly string[];
  /** Ids of the parent resources, by field: `{session_id: 'sesn_1'}`. */
  readonly within?: Readonly<Record<string, string>>;
}

/** Types of the contract, without the types of session resources and tools, whose names are ambiguous. */
const knownTypes: ReadonlySet<string> = new Set(
  (
    'message_batch message model agent session session_thread environment work work_queue_stats file skill skill_version deployment ' +
    'deployment_run memory_store memory memory_version vault vault_credential vault_credential_validation webhook error'
  ).split(' '),
);

/**
 * Returns how a response differs from `subject`, or `undefined` if it may describe `subject`. An absent field is no difference, because
 * some servers leave out fields or answer a delete with an empty object. The schema of a read requires the `id`. A present field must be
 * equal. A `type` is wrong if it belongs to another resource of the contract. An unknown type is allowed. An object of type `error` is
 * never a resource.
 */
export function differenceFrom(subject: Subject, value: unknown, isDelete = false): string | undefined {
  if (!isRecord(value)) {
    return undefined;
  }
  const { type, id, idFields = ['id'], within } = subject;
  const found = textOf(value.type);
  if (found !== undefined && isOtherType(found, type, isDelete)) {
    return `its type is ${quote(found)}${type === undefined ? '' : `, not ${quote(type)}`}`;
  }
  const outside = outsideOf(within, value);
  if (outside !== undefined) {
    return outside;
  }
  const ids = idFields.flatMap(field => textOf(value[field]) ?? []);
  // The response to a delete has one id. For a resource with two ids, this can be either id.
  const isComparable = ids.length > 0 && (!isDelete || ids.length === idFields.length);
  return id !== undefined && isComparable && !ids.includes(id) ? `its id is ${quote(ids[0] ?? '')}, not ${quote(id)}` : undefined;
}

/** Throws a `mismatch` if a response is not about the call's resource, or has a row of a different parent resource. */
export function demandSubject(call: Pick<Call, 'about' | 'method'>, value: unknown, failures: CallFailures): void {
  throwIfDifferent(differenceFrom(call.about ?? {}, value, call.method === 'DELETE'), failures);
  if (call.about?.within !== undefined && isRecord(value) && Array.isArray(value.data)) {
    for (const row of value.data) {
      demandWithin(call, row, failures);
    }
  }
}

/**
 * Throws a `mismatch` if a row of a list, or an event of a stream, belongs to another parent resource than the call.
 *
 * Some services name the session of an event by an id of their own (`cse_1` in the events of `sesn_1`). An id with another prefix is
 * therefore not compared.
 */
export function demandWithin({ about }: Pick<Call, 'about'>, row: unknown, failures: CallFailures): void {
  throwIfDifferent(isRecord(row) ? outsideOf(about?.within, row, hasSameStart) : undefined, failures);
}

function hasSameStart(one: string, other: string): boolean {
  const [start, otherStart] = [one, other].map(id => id.slice(0, Math.max(0, id.indexOf('_'))));
  return start === otherStart;
}

function throwIfDifferent(difference: string | undefined, failures: CallFailures): void {
  if (difference !== undefined) {
    throw failures.mismatch(
      `The response to ${failures.what} does not match the request: ${difference}. Check whether a cache or gateway responds instead of the service`,
    );
  }
}

function outsideOf(
  within: Subject['within'] = {},
  value: Readonly<Record<string, unknown>>,
  isComparable = (_found: string, _expected: string) => true,
): string | undefined {
  for (const [field, expected] of Object.entries(within)) {
    const parent = textOf(value[field]);
    if (parent !== undefined && parent !== expected && isComparable(parent, expected)) {
      return `its ${field} is ${quote(parent)}, not ${quote(expected)}`;
    }
  }
  return undefined;
}

function isOtherType(found: string, expected: string | undefined, isDelete: boolean): boolean {
  if (found === 'error') {
    return true;
  }
  const bare = found.replace(/_deleted$/, '');
  const isDeletion = bare !== found;
  return expected !== undefined && knownTypes.has(bare) && (bare !== expected || (isDeletion && !isDelete));
}
