import { isAscii, isUtf8 } from 'node:buffer';
import * as z from 'zod';
import { customIdPattern } from '../../contract/customId';
import { isRecord } from '../../shared/isRecord';
import { checkBody, invalidRequest } from '../http/apiError';

const maxRequests = 100_000;

/** Maximum size of a body without its requests, in bytes. 100,000 requests leave 300 KB: `{},` each. */
const longestFrame = 1024 * 1024;
const longestRequest = 32 * 1024 * 1024;

const frameSchema = z.object({ requests: z.array(z.object()) });
const requestSchema = z.strictObject({
  custom_id: z.string().regex(customIdPattern, { error: `String should match pattern '${customIdPattern.source}'` }),
  params: z.looseObject({}),
});

/** Rules for one create request, from its headers and the dialect. */
export interface CreateRules {
  /** User profile from the header, to which every request is attributed. */
  readonly userProfileId?: string;
  /** True if `stream: true` in params is refused, false if the field is ignored. */
  readonly refusesStream: boolean;
  readonly takesCreditObject: boolean;
}

/** Returns the number of requests in a create body. Throws the service's 400 for an invalid body (contract, Batch create body). */
export function countRequests(body: Buffer, rules: CreateRules): number {
  const requests = splitRequests(body);
  if (requests.length > maxRequests) {
    throw invalidRequest(`requests: List should have at most ${maxRequests} items`);
  }
  if (requests.length === 0) {
    throw invalidRequest('requests: List should have at least 1 item');
  }
  const ids = new Set<string>();
  for (const [n, json] of requests.entries()) {
    ids.add(checkRequest(json, n, ids, rules));
  }
  return requests.length;
}

/**
 * Returns the bytes of each request in a create body `{"requests":[{...},...]}`. A request has balanced braces but is not necessarily JSON.
 * The rest of the body is the frame, which may have other keys (contract). Throws the service's 400 if the frame is invalid.
 */
export function splitRequests(body: Buffer): readonly Buffer[] {
  const requests: Buffer[] = [];
  let frame = '';
  let frameStart = 0;
  let depth = 0;
  /** Last string at depth 1: the key of the current member. */
  let key = '';
  let isList = false;
  let hasList = false;
  let start = 0;
  for (let at = 0; at < body.length; at++) {
    switch (body[at]) {
      case 0x22: {
        const end = endOfString(body, at);
        key = depth === 1 ? body.toString('utf8', at, end + 1) : key;
        at = end;
        break;
      }
      case 0x5b: // [
      case 0x7b: // {
        depth++;
        if (depth === 2) {
          isList = body[at] === 0x5b && isRequests(key);
          if (isList && hasList) {
            throw invalidRequest('requests: Only once is permitted');
          }
          hasList ||= isList;
        } else if (depth === 3) {
          start = at;
        }
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        if (depth === 2 && isList && body[start] === 0x7b) {
          if (at - start >= longestRequest) {
            throw invalidRequest(`requests.${requests.length}: Request is larger than 32 MiB`);
          }
          requests.push(body.subarray(start, at + 1));
          frame += `${body.toString('utf8', frameStart, start)}{}`;
          frameStart = at + 1;
        }
        break;
    }
  }
  checkFrame(frame + body.toString('utf8', frameStart));
  return requests;
}

function checkFrame(frame: string): void {
  if (frame.length > longestFrame) {
    throw invalidRequest('The body has more than 1 MiB besides its requests');
  }
  let body: unknown;
  try {
    body = JSON.parse(frame);
  } catch {
    throw invalidRequest('Invalid JSON body');
  }
  if (!isRecord(body)) {
    throw invalidRequest('Invalid JSON body');
  }
  checkBody(frameSchema, body);
}

/** Returns the position of the quote that closes the string at `start`, or the length of the body if the string is not closed. */
function endOfString(body: Buffer, start: number): number {
  let end = body.indexOf(0x22, start + 1);
  const isEscaped = () => {
    let slashes = 0;
    while (body[end - slashes - 1] === 0x5c) {
      slashes++;
    }
    return slashes % 2 === 1;
  };
  while (end >= 0 && isEscaped()) {
    end = body.indexOf(0x22, end + 1);
  }
  return end < 0 ? body.length : end;
}

function isRequests(key: string): boolean {
  try {
    return JSON.parse(key) === 'requests';
  } catch {
    return false;
  }
}

/**
 * Checks one request as the service does before it accepts a batch, and returns its id. The contents of `params` are checked when the
 * request is processed.
 */
function checkRequest(json: Buffer, n: number, known: ReadonlySet<string>, rules: CreateRules): string {
  const { custom_id: id, params } = checkBody(requestSchema, parse(json, n), `requests.${n}`);
  if (known.has(id)) {
    throw invalidRequest(`requests.${n}.custom_id: custom_id must be unique within a batch, but ${id} comes more than once`);
  }
  const { stream, user_profile_id: profile, fallback_credit_token: credit } = params;
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

function parse(json: Buffer, n: number): unknown {
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
