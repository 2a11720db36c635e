import { isAscii, isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { invalidRequest } from '../http/apiError';
import type { BatchFiles } from './batchFiles';
import { RequestsScanner } from './requestsScanner';

const maxRequests = 100_000;
const customIdPattern = /^[a-zA-Z0-9_-]{1,64}$/;

/** Rules for one create request, from its headers and the dialect. */
export interface CreateRules {
  /** User profile from the header, to which every request is attributed. */
  readonly userProfileId?: string;
  /** Refuses `stream: true` in params. Otherwise it is ignored. */
  readonly refusesStream: boolean;
  /** True if `fallback_credit_token` can be an object. */
  readonly takesCreditObject: boolean;
}

/**
 * Reads a create body as it arrives. The bytes are written unchanged to `files.body`, and the range of each request to `files.index` (start
 * and end, 32 bits each). Resolves with the number of requests. Throws the service's 400 for an invalid body (contract, Batch create body),
 * or the error of the connection. The caller removes the files.
 */
export async function takeRequests(pieces: AsyncIterable<Buffer>, files: BatchFiles, rules: CreateRules): Promise<number> {
  const ids = new Set<string>();
  let places = new Uint32Array(2048);
  const scanner = new RequestsScanner((json, offset) => {
    const n = ids.size;
    if (n === maxRequests) {
      throw invalidRequest(`requests: List should have at most ${maxRequests} items`);
    }
    ids.add(checkRequest(json, n, ids, rules));
    if (2 * n === places.length) {
      const larger = new Uint32Array(places.length * 2);
      larger.set(places);
      places = larger;
    }
    places[2 * n] = offset;
    places[2 * n + 1] = offset + json.length;
  });

  const body = createWriteStream(files.body, { highWaterMark: 1024 * 1024 });
  const written = finished(body);
  written.catch(() => undefined);
  try {
    for await (const piece of pieces) {
      scanner.push(piece);
      if (!body.write(piece)) {
        await Promise.race([once(body, 'drain'), written]);
      }
    }
    scanner.end();
    if (ids.size === 0) {
      throw invalidRequest('requests: List should have at least 1 item');
    }
  } finally {
    body.end();
    await written;
  }
  await writeFile(files.index, new Uint8Array(places.buffer, 0, ids.size * 8));
  return ids.size;
}

/**
 * Checks one request as the service does before it accepts a batch, and returns its id. The contents of `params` are checked when the
 * request is processed.
 */
function checkRequest(json: Buffer, n: number, known: ReadonlySet<string>, rules: CreateRules): string {
  const request = parse(json, n);
  for (const key of Object.keys(request)) {
    if (key !== 'custom_id' && key !== 'params') {
      throw invalidRequest(`requests.${n}.${key}: Extra inputs are not permitted`);
    }
  }
  const { custom_id: id, params } = request;
  if (id === undefined) {
    throw invalidRequest(`requests.${n}.custom_id: Field required`);
  }
  if (typeof id !== 'string') {
    throw invalidRequest(`requests.${n}.custom_id: Input should be a valid string`);
  }
  if (!customIdPattern.test(id)) {
    throw invalidRequest(`requests.${n}.custom_id: String should match pattern '${customIdPattern.source}'`);
  }
  if (known.has(id)) {
    throw invalidRequest(`requests.${n}.custom_id: custom_id must be unique within a batch, but ${id} comes more than once`);
  }
  if (params === undefined) {
    throw invalidRequest(`requests.${n}.params: Field required`);
  }
  if (typeof params !== 'object' || params === null || Array.isArray(params)) {
    throw invalidRequest(`requests.${n}.params: Input should be an object`);
  }
  const { stream, user_profile_id: profile, fallback_credit_token: credit } = params as Record<string, unknown>;
  if (stream === true && rules.refusesStream) {
    throw invalidRequest(`requests.${n}.params.stream: stream: true is not supported in a batch`);
  }
  if (typeof credit === 'object' && credit !== null && !rules.takesCreditObject) {
    throw invalidRequest(`requests.${n}.params.fallback_credit_token: Input should be a valid string`);
  }
  if (rules.userProfileId !== undefined && (profile ?? rules.userProfileId) !== rules.userProfileId) {
    throw invalidRequest(`requests.${n}.params.user_profile_id: conflicts with the user profile of the request's header`);
  }
  return id;
}

function parse(json: Buffer, n: number): Record<string, unknown> {
  const encoding = isAscii(json) ? 'latin1' : 'utf8';
  if (encoding === 'utf8' && !isUtf8(json)) {
    throw invalidRequest(`requests.${n}: Invalid UTF-8`);
  }
  try {
    return JSON.parse(json.toString(encoding));
  } catch {
    throw invalidRequest(`requests.${n}: Invalid JSON`);
  }
}
