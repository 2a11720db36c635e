import * as z from 'zod';
import { isNotServed } from '../dialect';
import type { CallFailures } from '../transport/callFailures';
import type { Call } from '../transport/callHead';
import type { CallOptions, CallResult, ListOptions, Page } from '../transport/callResult';
import { decodeTolerantly } from '../transport/decode';
import { ServiceError } from '../transport/errors';
import { type PageEnvelope, pageSchema } from '../transport/page';
import { idOf, listQuery, nextCursor } from '../transport/pagination';
import type { Transport } from '../transport/transport';

/** Percent-encodes an opaque id as a segment of a path. Throws for an empty id, `.` and `..`, which would name another resource. */
export function pathSegment(id: string): string {
  if (id === '' || id === '.' || id === '..') {
    throw new ServiceError(`"${id}" cannot be the id of a resource`, {
      kind: 'invalid_request',
      outcome: 'not_sent',
      method: 'GET',
      host: '',
      path: '',
    });
  }
  return encodeURIComponent(id).replace(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Sends a call and decodes its JSON object. A field of a wrong type is left out and logged. Throws a `mismatch` for any other value. */
export function callForObject<S extends z.ZodType>(transport: Transport, schema: S, call: Call): Promise<CallResult<z.output<S>>> {
  return transport.json(call, (value, failures) => decodeObject(transport, schema, value, call, failures));
}

/** Sends a write about a known resource. Every 2xx means success. If the body is not the expected JSON, returns what `otherwise` returns. */
export async function callForOutcome<S extends z.ZodType>(
  transport: Transport,
  schema: S,
  call: Call,
  otherwise: () => z.output<S> | Promise<z.output<S>>,
): Promise<CallResult<z.output<S>>> {
  const { data, requestId } = await transport.json({ ...call, maySayNothing: true }, value =>
    decodeTolerantly(schema, value, paths => warnOfAmiss(transport, call, paths)),
  );
  return { data: data ?? (await otherwise()), requestId };
}

function warnOfAmiss(transport: Transport, call: Call, paths: readonly string[]): void {
  transport.log?.warn(`${call.method} /v1${call.path}: fields of an unexpected type were left out: ${paths.slice(0, 10).join(', ')}`);
}

/**
 * Sends a create. After a 404 that is not in the service's own form, checks whether the collection exists. A gateway can return 404 for a
 * create that the service carried out. Only a missing collection proves that nothing was created.
 */
export async function createIn<T>(transport: Transport, call: Call, create: () => Promise<T>): Promise<T> {
  try {
    return await create();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 404 || error.outcome !== 'unknown') {
      throw error;
    }
    const { group, path, signal } = call;
    const listing = { method: 'GET', group, path, query: [['limit', '1']], once: true, signal } as const;
    const listed = await callForPage(transport, z.unknown(), listing, undefined).catch((failure: unknown) => failure);
    if (!(listed instanceof ServiceError) || !isNotServed(listed.status)) {
      throw error;
    }
    const message = `The service at ${error.host} does not have ${path.slice(1)}: it responded ${error.status} to POST and ${listed.status} to GET. Nothing was created`;
    throw new ServiceError(message, { ...error, outcome: 'refused', cause: error });
  }
}

/** Decodes an object by its schema. Throws a `mismatch` if the value does not match. */
export function decodeObject<S extends z.ZodType>(
  transport: Transport,
  schema: S,
  value: unknown,
  call: Call,
  failures: CallFailures,
): z.output<S> {
  let amiss: readonly string[] = [];
  const data = decodeTolerantly(schema, value, found => {
    amiss = found;
  });
  if (data === undefined) {
    throw failures.mismatch(`The response to ${failures.what} has an unexpected shape at ${amiss.slice(0, 5).join(', ')}`);
  }
  if (amiss.length > 0) {
    warnOfAmiss(transport, call, amiss);
  }
  return data;
}

/**
 * Requests one page of a list. One bad row never hides a list. Fields of a wrong type are dropped. A row that still doesn't match is
 * returned unchanged if it has an id. Otherwise, the row is left out and logged. Throws a `mismatch` for a response without an array of
 * rows, because such a response would look like an empty list. Also throws for an empty page that promises more rows without a cursor, and
 * for a row of another resource.
 */
export async function callForPage<S extends z.ZodType>(
  transport: Transport,
  schema: S,
  call: Omit<Call, 'method' | 'signal'>,
  options: (ListOptions & CallOptions) | undefined,
): Promise<Page<z.output<S>>> {
  const query = [...(call.query ?? []), ...listQuery(options)];
  const whole: Call = { ...call, method: 'GET', query, signal: options?.signal };
  const { data, requestId } = await transport.json(whole, (value, failures) => decodePage(transport, value, whole, failures));
  const items: z.output<S>[] = [];
  let unreadable = 0;
  data.data.forEach((row, index) => {
    const item = decodeTolerantly(schema, row, paths =>
      transport.log?.warn(`GET /v1${call.path}: row ${index} has fields of an unexpected type: ${paths.slice(0, 10).join(', ')}`),
    );
    if (item !== undefined) {
      items.push(item);
    } else if (idOf(row) !== undefined) {
      items.push(row as z.output<S>);
    } else {
      unreadable++;
      transport.log?.warn(`GET /v1${call.path}: row ${index} has no ID and was left out`);
    }
  });
  const named = nextCursor(data);
  // A service that ignores the cursor returns the same cursor again. No page follows.
  const next = named === options?.cursor ? undefined : named;
  const isCut = next === undefined && data.has_more === true;
  return { items, nextCursor: next, requestId, ...(isCut && { isCut }), ...(unreadable > 0 && { unreadable }) };
}

/** Decodes a page of a list. Throws a `mismatch` if it is not a page, or an empty page that promises more rows without a cursor. */
export function decodePage(transport: Transport, value: unknown, call: Call, failures: CallFailures): PageEnvelope {
  const page = decodeObject(transport, pageSchema, value, call, failures);
  if (page.data.length === 0 && page.has_more === true && nextCursor(page) === undefined) {
    throw failures.mismatch(`The response to ${failures.what} is an empty page that has more, but does not say how to get it`);
  }
  return page;
}

/** Encodes an object as a JSON body. JSON text is encoded unchanged. */
export function jsonBody(params: object | string): Uint8Array {
  return new TextEncoder().encode(typeof params === 'string' ? params : JSON.stringify(params));
}

/** Builds query parameters from the filters that are set. A list becomes one `name[]` per value. */
export function filterQuery(
  filters: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>,
): (readonly [string, string])[] {
  return Object.entries(filters).flatMap(([name, value]): (readonly [string, string])[] => {
    if (value === undefined) {
      return [];
    }
    return Array.isArray(value) ? value.map(element => [`${name}[]`, String(element)] as const) : [[name, String(value)]];
  });
}
