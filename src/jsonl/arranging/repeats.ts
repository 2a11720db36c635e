import { createHash } from 'node:crypto';
import { IdTable } from '../files/idTable';
import { JsonBytes } from '../scanning/jsonBytes';
import type { RepeatKind } from './arrangingJobs';
import { CanonicalJson } from './canonicalJson';
import { idOf, type WalkedLine } from './requestWalk';

/** What a request repeats of those that were looked at before it: their numbers, or -1. Requests are numbered from 0. */
export interface Repeated {
  /** The first request with the same params. */
  readonly params: number;
  /** The first request with the same id. */
  readonly id: number;
  /** Whether there was one with the same params and the same id. */
  readonly isRequest: boolean;
}

const digestBytes = 16;

/**
 * Finds requests that repeat earlier ones. Params are compared by a 128-bit hash of what they say, so that memory grows by some
 * 100 bytes a request, however long they are; ids by their characters. A request without an id repeats nobody's.
 */
export class Repeats {
  private readonly json = new JsonBytes();
  private readonly canonical = new CanonicalJson(this.json);
  private readonly params = new IdTable();
  private readonly ids = new IdTable();
  private readonly pairs = new IdTable();
  private readonly firstOfParams: number[] = [];
  private readonly firstOfId: number[] = [];
  private readonly pair = new Uint32Array(2);
  private count = 0;

  /** Looks at the next request. */
  look(line: WalkedLine): Repeated {
    const number = this.count++;
    const digest = this.digest(line);
    const paramsNumber = this.params.add(digest, 0, digestBytes);
    const params = firstOf(this.firstOfParams, paramsNumber, number);
    const name = idOf(line);
    if (name === undefined) {
      return { params, id: -1, isRequest: false };
    }
    const bytes = Buffer.from(name);
    const idNumber = this.ids.add(bytes, 0, bytes.length);
    const id = firstOf(this.firstOfId, idNumber, number);
    this.pair[0] = paramsNumber;
    this.pair[1] = idNumber;
    const known = this.pairs.size;
    const isRequest = this.pairs.add(new Uint8Array(this.pair.buffer), 0, 8) < known;
    return { params, id, isRequest };
  }

  private digest({ bytes, paramsStart, paramsEnd }: WalkedLine): Uint8Array {
    if (paramsStart < 0) {
      // A request without params is like no other.
      return createHash('sha256').update(`none ${this.count}`).digest();
    }
    this.json.bytes = bytes;
    return createHash('sha256').update(this.canonical.write(paramsStart, paramsEnd)).digest();
  }
}

/** Whether a request is a repeat of the kind. */
export function isRepeat(found: Repeated, kind: RepeatKind): boolean {
  return kind === 'params' ? found.params >= 0 : kind === 'id' ? found.id >= 0 : found.isRequest;
}

/** The request that a number stood for first, or -1 when this one is it. */
function firstOf(firsts: number[], number: number, request: number): number {
  if (number < firsts.length) {
    return firsts[number] as number;
  }
  firsts.push(request);
  return -1;
}
